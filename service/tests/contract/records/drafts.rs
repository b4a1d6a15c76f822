//! Drafts, private messages and those who take part in a conversation: for whom an item is, whatever its label says.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN};
use crate::kit::{RIVERSIDE_TEAM, SLEEP_TEAM, World};
use serde_json::{Value, json};

const OF_AMINA: &str = "/fhir/Communication?patient=amina&_total=accurate";

/// A message about Amina to these.
fn message(status: &str, recipients: &[&str]) -> Value {
    let recipients: Vec<Value> = recipients.iter().map(|one| json!({ "reference": one })).collect();
    let mut message = json!({ "resourceType": "Communication", "status": status,
        "subject": { "reference": format!("Patient/{AMINA}") },
        "payload": [{ "contentString": "The new mask leaks." }] });
    if !recipients.is_empty() {
        message["recipient"] = recipients.into();
    }
    message
}

fn private(message: Value) -> Value {
    let mut message = message;
    message["extension"] = json!([{ "url": "urn:recordgate:private", "valueBoolean": true }]);
    message
}

/// What is there under a path that a create answered, with its id.
async fn stored(caller: &Caller<'_>, path: &str) -> Value {
    caller.get(path).await.opened().json()
}

async fn versions(caller: &Caller<'_>, path: &str) -> usize {
    caller.get(path).await.opened().json()["entry"].as_array().map_or(0, Vec::len)
}

async fn found(caller: &Caller<'_>, path: &str) -> usize {
    caller.get(path).await.opened().found().len()
}

// gaps: Records and reach > Drafts
#[tokio::test]
async fn a_draft_is_there_for_the_person_who_wrote_it_and_for_nobody_else_until_it_is_sent() {
    let w = World::new().await;
    w.dr_silva().is_of(&[RIVERSIDE_TEAM]).await;
    let (amina, okafor, colleague) =
        (w.amina().caller().await, w.dr_okafor().caller().await, w.dr_silva().caller().await);
    let (site, system) = (w.site().await, w.system().await);
    let before = amina.get(OF_AMINA).await;
    let path = okafor.makes(&message("preparation", &[&format!("Patient/{AMINA}")])).await;
    let draft = stored(&okafor, &path).await;
    for other in [&amina, &colleague, &site, &system] {
        assert_eq!(other.status(&path).await, 404);
        assert_eq!(other.status(&format!("{path}/_history/1")).await, 404);
        assert_eq!(other.status(&format!("{path}/_history")).await, 404);
        assert_eq!(other.put(&path, &draft).await.status, 404);
    }
    let after = amina.get(OF_AMINA).await;
    assert_eq!(after.json()["entry"], before.json()["entry"]);
    assert_eq!(after.json()["total"], before.json()["total"]);
    assert_eq!(versions(&amina, "/fhir/Communication/_history").await, 0);
    assert_eq!((found(&okafor, OF_AMINA).await, found(&colleague, OF_AMINA).await), (1, 0));
    assert_eq!(found(&okafor, OF_AMINA).await, 1, "from memory, too");
    let mut sent = draft.clone();
    sent["status"] = json!("completed");
    sent["payload"][0]["contentString"] = json!("Please come.");
    assert_eq!(okafor.put(&path, &sent).await.status, 200);
    for other in [&amina, &colleague, &site, &system, &okafor] {
        assert_eq!(stored(other, &path).await["payload"][0]["contentString"], "Please come.");
    }
    for other in [&amina, &colleague, &site, &system] {
        assert_eq!(other.status(&format!("{path}/_history/1")).await, 404, "how it was drafted stays its author's");
        assert_eq!(versions(other, &format!("{path}/_history")).await, 1);
    }
    assert_eq!(okafor.status(&format!("{path}/_history/1")).await, 200);
}

