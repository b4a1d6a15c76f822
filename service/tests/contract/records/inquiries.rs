//! Every question about a patient is a line for them, with what was asked and what was given; and so is every refused read or
//! write, by whoever's organisation knows them.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, AMINA_NHS, BEN, BEN_NHS, NHS_NUMBER, import, letter, letter_of, observation};
use crate::kit::{DAY, MINUTE, RIVERSIDE, World};
use axum::http::Method;
use rules::noted::{INTERACTIONS, Inquiry, Noting, Outcome};
use serde_json::{Value, json};
use service::app::access_writer;
use std::collections::BTreeSet;
use store::ledger::{self, Event, LedgerSpan, NamedLine};

const FHIR_JSON: &str = "application/fhir+json";
const JSON_PATCH: &str = "application/json-patch+json";

/// The lines of what was asked about and refused of a patient, in the order of the ledger, and those of looks.
async fn lines_of(w: &World, patient: &str) -> Vec<NamedLine> {
    access_writer::flush(&w.app).await;
    let mut lines = Vec::new();
    let keep = |line: NamedLine| {
        lines.push(line);
        true
    };
    let is_it = |event| matches!(event, Event::Accessed | Event::Asked | Event::Refused);
    ledger::each(&w.app.store, LedgerSpan::ALL, |line| is_it(line.event), keep).await.unwrap();
    lines.retain(|line| line.patient.as_deref() == Some(patient));
    lines
}

/// What was asked and refused of a patient, in the words of the ledger, with how often.
async fn told(w: &World, patient: &str) -> Vec<(Event, String, i64)> {
    let lines = lines_of(w, patient).await.into_iter().filter(|line| line.event != Event::Accessed);
    lines.map(|line| (line.event, line.detail.unwrap_or_default(), line.times)).collect()
}

/// What was counted is written down, and a minute passes: what comes then is another line.
async fn passes(w: &World) {
    access_writer::flush(&w.app).await;
    w.after(MINUTE);
}

fn asked(detail: &str) -> (Event, String, i64) {
    (Event::Asked, detail.to_owned(), 1)
}

fn refused(detail: &str) -> (Event, String, i64) {
    (Event::Refused, detail.to_owned(), 1)
}

fn letter_path(patient: &str) -> String {
    format!("/fhir/DocumentReference/{}", letter_of(patient).0)
}

async fn creates_unless(caller: &Caller<'_>, criteria: &str, body: &Value) -> u16 {
    let headers = [("content-type", FHIR_JSON), ("if-none-exist", criteria)];
    caller.send(Method::POST, "/fhir/DocumentReference", &headers, body.to_string()).await.status
}

// gaps: Operation > Lines of what is asked
#[tokio::test]
async fn a_count_is_a_line_that_says_by_what_and_that_a_number_was_given() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    okafor.get("/fhir/Observation?patient=amina&code=secret-code&_summary=count").await.opened();
    assert_eq!(told(&w, AMINA).await, [asked("count Observation?code&patient")]);
    w.after(MINUTE);
    okafor.get("/fhir/Observation?subject=Patient/amina&_count=0").await.opened();
    assert_eq!(told(&w, AMINA).await[1..], [asked("count Observation?subject")]);
    let lines = lines_of(&w, AMINA).await;
    assert!(lines.iter().all(|line| line.team.as_deref() == Some("Riverside Diabetes Team")), "{lines:?}");
}

/// What shows the record says so itself, and needs no second line.
#[tokio::test]
async fn a_search_that_shows_the_record_is_a_look_and_one_that_finds_nothing_is_a_question() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    okafor.get("/fhir/DocumentReference?patient=amina").await.opened();
    okafor.get(&format!("/fhir/Patient?identifier={NHS_NUMBER}|{AMINA_NHS}")).await.opened();
    assert_eq!(told(&w, AMINA).await, []);
    okafor.get("/fhir/Observation?patient=amina").await.opened();
    assert_eq!(told(&w, AMINA).await, [asked("nothing Observation?patient")]);
}

