//! `Patient/{id}/$everything`: a record as a whole, within the caller's reach, page by page.

use crate::kit::caller::Caller;
use crate::kit::records::import;
use crate::kit::{BASE, HILLSIDE, MINUTE, RIVERSIDE, World};
use serde_json::{Value, json};

const PATH: &str = "/fhir/Patient/amina/$everything";

fn observation(id: &str, date: &str, performer: &str) -> Value {
    json!({ "resourceType": "Observation", "id": id, "status": "final", "code": { "text": "Weight" },
        "subject": { "reference": "Patient/amina" }, "effectiveDateTime": date,
        "performer": [{ "reference": format!("Practitioner/{performer}") }] })
}

/// Two practitioners, three observations, a condition without a date, and what is somebody else's.
async fn with_a_record(w: &World) {
    let practitioner = |id: &str| json!({ "resourceType": "Practitioner", "id": id });
    let record = [
        practitioner("grey"),
        practitioner("black"),
        practitioner("unnamed"),
        observation("o1", "2024-05-01", "grey"),
        observation("o2", "2025-05-01", "grey"),
        observation("o3", "2026-05-01", "black"),
        json!({ "resourceType": "Condition", "id": "c1", "subject": { "reference": "Patient/amina" } }),
    ];
    import(&w.app.store, RIVERSIDE, &record, w.now()).await;
}

/// The ids of all pages with their modes, one list for each page.
async fn pages(caller: &Caller<'_>, path: &str) -> Vec<Vec<String>> {
    let (mut path, mut pages) = (path.to_owned(), Vec::new());
    loop {
        let bundle = caller.get(&path).await.opened().json();
        let entries = bundle["entry"].as_array().cloned().unwrap_or_default();
        let told = |entry: &Value| {
            let mark = if entry["search"]["mode"] == "include" { "+" } else { "" };
            format!("{mark}{}", entry["resource"]["id"].as_str().unwrap())
        };
        pages.push(entries.iter().map(told).collect());
        let links = bundle["link"].as_array().unwrap();
        let Some(next) = links.iter().find(|link| link["relation"] == "next") else { return pages };
        path = next["url"].as_str().unwrap().strip_prefix(BASE).unwrap().to_owned();
    }
}

async fn all(caller: &Caller<'_>, path: &str) -> Vec<String> {
    pages(caller, path).await.concat()
}

const EVERYTHING: [&str; 10] =
    ["amina", "c1", "o3", "o2", "o1", "elsewhere", "note", "letter-amina", "+black", "+grey"];

// gaps: FHIR, where R4 leaves it open > $everything
#[tokio::test]
async fn the_patient_is_first_then_the_compartment_then_what_that_refers_to_each_once() {
    let w = World::new().await;
    with_a_record(&w).await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await, w.system().await] {
        assert_eq!(all(&caller, PATH).await, EVERYTHING);
    }
    let amina = w.amina().caller().await;
    assert_eq!(all(&amina, "/fhir/Patient/$everything").await, EVERYTHING);
    w.system().await.get("/fhir/Patient/$everything").await.says(400, "BAD_REQUEST");
    let asked = json!({ "resourceType": "Parameters", "parameter": [{ "name": "_type", "valueCode": "Condition" }] });
    assert_eq!(amina.post(PATH, &asked).await.found(), ["c1"]);
}

#[tokio::test]
async fn pages_follow_each_other_and_nothing_that_is_written_meanwhile_is_shown_twice() {
    let w = World::new().await;
    with_a_record(&w).await;
    let caller = w.dr_okafor().caller().await;
    for count in [1, 2, 3, 4, 7] {
        let pages = pages(&caller, &format!("{PATH}?_count={count}")).await;
        assert!(pages.iter().all(|page| page.len() <= count), "{pages:?}");
        assert_eq!(pages.concat(), EVERYTHING, "{count}");
    }
    let first = caller.get(&format!("{PATH}?_count=3")).await.json();
    import(&w.app.store, RIVERSIDE, &[observation("o4", "2026-06-01", "unnamed")], w.now()).await;
    let next = first["link"][1]["url"].as_str().unwrap().strip_prefix(BASE).unwrap().to_owned();
    let rest = all(&caller, &next).await;
    assert_eq!(rest, ["o2", "o1", "elsewhere", "note", "letter-amina", "+unnamed", "+black", "+grey"]);
    let foreign = next.replace("Patient/amina", "Patient/ben");
    caller.get(&foreign).await.says(404, "NOT_FOUND");
    w.system_for_hillside().await.get(&foreign).await.says(400, "BAD_REQUEST");
    caller.get(&format!("{PATH}?_page=rgp_x_y")).await.says(400, "BAD_REQUEST");
}

