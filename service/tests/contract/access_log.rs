//! The access log in words: by day and app, with person, team, letter and right; read receipts; and the whole of it as a file.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, AMINA_LETTER_UUID, import, letter_of};
use crate::kit::{DAY, HOUR, RIVERSIDE, World};
use serde_json::{Value, json};
use service::formats::zone::Zone;

/// Asks whether these documents were read.
async fn asks_about(caller: &Caller<'_>, identifiers: &[&str]) {
    let about = |identifier: &&str| json!({ "name": "documentIdentifier", "valueString": identifier });
    let query = json!({ "resourceType": "Parameters", "parameter": identifiers.iter().map(about).collect::<Vec<_>>() });
    caller.post("/fhir/DocumentReference/$read-receipt-query", &query).await.opened();
}

/// The lines under one day and one app.
fn under<'a>(html: &'a str, day: &str, app: &str) -> &'a str {
    let (_, of_day) =
        html.split_once(&format!("<time datetime=\"{day}\">")).unwrap_or_else(|| panic!("no {day}: {html}"));
    let of_day = of_day.split("</section>").next().unwrap();
    let (_, of_app) = of_day.split_once(&format!("<h3>{app}")).unwrap_or_else(|| panic!("no {app}: {of_day}"));
    of_app.split("<h3>").next().unwrap()
}

/// App, person, team, letter, right: each line says all that is known, under its day and its app.
// gaps: Pages > Access log
#[tokio::test]
async fn the_log_is_grouped_by_day_and_app_and_names_everybody() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    okafor.get(&format!("/fhir/Patient/{AMINA}")).await.opened();
    let amina = w.amina().caller().await;
    amina.get(&format!("/fhir/Binary/{}", letter_of(AMINA).1)).await.opened();
    w.after(DAY);
    w.system().await.get(&format!("/fhir/Patient/{AMINA}")).await.opened();
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    let round = under(&log, "2026-11-15", "Ward Round by");
    for told in [
        "Opened your personal details",
        "for Dr Okafor, Riverside Diabetes Team",
        "because you share it with Riverside Diabetes Team",
        "09:30 UTC",
    ] {
        assert!(round.contains(told), "{told} in {round}");
    }
    let diary = under(&log, "2026-11-15", "Sleep Diary by");
    assert!(
        diary.contains("Opened a letter “Clinic letter”, for you") && diary.contains("with your own account"),
        "{diary}"
    );
    assert!(
        under(&log, "2026-11-15", "Your account").contains("A letter “Clinic letter” was opened for the first time")
    );
    assert!(under(&log, "2026-11-16", "Lab Link by").contains("for Riverside"));
    assert!(log.find("2026-11-16").unwrap() < log.find("2026-11-15").unwrap(), "newest first");
}

/// The moment of an access orders the page, not the order in which lines were written.
// gaps: Pages > Access log
#[tokio::test]
async fn an_access_stands_before_the_revocation_that_came_after_it() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    w.calls_fhir_with(&first.access).await.opened();
    w.after(60);
    app.refresh(&first).await.granted();
    app.refresh(&first).await.refused("invalid_grant");
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    let (ended, opened) = (log.find("The access was ended").unwrap(), log.find("Opened your personal").unwrap());
    assert!(ended < opened, "newest first: {log}");
    assert!(log.contains("An old key of this app was used again, so we closed its access; it may have been copied."));
}

/// A question whether a letter was read is told to the patient whose letter it is.
// gaps: Pages > Access log
#[tokio::test]
async fn a_read_receipt_query_is_in_the_log_of_the_patient_concerned() {
    let w = World::new().await;
    let lab = w.system().await;
    asks_about(&lab, &[AMINA_LETTER_UUID, "nobody's"]).await;
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    let told = under(&log, "2026-11-15", "Lab Link by");
    assert!(told.contains("Asked whether you have read a letter, for Riverside"), "{told}");
    assert!(!w.ben().signs_in().await.sees("/access-log").await.html.contains("Asked whether"));
}

/// A document in two records is asked about in both.
#[tokio::test]
async fn a_read_receipt_query_about_a_letter_of_two_patients_is_told_to_both() {
    let w = World::new().await;
    let mut both =
        crate::kit::records::document("both", AMINA, "B-1", json!({ "contentType": "text/plain", "data": "SGk=" }));
    both["author"] = json!([{ "reference": "Patient/ben" }]);
    import(&w.app.store, RIVERSIDE, &[both], w.now()).await;
    asks_about(&w.system().await, &["B-1"]).await;
    for person in [w.amina(), w.ben()] {
        let log = person.signs_in().await.sees("/access-log").await.html;
        assert!(log.contains("Asked whether you have read a letter"), "{log}");
    }
}

/// A day begins at midnight of the service's zone.
// gaps: Pages > Times
#[tokio::test]
async fn the_log_counts_days_in_the_services_zone() {
    let w = World::with(|settings| settings.time_zone = Zone::named("Pacific/Auckland").unwrap()).await;
    w.after(2 * HOUR);
    w.dr_okafor().caller().await.get(&format!("/fhir/Patient/{AMINA}")).await.opened();
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    assert!(under(&log, "2026-11-16", "Ward Round by").contains("00:30 NZDT"), "{log}");
}

/// The whole log as a table and for programs: every line, however many pages that is.
// gaps: Pages > Access log as a file
#[tokio::test]
async fn the_whole_log_can_be_downloaded() {
    let w = World::new().await;
    let (_, diary) = w.amina().approves("Sleep Diary").await;
    for _ in 0..60 {
        w.after(6);
        w.calls_fhir_with(&diary.access).await.opened();
        service::app::access_writer::flush(&w.app).await;
    }
    let mut amina = w.amina().signs_in().await;
    let table = amina.get("/access-log.csv").await;
    assert_eq!(table.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(table.header("content-disposition"), Some("attachment; filename=\"access-log.csv\""));
    assert_eq!(table.header("cache-control"), Some("no-store"));
    let text = table.text();
    assert_eq!(text.matches("Opened your personal details").count(), 60, "{text}");
    assert!(text.starts_with("\"moment\",\"app\",\"person\""), "{text}");
    let programs = amina.get("/access-log.json").await;
    let all: Vec<Value> = serde_json::from_str(&programs.text()).unwrap();
    assert_eq!(all.len(), text.lines().count() - 1);
    assert!(all.iter().any(|line| line["right"] == "self" && line["app"] == "Sleep Diary"), "{all:?}");
    assert!(all.windows(2).all(|two| two[0]["moment"].as_str() >= two[1]["moment"].as_str()), "newest first");
    w.grace().signs_in().await.get("/access-log.csv").await.error_page(403);
}

/// A name that a spreadsheet would work out is words in the file.
// gaps: Pages > Access log as a file
#[tokio::test]
async fn no_cell_of_the_file_is_a_formula() {
    let w = World::new().await;
    w.change("Sleep Diary", |client| client.product = "=HYPERLINK(\"http://evil.example\")".into()).await;
    w.amina().approves("Sleep Diary").await;
    let text = w.amina().signs_in().await.get("/access-log.csv").await.text();
    assert!(text.contains("\"'=HYPERLINK(\"\"http"), "{text}");
    assert!(!text.contains(",\"=") && !text.contains("\n\"="), "{text}");
}