#[tokio::test]
async fn a_compartment_names_its_patient() {
    let w = World::new().await;
    w.dr_okafor().caller().await.get("/fhir/Patient/amina/Observation?code=x&_summary=count").await.opened();
    assert_eq!(told(&w, AMINA).await, [asked("count Observation?code")]);
    w.after(MINUTE);
    w.dr_silva().caller().await.get("/fhir/Patient/amina/*").await.opened();
    assert_eq!(told(&w, AMINA).await.last(), Some(&asked("nothing *")));
}

#[tokio::test]
async fn chains_and_has_that_name_a_patient_and_show_something_else_are_lines() {
    let w = World::new().await;
    let practitioner = json!({ "resourceType": "Practitioner", "name": [{ "family": "Okafor" }] });
    let path = w.system().await.makes(&practitioner).await;
    let mut result = observation(AMINA);
    result["performer"] = json!([{ "reference": path.trim_start_matches("/fhir/") }]);
    w.system().await.makes(&result).await;
    let okafor = w.dr_okafor().caller().await;
    let found = okafor.get("/fhir/Practitioner?_has:Observation:performer:patient=amina").await;
    assert_eq!(found.found().len(), 1, "{}", found.text());
    assert_eq!(told(&w, AMINA).await, [asked("nothing Practitioner?_has:Observation:performer:patient")]);
    w.after(MINUTE);
    let chain = format!("/fhir/Observation?patient.identifier={NHS_NUMBER}|{AMINA_NHS}&_summary=count");
    okafor.get(&chain).await.opened();
    assert_eq!(told(&w, AMINA).await[1..], [asked("count Observation?patient.identifier")]);
}

#[tokio::test]
async fn a_conditional_reference_is_a_line_for_the_patient_whom_it_finds() {
    let w = World::new().await;
    let mut sent = observation(AMINA);
    sent["subject"] = json!({ "reference": format!("Patient?identifier={NHS_NUMBER}|{AMINA_NHS}") });
    let entry = json!({ "resource": sent, "request": { "method": "POST", "url": "Observation" } });
    let bundle = json!({ "resourceType": "Bundle", "type": "transaction", "entry": [entry] });
    assert_eq!(w.system().await.post("/fhir", &bundle).await.status, 200);
    assert_eq!(told(&w, AMINA).await, [asked("reference Patient?identifier")]);
}

#[tokio::test]
async fn criteria_of_creates_updates_and_deletes_are_lines() {
    let w = World::new().await;
    let system = w.system().await;
    let mut sent = letter(AMINA);
    sent["identifier"] = json!([{ "value": "new" }]);
    sent.as_object_mut().unwrap().remove("id");
    assert_eq!(creates_unless(&system, "patient=amina&identifier=new", &sent).await, 201);
    passes(&w).await;
    assert_eq!(creates_unless(&system, "identifier=new", &sent).await, 200);
    passes(&w).await;
    assert_eq!(system.put("/fhir/DocumentReference?patient=amina&identifier=new", &sent).await.status, 200);
    passes(&w).await;
    assert_eq!(system.delete("/fhir/DocumentReference?identifier=new").await.status, 204);
    passes(&w).await;
    assert_eq!(system.delete("/fhir/DocumentReference?patient=amina&identifier=new").await.status, 204);
    let expected = [
        asked("nothing DocumentReference?identifier&patient"),
        asked("reference DocumentReference?identifier"),
        asked("reference DocumentReference?identifier&patient"),
        asked("reference DocumentReference?identifier"),
        asked("nothing DocumentReference?identifier&patient"),
    ];
    assert_eq!(told(&w, AMINA).await, expected);
}

