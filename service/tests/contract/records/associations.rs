//! Who has to do with a patient: by registration, or by having made something about them.

use crate::kit::records::{AMINA, BEN, document, import, letter, letter_of};
use crate::kit::{HILLSIDE, HILLSIDE_TEAM, RIVERSIDE_TEAM, SLEEP_TEAM, World};
use serde_json::json;

const AMINA_PATH: &str = "/fhir/Patient/amina";
const BEN_PATH: &str = "/fhir/Patient/ben";

/// What a team made stays its own, with the Patient resource, after the patient has left; the rest of the record closes.
// gaps: Records and reach > Association of a team
#[tokio::test]
async fn a_team_keeps_what_it_made_and_the_patient_after_the_patient_has_left_it() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let own = okafor.creates(&letter(AMINA)).await;
    let by_patient = w.amina().caller().await.creates(&letter(AMINA)).await;
    let imported = format!("/fhir/DocumentReference/{}", letter_of(AMINA).0);
    let content = format!("/fhir/Binary/{}", letter_of(AMINA).1);
    for path in [&own, &by_patient, &imported, &content, AMINA_PATH] {
        assert_eq!(okafor.status(path).await, 200, "{path}");
    }
    w.amina().is_of(&[SLEEP_TEAM]).await;
    for path in [&own, AMINA_PATH] {
        assert_eq!(okafor.status(path).await, 200, "{path}");
    }
    assert_eq!(okafor.get("/fhir/Patient?_id=amina").await.found(), [AMINA]);
    for path in [&by_patient, &imported, &content] {
        okafor.get(path).await.says(404, "NOT_FOUND");
    }
    let silva = w.dr_silva().caller().await;
    for path in [&own, &by_patient, &imported, &content, AMINA_PATH] {
        assert_eq!(silva.status(path).await, 200, "{path}, to the team that the patient is registered with now");
    }
    w.amina().is_of(&[RIVERSIDE_TEAM]).await;
    assert_eq!(okafor.status(&by_patient).await, 200, "registered again");
    assert_eq!(silva.status(AMINA_PATH).await, 200, "whom a team had in its care it knows");
    silva.get(&by_patient).await.says(404, "NOT_FOUND");
}

/// A team that made nothing about a patient keeps the Patient resource once they have left, and may add nothing.
// gaps: Records and reach > Association of a team
#[tokio::test]
async fn a_team_that_made_nothing_keeps_the_patient_resource_and_adds_nothing() {
    let w = World::new().await;
    let callers = [w.dr_okafor().caller().await, w.grace().caller().await, w.site().await];
    let imported = format!("/fhir/DocumentReference/{}", letter_of(AMINA).0);
    w.amina().is_of(&[]).await;
    for caller in callers {
        assert_eq!(caller.status(AMINA_PATH).await, 200);
        assert_eq!(caller.get(AMINA_PATH).await.header("record-view"), Some("own"));
        caller.get(&imported).await.says(404, "NOT_FOUND");
    }
    w.dr_okafor().caller().await.post("/fhir/DocumentReference", &letter(AMINA)).await.says(403, "NO_CONSENT");
}

/// An organisation sees the Patient of a team's patient and may write about them; of the rest, what is its own.
// gaps: Records and reach > Association of an organisation
// gaps: Records and reach > Writing about a patient
#[tokio::test]
async fn an_organisation_sees_its_teams_patient_and_sends_them_a_letter() {
    let w = World::new().await;
    let lab = w.system().await;
    lab.get(BEN_PATH).await.says(404, "NOT_FOUND");
    lab.post("/fhir/DocumentReference", &letter(BEN)).await.says(422, "UNPROCESSABLE");
    w.ben().is_of(&[HILLSIDE_TEAM, SLEEP_TEAM]).await;
    assert_eq!(lab.status(BEN_PATH).await, 200);
    assert_eq!(lab.get("/fhir/Patient?_id=ben").await.found(), [BEN]);
    let (document, binary) = letter_of(BEN);
    for path in [format!("/fhir/DocumentReference/{document}"), format!("/fhir/Binary/{binary}")] {
        lab.get(&path).await.says(404, "NOT_FOUND");
        assert_eq!(w.dr_silva().caller().await.status(&path).await, 200, "{path}, to the team itself");
    }
    let sent = lab.creates(&letter(BEN)).await;
    for caller in [&lab, &w.ben().caller().await, &w.dr_silva().caller().await] {
        assert_eq!(caller.status(&sent).await, 200);
    }
    w.system_for_hillside().await.get(&sent).await.says(404, "NOT_FOUND");
    w.ben().is_of(&[HILLSIDE_TEAM]).await;
    for path in [BEN_PATH, &sent] {
        assert_eq!(lab.status(path).await, 200, "{path}: it has made something about him");
    }
    lab.creates(&letter(BEN)).await;
}

