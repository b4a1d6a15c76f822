//! By which right a record was seen: in the ledger's lines, and on the page of the patient concerned.

use crate::kit::records::{AMINA, import, letter};
use crate::kit::{RIVERSIDE, World};
use serde_json::json;
use service::app::access_writer;
use store::ledger::{LedgerPosition, NamedLine};

/// Every access is a line that says by which right; the patient still reads all of them.
// gaps: Records and reach > Why an item was seen
#[tokio::test]
async fn the_line_of_an_access_says_by_which_right_it_was() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let own = okafor.creates(&letter(AMINA)).await;
    for path in [&own, &format!("{own}/_history/1"), &format!("{own}/_history")] {
        okafor.get(path).await.opened();
    }
    okafor.get("/fhir/Binary/letter-text-amina").await.opened();
    okafor.get("/fhir/Patient?_id=amina").await.opened();
    w.amina().caller().await.get("/fhir/DocumentReference/note").await.opened();
    w.system().await.get("/fhir/DocumentReference/note").await.opened();
    let told = lines(&w).await;
    let own = own.trim_start_matches("/fhir/");
    for line in [
        "team consent Patient".into(),
        format!("team source {own}"),
        "team consent Binary/letter-text-amina".into(),
        "own self DocumentReference/note".into(),
        "organisation source DocumentReference/note".into(),
    ] {
        assert!(told.contains(&line), "{line} in {told:?}");
    }
    assert_eq!(told.len(), 5, "{told:?}");
    let log = w.amina().signs_in().await.sees("/access-log").await;
    for told in
        ["Ward Round", "Opened the details of a letter, 3 times", "Opened a letter", "for Riverside", "Sleep Diary"]
    {
        assert!(log.html.contains(told), "{told} in {}", log.html);
    }
}

/// A document of two patients that somebody opened is told to both of them.
// gaps: Records and reach > Compartments
#[tokio::test]
async fn an_access_to_what_is_of_two_patients_is_told_to_both() {
    let w = World::new().await;
    let mut both =
        crate::kit::records::document("both", AMINA, "B-1", json!({ "contentType": "text/plain", "data": "SGk=" }));
    both["author"] = json!([{ "reference": "Patient/ben" }]);
    import(&w.app.store, RIVERSIDE, &[both], w.now()).await;
    let henry = w.henry().caller().await;
    henry.get("/fhir/DocumentReference/both").await.opened();
    henry.get("/fhir/DocumentReference/both/_history/1").await.opened();
    for person in [w.amina(), w.ben()] {
        let log = person.signs_in().await.sees("/access-log").await;
        assert!(log.html.contains("Opened the details of a letter, 2 times"), "{}", log.html);
        assert!(log.html.contains("Hillside Practice"), "{}", log.html);
    }
}

/// Who saw, by which right, what: the lines about Amina that tell of an access, each once.
async fn lines(w: &World) -> Vec<String> {
    access_writer::flush(&w.app).await;
    let home = store::organisations::find(&w.app.store, RIVERSIDE).await.unwrap().unwrap();
    let by = store::people::find(&w.app.store, "amina@example.org").await.unwrap().unwrap();
    let amina = store::patients::find(&w.app.store, AMINA).await.unwrap().unwrap();
    let all = store::ledger::of_patient(&w.app.store, amina, by.id, LedgerPosition::NEWEST, 1000).await.unwrap();
    let accesses = all.iter().filter(|line| line.event == store::ledger::Event::Accessed);
    let who = |line: &NamedLine| match (&line.organisation, &line.team) {
        (Some(name), _) => {
            assert_eq!(*name, home.name);
            "organisation"
        }
        (None, Some(_)) => "team",
        (None, None) => "own",
    };
    let line =
        |line: &NamedLine| format!("{} {} {}", who(line), line.right.unwrap().word(), line.detail.as_deref().unwrap());
    let mut lines: Vec<String> = accesses.map(line).collect();
    lines.sort();
    lines.dedup();
    lines
}