/// A clinician of a sister team has nothing to do with the patient; the organisation has.
// gaps: Operation > Lines of what is refused
#[tokio::test]
async fn a_read_that_is_404_within_an_organisation_that_knows_the_patient_is_counted() {
    let w = World::new().await;
    let silva = w.dr_silva().caller().await;
    for _ in 0..3 {
        silva.get(&letter_path(AMINA)).await.says(404, "NOT_FOUND");
    }
    silva.get("/fhir/Patient/amina").await.says(404, "NOT_FOUND");
    silva.get(&format!("/fhir/Binary/{}", letter_of(AMINA).1)).await.says(404, "NOT_FOUND");
    silva.get("/fhir/DocumentReference/nothing-of-this-id").await.says(404, "NOT_FOUND");
    let told: BTreeSet<(String, i64)> =
        told(&w, AMINA).await.into_iter().map(|(_, what, times)| (what, times)).collect();
    let expected = [("read Binary", 1), ("read DocumentReference", 3), ("read Patient", 1)];
    assert_eq!(told, expected.map(|(what, times)| (what.to_owned(), times)).into());
    let lines = lines_of(&w, AMINA).await;
    assert!(lines.iter().all(|line| line.team.as_deref() == Some("Riverside Sleep Clinic")), "{lines:?}");
    assert!(lines.iter().all(|line| line.username.as_deref() == Some(w.dr_silva().account.username)), "{lines:?}");
}

/// A letter may be part of two records, and so is its content.
#[tokio::test]
async fn a_refused_read_of_a_content_is_counted_for_every_patient_of_its_document() {
    let w = World::new().await;
    let mut both = letter(AMINA);
    both["author"] = json!([{ "reference": "Patient/ben" }]);
    import(&w.app.store, RIVERSIDE, &[both], w.now()).await;
    let system = w.system().await;
    let stored = system.get("/fhir/DocumentReference/ignored").await.json();
    let content = stored["content"][0]["attachment"]["url"].as_str().unwrap().to_owned();
    w.dr_silva().caller().await.get(&format!("/fhir/{content}")).await.says(404, "NOT_FOUND");
    for patient in [AMINA, BEN] {
        assert_eq!(told(&w, patient).await, [refused("read Binary")], "{patient}");
    }
}

#[tokio::test]
async fn a_write_that_is_403_404_or_about_somebody_elses_patient_is_counted() {
    let w = World::new().await;
    let (okafor, silva) = (w.dr_okafor().caller().await, w.dr_silva().caller().await);
    let mut sent = letter(AMINA);
    sent["id"] = json!(letter_of(AMINA).0);
    assert_eq!(okafor.put(&letter_path(AMINA), &sent).await.status, 403);
    assert_eq!(silva.put(&letter_path(AMINA), &sent).await.status, 404);
    assert_eq!(silva.delete(&letter_path(AMINA)).await.status, 204);
    assert_eq!(silva.post("/fhir/Observation", &observation(AMINA)).await.status, 422);
    let patch = json!([{ "op": "add", "path": "/active", "value": false }]);
    assert_eq!(okafor.patch("/fhir/Patient/amina", JSON_PATCH, &patch).await.status, 403);
    let mut told = told(&w, AMINA).await;
    told.sort_by(|one, other| (&one.1, one.2).cmp(&(&other.1, other.2)));
    let of_two = |what: &str| (Event::Refused, what.to_owned(), 2);
    let expected = [
        refused("write DocumentReference"),
        of_two("write DocumentReference"),
        refused("write Observation"),
        refused("write Patient"),
    ];
    assert_eq!(told, expected);
}

/// Nobody fills the log of somebody whom their organisation has never heard of; and a patient knows nobody.
// gaps: Operation > For whom a question or a refusal is noted
#[tokio::test]
async fn whoever_has_nothing_to_do_with_a_patient_is_not_in_their_log() {
    let w = World::new().await;
    for caller in
        [w.dr_okafor().caller().await, w.dr_silva().caller().await, w.system().await, w.amina().caller().await]
    {
        caller.get(&letter_path(BEN)).await.says(404, "NOT_FOUND");
        caller.get("/fhir/Patient/ben").await.says(404, "NOT_FOUND");
        caller.get("/fhir/Observation?patient=ben&_summary=count").await.opened();
        caller.get(&format!("/fhir/Patient?identifier={NHS_NUMBER}|{BEN_NHS}")).await.opened();
        assert_eq!(caller.post("/fhir/Observation", &observation(BEN)).await.status, 422);
    }
    let lines = lines_of(&w, BEN).await;
    assert!(lines.is_empty(), "{lines:?}");
}