/// What a team or an organisation made about somebody who is no patient of a sister team is not the sister's.
// gaps: Records and reach > Association of an organisation
#[tokio::test]
async fn a_sister_team_sees_neither_what_the_team_nor_what_the_organisation_made() {
    let w = World::new().await;
    let by_team = w.dr_okafor().caller().await.creates(&letter(AMINA)).await;
    let by_feed = w.system().await.creates(&letter(AMINA)).await;
    let silva = w.dr_silva().caller().await;
    let imported = format!("/fhir/DocumentReference/{}", letter_of(AMINA).0);
    for path in [&by_team, &by_feed, &imported, AMINA_PATH] {
        silva.get(path).await.says(404, "NOT_FOUND");
    }
    for path in [&by_team, &by_feed] {
        assert_eq!(w.system().await.status(path).await, 200, "an organisation sees what its teams made");
    }
}

/// Whoever writes about two patients must be allowed to write about each; other references may point anywhere.
// gaps: Records and reach > Writing about a patient
#[tokio::test]
async fn every_patient_that_a_letter_names_must_be_the_writers() {
    let w = World::new().await;
    let mut both = letter(AMINA);
    both["author"] = json!([{ "reference": "Patient/ben" }]);
    for writer in [w.system().await, w.dr_okafor().caller().await, w.amina().caller().await] {
        let words = writer.post("/fhir/DocumentReference", &both).await.words(422, "UNPROCESSABLE");
        assert!(words.contains("Patient/ben"), "{words}");
        let mut unknown = both.clone();
        unknown["author"] = json!([{ "reference": "Patient/nobody" }]);
        let same = writer.post("/fhir/DocumentReference", &unknown).await.words(422, "UNPROCESSABLE");
        assert_eq!(same.replace("nobody", "ben"), words, "whether there is such a patient is not told");
    }
    w.ben().is_of(&[RIVERSIDE_TEAM, HILLSIDE_TEAM]).await;
    let made = w.dr_okafor().caller().await.creates(&both).await;
    for reader in [w.amina().caller().await, w.ben().caller().await] {
        assert_eq!(reader.status(&made).await, 200);
    }
    let mut about = letter(AMINA);
    about["relatesTo"] = json!([{ "code": "appends", "target": { "reference": "DocumentReference/not-there-yet" } }]);
    w.dr_okafor().caller().await.creates(&about).await;
}

/// A patient whose Patient resource is not there yet is written about by nobody, and sees what is imported for them.
// gaps: Records and reach > Writing about a patient
#[tokio::test]
async fn a_patient_without_a_patient_resource_is_written_about_by_nobody() {
    let w = World::new().await;
    w.ben().is_somebody_else("unborn").await;
    import(
        &w.app.store,
        HILLSIDE,
        &[document("early", "unborn", "E-1", json!({ "contentType": "text/plain", "data": "SGk=" }))],
        w.now(),
    )
    .await;
    let ben = w.ben().caller().await;
    assert_eq!(ben.status("/fhir/DocumentReference/early").await, 200);
    assert_eq!(ben.status("/fhir/DocumentReference/letter-ben").await, 404, "that was the other's");
    assert_eq!(ben.status("/fhir/Patient/unborn").await, 404);
    assert!(ben.get("/fhir/Patient").await.found().is_empty());
    assert_eq!(ben.get("/json/users/self").await.opened().json()["id"], "unborn");
    ben.post("/fhir/DocumentReference", &letter("unborn")).await.says(422, "UNPROCESSABLE");
    w.system_for_hillside().await.post("/fhir/DocumentReference", &letter("unborn")).await.says(422, "UNPROCESSABLE");
}

/// A patient's account that has lost its patient sees nobody's record, and hears so in ordinary words.
// gaps: Records and reach > Writing about a patient
#[tokio::test]
async fn a_patients_account_without_a_patient_reaches_nothing() {
    let w = World::new().await;
    let own = w.ben().caller().await.creates(&letter(BEN)).await;
    w.ben().is_nobody().await;
    let (ben, mut browser) = (w.ben().caller().await, w.ben().signs_in().await);
    for path in [BEN_PATH, &own, "/fhir/DocumentReference/letter-ben/_history", "/fhir/Binary/letter-text-ben"] {
        ben.get(path).await.says(404, "NOT_FOUND");
    }
    assert!(ben.get("/fhir/Patient").await.found().is_empty());
    assert!(ben.get("/fhir/Patient?_id=ben").await.found().is_empty());
    ben.post("/fhir/DocumentReference", &letter(BEN)).await.says(422, "UNPROCESSABLE");
    ben.get("/json/users/self").await.opened();
    browser.get("/access-log").await.error_page(403);
}

/// A user without any team sees and writes nothing, and is told so like everybody else.
// gaps: Records and reach > A user with several teams
#[tokio::test]
async fn a_user_without_a_team_reaches_nothing() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let own = okafor.creates(&letter(AMINA)).await;
    w.dr_okafor().is_of(&[]).await;
    for path in [&own, AMINA_PATH, &format!("{own}/_history"), &format!("{own}/_history/1")] {
        okafor.get(path).await.says(404, "NOT_FOUND");
    }
    okafor.post("/fhir/DocumentReference", &letter(AMINA)).await.says(400, "BAD_REQUEST");
    assert_eq!(okafor.get("/json/users/self").await.opened().json()["teamName"], serde_json::Value::Null);
}