#[tokio::test]
async fn types_times_of_care_and_times_of_storing_narrow_it() {
    let w = World::new().await;
    with_a_record(&w).await;
    let caller = w.amina().caller().await;
    let asked = |query: &str| format!("{PATH}?{query}");
    assert_eq!(all(&caller, &asked("_type=Observation,Patient")).await, ["amina", "o3", "o2", "o1"]);
    assert_eq!(all(&caller, &asked("_type=Practitioner")).await, ["+black", "+grey"]);
    assert_eq!(all(&caller, &asked("_type=Observation&start=2025-01-01")).await, ["o3", "o2"]);
    assert_eq!(all(&caller, &asked("_type=Observation&end=2025-05-01")).await, ["o2", "o1"]);
    assert_eq!(all(&caller, &asked("_type=Observation,Practitioner&start=2026-01-01")).await, ["o3", "+black"]);
    assert_eq!(all(&caller, &asked("_type=Condition&start=2025-01-01&end=2025-12-31")).await, ["c1"], "without a date");
    w.after(MINUTE);
    import(&w.app.store, RIVERSIDE, &[observation("o5", "2026-06-01", "grey")], w.now()).await;
    let since = service::formats::when::rfc3339(w.now());
    let caller = w.amina().caller().await;
    assert_eq!(all(&caller, &asked(&format!("_since={since}"))).await, ["o5"]);
    for wrong in [
        "_type=Colour",
        "start=soon",
        "_since=yesterday",
        "_count=0",
        "_count=x",
        "colour=red",
        "start=2025&start=2026",
    ] {
        caller.get(&asked(wrong)).await.says(400, "BAD_REQUEST");
    }
}

#[tokio::test]
async fn what_is_out_of_reach_is_not_in_it_and_leads_to_nothing() {
    let w = World::new().await;
    let record =
        [json!({ "resourceType": "Practitioner", "id": "theirs" }), observation("hidden", "2026-01-01", "theirs")];
    import(&w.app.store, HILLSIDE, &record, w.now()).await;
    // An organisation sees what it and its teams made, and not what another did.
    let riverside = all(&w.system().await, PATH).await;
    assert_eq!(riverside, ["amina", "elsewhere", "note", "letter-amina"]);
    assert_eq!(all(&w.system_for_hillside().await, PATH).await, ["amina", "hidden", "+theirs"]);
    assert!(all(&w.amina().caller().await, PATH).await.contains(&"hidden".to_owned()));
    w.ben().caller().await.get(PATH).await.says(404, "NOT_FOUND");
    w.amina().caller().await.get("/fhir/Patient/nobody/$everything").await.says(404, "NOT_FOUND");
}

#[tokio::test]
async fn what_is_in_several_records_is_in_each_and_brings_nobody_else_along() {
    let w = World::new().await;
    let appointment = json!({ "resourceType": "Appointment", "id": "both", "status": "booked",
        "start": "2026-11-20T10:00:00Z", "end": "2026-11-20T11:00:00Z",
        "participant": [{ "actor": { "reference": "Patient/amina" }, "status": "accepted" },
                        { "actor": { "reference": "Patient/ben" }, "status": "accepted" }] });
    import(&w.app.store, RIVERSIDE, &[appointment], w.now()).await;
    let system = w.system().await;
    assert_eq!(all(&system, &format!("{PATH}?_type=Appointment,Patient")).await, ["amina", "both"]);
    assert_eq!(all(&system, "/fhir/Patient/ben/$everything?_type=Appointment,Patient").await, ["ben", "both"]);
}

#[tokio::test]
async fn the_patient_finds_in_their_log_who_took_it() {
    let w = World::new().await;
    with_a_record(&w).await;
    w.dr_okafor().caller().await.get(PATH).await.opened();
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    for told in ["Opened your personal details", "Opened the details of a letter", "Dr Okafor"] {
        assert!(log.contains(told), "{told} in {log}");
    }
}