/// A question about oneself is told like those of others, with or without one's own name in it.
#[tokio::test]
async fn a_patients_own_app_is_in_their_log_with_what_it_asked() {
    let w = World::new().await;
    w.amina().caller().await.get("/fhir/Observation?code=x&_summary=count").await.opened();
    w.amina().caller().await.get("/fhir/Practitioner?name=x&_summary=count").await.opened();
    assert_eq!(told(&w, AMINA).await, [asked("count Observation?code")]);
}

#[tokio::test]
async fn no_value_of_a_question_is_in_a_line_nor_in_the_log() {
    let w = World::new().await;
    w.after(DAY);
    let okafor = w.dr_okafor().caller().await;
    okafor.get("/fhir/Condition?patient=amina&code=B20.9,zz.zz&_text=unspeakable&_summary=count").await;
    okafor.get("/fhir/Condition?patient=amina&code=B20.9&onset-date=gt2019-03-04&_summary=count").await.opened();
    okafor.get(&format!("/fhir/Observation?patient.identifier={NHS_NUMBER}|{AMINA_NHS}&_count=0")).await.opened();
    w.dr_silva().caller().await.get(&letter_path(AMINA)).await.says(404, "NOT_FOUND");
    let mut amina = w.amina().signs_in().await;
    let log = amina.sees("/access-log").await.html;
    let csv = amina.get("/access-log.csv").await.text();
    let json = amina.get("/access-log.json").await.text();
    for text in [&log, &csv, &json] {
        assert!(
            text.contains("Asked how many diagnoses and conditions there are of you, by code, onset-date, patient"),
            "{text}"
        );
        assert!(text.contains("only a number was given"), "{text}");
        assert!(text.contains("Tried to read letters of you and was refused"), "{text}");
        for value in ["B20.9", "zz.zz", "unspeakable", "2019-03-04", AMINA_NHS] {
            assert!(!text.contains(value), "{value} in {text}");
        }
    }
    assert!(csv.contains(r#","asked","#) && csv.contains(r#","refused","#), "{csv}");
}

/// What the table of `rules` says can come of each interaction does, and each that is served is in the table.
#[tokio::test]
async fn every_interaction_that_is_served_leaves_the_lines_that_the_table_says() {
    let w = World::new().await;
    let statement = w.dr_okafor().caller().await.get("/fhir/metadata").await.json();
    let rest = &statement["rest"][0];
    let resources = rest["resource"].as_array().unwrap();
    let codes = |of: &Value| -> Vec<String> {
        let listed = of["interaction"].as_array().into_iter().flatten();
        listed.filter_map(|one| one["code"].as_str()).map(String::from).collect()
    };
    let mut served: BTreeSet<String> = resources.iter().chain([rest]).flat_map(codes).collect();
    served.insert("operation".into());
    let listed: BTreeSet<String> = INTERACTIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(served, listed);
    for (interaction, outcomes) in INTERACTIONS {
        for outcome in outcomes {
            let before = lines_of(&w, AMINA).await.len();
            w.after(MINUTE);
            provoke(&w, interaction, *outcome).await;
            let lines = lines_of(&w, AMINA).await.split_off(before);
            assert!(lines.iter().any(|line| is_of(line, *outcome)), "{interaction} {outcome:?}: {lines:?}");
        }
    }
}

fn is_of(line: &NamedLine, outcome: Outcome) -> bool {
    let said = || line.detail.as_deref().and_then(Inquiry::read).map(|inquiry| inquiry.outcome);
    match outcome.noting() {
        Noting::Look => line.event == Event::Accessed,
        Noting::Question => line.event == Event::Asked && said() == Some(outcome),
        Noting::Refusal => line.event == Event::Refused && said() == Some(outcome),
    }
}

/// Makes a request of this interaction of which this comes for Amina.
async fn provoke(w: &World, interaction: &str, outcome: Outcome) {
    let (okafor, silva, system) = (w.dr_okafor().caller().await, w.dr_silva().caller().await, w.system().await);
    let reader = if outcome == Outcome::Shown || outcome == Outcome::Counted { &okafor } else { &silva };
    let item = letter_path(AMINA);
    let count = if outcome == Outcome::Counted { "&_summary=count" } else { "" };
    let mut sent = letter(AMINA);
    sent["identifier"] = json!([{ "value": "N-2" }]);
    sent.as_object_mut().unwrap().remove("id");
    let criteria = match outcome {
        Outcome::Withheld => "patient=amina&identifier=there-is-none",
        _ => "patient=amina&identifier=N-2",
    };
    let patch = json!([{ "op": "add", "path": "/description", "value": "x" }]);
    match (interaction, outcome) {
        ("read", _) => drop(reader.get(&item).await),
        ("vread", _) => drop(reader.get(&format!("{item}/_history/1")).await),
        ("history-instance", _) => drop(reader.get(&format!("{item}/_history")).await),
        ("history-type", _) => drop(reader.get("/fhir/DocumentReference/_history").await),
        ("history-system", _) => drop(reader.get("/fhir/_history").await),
        ("search-type", _) => drop(reader.get(&format!("/fhir/DocumentReference?patient=amina{count}")).await),
        ("search-system", _) => {
            reader.get(&format!("/fhir?_type=DocumentReference,Observation&patient=amina{count}")).await.opened();
        }
        ("create", Outcome::WriteRefused) => drop(silva.post("/fhir/Observation", &observation(AMINA)).await),
        ("create", _) => drop(creates_unless(&system, criteria, &sent).await),
        ("update", Outcome::WriteRefused) => {
            sent["id"] = json!(letter_of(AMINA).0);
            drop(okafor.put(&item, &sent).await);
        }
        ("update", _) => drop(system.put(&format!("/fhir/DocumentReference?{criteria}"), &sent).await),
        ("patch", Outcome::WriteRefused) => drop(okafor.patch(&item, JSON_PATCH, &patch).await),
        ("patch", _) => drop(system.patch(&format!("/fhir/DocumentReference?{criteria}"), JSON_PATCH, &patch).await),
        ("delete", Outcome::WriteRefused) => drop(silva.delete(&item).await),
        // What a transaction or a batch asks for afterwards is still there.
        ("delete", Outcome::Referred) => {
            sent["identifier"] = json!([{ "value": "to-delete" }]);
            system.makes(&sent).await;
            assert_eq!(system.delete("/fhir/DocumentReference?identifier=to-delete").await.status, 204);
        }
        ("delete", _) => drop(system.delete(&format!("/fhir/DocumentReference?{criteria}")).await),
        ("batch" | "transaction", _) => {
            let read = |url: String| json!({ "request": { "method": "GET", "url": url } });
            let (caller, entry) = match outcome {
                Outcome::Shown => (&okafor, read(item.replace("/fhir/", ""))),
                Outcome::Counted => (&okafor, read("DocumentReference?patient=amina&_summary=count".into())),
                Outcome::Withheld => (&silva, read("DocumentReference?patient=amina".into())),
                Outcome::ReadRefused => (&silva, read(item.replace("/fhir/", ""))),
                Outcome::Referred => {
                    let request =
                        json!({ "method": "POST", "url": "DocumentReference", "ifNoneExist": "identifier=N-3" });
                    (&system, json!({ "resource": sent, "request": request }))
                }
                Outcome::WriteRefused => {
                    (&silva, json!({ "request": { "method": "DELETE", "url": item.replace("/fhir/", "") } }))
                }
            };
            let bundle = json!({ "resourceType": "Bundle", "type": interaction, "entry": [entry] });
            caller.post("/fhir", &bundle).await;
        }
        ("operation", Outcome::Withheld) => {
            let patient =
                json!({ "resourceType": "Patient", "identifier": [{ "system": NHS_NUMBER, "value": AMINA_NHS }] });
            let parameter = json!([{ "name": "resource", "resource": patient }]);
            let asked = json!({ "resourceType": "Parameters", "parameter": parameter });
            silva.post("/fhir/Patient/$match", &asked).await.opened();
        }
        ("operation", _) => drop(reader.get("/fhir/Patient/amina/$everything").await),
        (other, _) => panic!("{other} is not tried here"),
    }
}
