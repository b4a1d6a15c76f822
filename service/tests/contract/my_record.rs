//! A patient reads the own record on our pages: what an app would see, noted as the own look, and nobody else's.

use crate::kit::World;
use crate::rest::callers::{clinician, patient};
use axum::http::Method;
use serde_json::json;

/// Amina's record: her weights, a blood pressure of her team, and an allergy whose words are markup.
async fn filled(w: &World) {
    let (patient, clinician) = (patient(w).await, clinician(w).await);
    let weights = json!([
        { "apiRef": "weight", "value": 64.5, "dateTaken": "2026-11-01", "comment": "before breakfast" },
        { "apiRef": "weight", "value": 66, "dateTaken": "2026-10" },
        { "apiRef": "weight", "value": 65, "dateTaken": "2026-11-03T07:30:00Z" },
    ]);
    assert_eq!(patient.sends(Method::POST, "/json/measurements", &weights).await.status, 201);
    let pressure = json!({ "apiRef": "bloodPressure", "value": 124, "value2": 81, "dateTaken": "2026-11-03",
        "privacyLabel": "GENERAL_HEALTH" });
    assert_eq!(clinician.sends(Method::POST, "/json/measurements/amina", &pressure).await.status, 201);
    let allergy = json!({ "substance": "<script>alert(1)</script>", "reactions": ["Hives"], "severity": "MODERATE" });
    assert_eq!(clinician.sends(Method::POST, "/json/allergies/forPatient/amina", &allergy).await.status, 201);
}

// gaps: Pages > My record
#[tokio::test]
async fn a_patient_sees_what_is_newest_of_every_section() {
    let w = World::new().await;
    filled(&w).await;
    let page = w.amina().signs_in().await.sees("/record").await.html;
    for told in ["Blood pressure</strong> 124/81 mmHg", "Weight</strong> 65 kg", "3 November 2026", "/record/allergies"]
    {
        assert!(page.contains(told), "{told} in {page}");
    }
    assert!(page.contains("Nothing is written down here."), "{page}");
}

#[tokio::test]
async fn each_item_says_when_it_was_who_wrote_it_and_under_which_label() {
    let w = World::new().await;
    filled(&w).await;
    let mut browser = w.amina().signs_in().await;
    let page = browser.sees("/record/measurements").await.html;
    let of = |title: &str| page.split("<li class=").find(|item| item.contains(title)).unwrap().to_owned();
    let pressure = of("124/81 mmHg");
    assert!(pressure.contains("Written by Riverside Diabetes Team · General health"), "{pressure}");
    let weight = of("64.5 kg");
    for told in ["1 November 2026", "before breakfast", "Written by you", "/record/measurements?of=weight"] {
        assert!(weight.contains(told), "{told} in {weight}");
    }
    assert!(of("66 kg").contains(">October 2026<"), "as precise as it was given");
    let allergies = browser.sees("/record/allergies").await.html;
    assert!(!allergies.contains("<script>") && allergies.contains("alert(1)"), "{allergies}");
}

#[tokio::test]
async fn a_measurement_over_time_is_a_chart_with_its_readings_beside_it() {
    let w = World::new().await;
    filled(&w).await;
    let page = w.amina().signs_in().await.sees("/record/measurements?of=weight").await.html;
    assert!(page.contains("<svg") && page.contains("3 readings, the first October 2026, the last 3 November 2026"));
    assert!(page.contains("from 64.5 to 66 kg") && !page.contains("124/81"), "{page}");
}

#[tokio::test]
async fn a_long_section_has_pages_and_every_item_is_on_one_of_them() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let day = |at: usize| format!("2026-{:02}-{:02}", at / 28 + 1, at % 28 + 1);
    let all: Vec<_> = (0..70).map(|at| json!({ "apiRef": "steps", "value": at, "dateTaken": day(at) })).collect();
    assert_eq!(patient.sends(Method::POST, "/json/measurements", &json!(all)).await.status, 201);
    let mut browser = w.amina().signs_in().await;
    let (mut path, mut seen) = ("/record/measurements".to_owned(), 0);
    loop {
        let page = browser.sees(&path).await.html;
        seen += page.matches("<li class=\"panel\">").count();
        let Some((before, _)) = page.split_once("\">Older entries") else { break };
        path = before.rsplit_once("href=\"").unwrap().1.replace("&#38;", "&");
    }
    assert_eq!(seen, 70);
}

/// The patient's own look is a line of the log as every look is.
#[tokio::test]
async fn a_look_at_the_own_record_is_in_the_access_log() {
    let w = World::new().await;
    filled(&w).await;
    let mut browser = w.amina().signs_in().await;
    browser.sees("/record/allergies").await;
    let log = browser.sees("/access-log").await.html;
    let (_, account) = log.split_once("<h3>Your account").unwrap();
    assert!(account.split("<h3>").next().unwrap().contains("for you"), "{log}");
}

#[tokio::test]
async fn nobody_reads_a_record_on_these_pages_but_its_own_patient() {
    let w = World::new().await;
    filled(&w).await;
    let ben = w.ben().signs_in().await.sees("/record/measurements").await.html;
    assert!(!ben.contains("124/81"), "{ben}");
    let mut doctor = w.dr_okafor().signs_in().await;
    assert_eq!(doctor.get("/record").await.status, 403);
    assert_eq!(doctor.get("/record/measurements").await.status, 403);
}

#[tokio::test]
async fn an_address_that_makes_no_sense_is_told_so() {
    let w = World::new().await;
    let mut browser = w.amina().signs_in().await;
    for (path, status) in [
        ("/record/dreams", 404),
        ("/record/measurements?of=mood", 404),
        ("/record/allergies?of=x", 404),
        ("/record/measurements?after=x", 400),
        ("/record/measurements?after=5.a%20b", 400),
        ("/record/tests?of=nothing", 200),
    ] {
        assert_eq!(browser.get(path).await.status, status, "{path}");
    }
}

// gaps: Pages > My record
#[tokio::test]
async fn what_is_to_come_and_what_is_unread_is_first() {
    let w = World::new().await;
    let clinician = clinician(&w).await;
    for (day, subject, status) in [
        ("2026-12-20", "Later", "ACTIVE"),
        ("2026-11-16", "Review", "ACTIVE"),
        ("2026-11-17", "Off", "CANCELLED"),
        ("2026-11-14", "Past", "ACTIVE"),
    ] {
        let sent = json!({ "status": status, "subject": subject, "start": format!("{day}T09:30:00Z"), "end": format!("{day}T10:00:00Z") });
        assert_eq!(clinician.sends(Method::POST, "/json/appointments/forPatient/amina", &sent).await.status, 201);
    }
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees("/record").await.html;
    let first = page.split("id=\"tests\"").next().unwrap();
    assert!(first.find("Review").unwrap() < first.find("Later").unwrap(), "{first}");
    assert!(!first.contains("Past") && !first.contains("Off<"), "{first}");
    assert!(first.contains("/record/letters/letter-amina"), "{first}");
    amina.get("/record/attachments/letter-text-amina").await;
    let page = amina.sees("/record").await.html;
    assert!(!page.split("id=\"tests\"").next().unwrap().contains("/record/letters/letter-amina"), "{page}");
    let ben = w.ben().signs_in().await.sees("/record").await.html;
    assert!(ben.contains("Your record has no appointments to come."), "{ben}");
}