#[tokio::test]
async fn a_draft_without_a_person_behind_it_is_its_teams_and_a_patients_is_the_patients() {
    let w = World::new().await;
    let (amina, okafor, site) = (w.amina().caller().await, w.dr_okafor().caller().await, w.site().await);
    let by_site = site.makes(&message("preparation", &[])).await;
    assert_eq!((okafor.status(&by_site).await, amina.status(&by_site).await), (200, 404));
    let by_amina = amina.makes(&message("preparation", &[&format!("Organization/{RIVERSIDE_TEAM}")])).await;
    assert_eq!((okafor.status(&by_amina).await, amina.status(&by_amina).await), (404, 200));
    assert_eq!(amina.delete(&by_amina).await.status, 204);
    assert_eq!((okafor.status(&by_amina).await, amina.status(&by_amina).await), (404, 410));
}

#[tokio::test]
async fn a_plan_in_draft_is_its_authors_too() {
    let w = World::new().await;
    let (amina, okafor) = (w.amina().caller().await, w.dr_okafor().caller().await);
    let plan = |status: &str| {
        json!({ "resourceType": "CarePlan", "status": status, "intent": "plan", "title": "Sleep",
            "subject": { "reference": format!("Patient/{AMINA}") } })
    };
    let path = okafor.makes(&plan("draft")).await;
    assert_eq!((amina.status(&path).await, okafor.status(&path).await), (404, 200));
    let mut active = stored(&okafor, &path).await;
    active["status"] = json!("active");
    assert_eq!(okafor.put(&path, &active).await.status, 200);
    assert_eq!(amina.status(&path).await, 200);
}

// gaps: Records and reach > Messages that were sent
#[tokio::test]
async fn a_message_that_was_sent_is_changed_and_deleted_by_nobody() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let path = amina.makes(&message("completed", &[&format!("Organization/{RIVERSIDE_TEAM}")])).await;
    let sent = stored(&amina, &path).await;
    let mut changed = sent.clone();
    changed["payload"][0]["contentString"] = json!("I never said so.");
    amina.put(&path, &changed).await.says(409, "CONFLICT");
    let mut withdrawn = sent.clone();
    withdrawn["status"] = json!("preparation");
    amina.put(&path, &withdrawn).await.says(409, "CONFLICT");
    amina.delete(&path).await.says(409, "CONFLICT");
    let transaction = json!({ "resourceType": "Bundle", "type": "transaction", "entry": [
        { "request": { "method": "DELETE", "url": path.trim_start_matches("/fhir/") } },
        { "resource": message("completed", &[]), "request": { "method": "POST", "url": "Communication" } }] });
    amina.post("/fhir", &transaction).await.says(409, "CONFLICT");
    assert_eq!(amina.put(&path, &sent).await.status, 200, "the same again changes nothing");
    assert_eq!(stored(&amina, &path).await["meta"]["versionId"], "1");
}

// gaps: Records and reach > Conversations
// gaps: Records and reach > Private messages
#[tokio::test]
async fn who_takes_part_reads_a_message_whatever_the_patient_has_opened_and_of_a_private_one_nobody_else_does() {
    let w = World::new().await;
    let (amina, okafor, silva) = (w.amina().caller().await, w.dr_okafor().caller().await, w.dr_silva().caller().await);
    let to_sleep = amina.makes(&message("completed", &[&format!("Organization/{SLEEP_TEAM}")])).await;
    assert_eq!(silva.status(&to_sleep).await, 200, "the team has no consent, and takes part");
    assert_eq!(okafor.status(&to_sleep).await, 200, "the consent opens it");
    let secret = amina.makes(&private(message("completed", &[&format!("Organization/{SLEEP_TEAM}")]))).await;
    assert_eq!((silva.status(&secret).await, okafor.status(&secret).await), (200, 404));
    let by_okafor = okafor.makes(&private(message("completed", &[&format!("Organization/{SLEEP_TEAM}")]))).await;
    assert_eq!(
        (okafor.status(&by_okafor).await, silva.status(&by_okafor).await, amina.status(&by_okafor).await),
        (404, 200, 200)
    );
    let ben = w.ben().caller().await;
    assert_eq!(
        (ben.status(&secret).await, ben.status(&format!("/fhir/Communication?patient={BEN}")).await),
        (404, 200)
    );
    let odd = json!({ "url": "urn:recordgate:private", "valueString": "yes" });
    let mut unclear = message("completed", &[]);
    unclear["extension"] = json!([odd]);
    assert_eq!(amina.post("/fhir/Communication", &unclear).await.status, 422);
}
