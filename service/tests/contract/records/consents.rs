//! Consents: what a patient opens label by label, through FHIR, and what follows at the very next call.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN, observation};
use crate::kit::{HILLSIDE_TEAM, RIVERSIDE_TEAM, SLEEP_TEAM, World};
use serde_json::{Value, json};

const LABELS: &str = "urn:recordgate:privacy-label";
const ALL: [&str; 4] = ["GENERAL_HEALTH", "MENTAL_HEALTH", "SEXUAL_HEALTH", "SOCIAL_CARE"];

/// A Consent of a patient that gives a team these labels.
fn consent(patient: &str, team: &str, labels: &[&str]) -> Value {
    let coded = |system: &str, code: &str| json!({ "coding": [{ "system": system, "code": code }] });
    let terms = "http://terminology.hl7.org/CodeSystem";
    let actor = json!([{ "role": coded(&format!("{terms}/v3-ParticipationType"), "PRCP"),
        "reference": { "reference": format!("Organization/{team}") } }]);
    let permits: Vec<Value> = labels
        .iter()
        .map(|label| {
            json!({ "type": "permit", "actor": actor, "action": [coded(&format!("{terms}/consentaction"), "access")],
                "securityLabel": [{ "system": LABELS, "code": label }] })
        })
        .collect();
    let mut provision = json!({ "type": "deny", "actor": actor });
    if !permits.is_empty() {
        provision["provision"] = permits.into();
    }
    json!({
        "resourceType": "Consent", "status": "active",
        "scope": coded(&format!("{terms}/consentscope"), "patient-privacy"),
        "category": [coded("http://loinc.org", "59284-0")],
        "patient": { "reference": format!("Patient/{patient}") },
        "policyRule": coded(&format!("{terms}/v3-ActCode"), "OPTOUTE"),
        "provision": provision,
    })
}

/// The same with the basis of whoever attests it.
fn attested(consent: Value, basis: &str, reason: &str) -> Value {
    let mut consent = consent;
    consent["extension"] = json!([{ "url": "urn:recordgate:consent-basis", "valueCodeableConcept": { "coding": [
        { "system": "urn:recordgate:consent-basis", "code": basis },
        { "system": "urn:recordgate:consent-reason", "code": reason } ] } }]);
    consent
}

fn labelled(resource: Value, label: &str) -> Value {
    let mut resource = resource;
    resource["meta"] = json!({ "security": [{ "system": LABELS, "code": label }] });
    resource
}

/// Amina's own observations: general, mental, and one without a label.
async fn observations(amina: &Caller<'_>) -> [String; 3] {
    [
        amina.makes(&labelled(observation(AMINA), "GENERAL_HEALTH")).await,
        amina.makes(&labelled(observation(AMINA), "MENTAL_HEALTH")).await,
        amina.makes(&sensitive(observation(AMINA))).await,
    ]
}

/// The patient gives a team these labels.
pub async fn gives(patient: &Caller<'_>, team: &str, labels: &[&str]) {
    let given = patient.post("/fhir/Consent", &consent(AMINA, team, labels)).await;
    assert!([200, 201].contains(&given.status), "{}", given.text());
}

/// The same with a sensitivity that no label stands for: it has none.
fn sensitive(resource: Value) -> Value {
    let mut resource = resource;
    let restricted = "http://terminology.hl7.org/CodeSystem/v3-Confidentiality";
    resource["meta"] = json!({ "security": [{ "system": restricted, "code": "R" }] });
    resource
}

async fn statuses(caller: &Caller<'_>, paths: &[String]) -> Vec<u16> {
    let mut all = Vec::new();
    for path in paths {
        all.push(caller.status(path).await);
    }
    all
}

const OF_AMINA: &str = "/fhir/Observation?patient=amina&_total=accurate";

// gaps: Records and reach > Consents: made when they change
// gaps: Records and reach > A registration
#[tokio::test]
async fn a_team_sees_the_labels_that_the_patient_gives_it_from_the_very_next_call_on() {
    let w = World::new().await;
    let (amina, okafor) = (w.amina().caller().await, w.dr_okafor().caller().await);
    let items = observations(&amina).await;
    assert_eq!(statuses(&okafor, &items).await, [200, 200, 200], "a registration opens all");
    let given = amina.post("/fhir/Consent", &consent(AMINA, RIVERSIDE_TEAM, &["GENERAL_HEALTH"])).await;
    assert_eq!(given.status, 200, "there was one, by registration: {}", given.text());
    assert_eq!(statuses(&okafor, &items).await, [200, 404, 404]);
    let found = okafor.get(OF_AMINA).await;
    assert_eq!((found.found().len(), &found.json()["total"]), (1, &json!(1)));
    assert_eq!(found.header("record-view"), Some(r#"consent; labels="GENERAL_HEALTH""#));
    assert_eq!(amina.get(OF_AMINA).await.header("record-view"), Some("self"));
    amina.post("/fhir/Consent", &consent(AMINA, RIVERSIDE_TEAM, &ALL)).await;
    assert_eq!(statuses(&okafor, &items).await, [200, 200, 200]);
}

#[tokio::test]
async fn a_team_without_a_label_keeps_its_own_and_adds_nothing_until_somebody_consents_explicitly() {
    let w = World::new().await;
    let (amina, okafor, grace) = (w.amina().caller().await, w.dr_okafor().caller().await, w.grace().caller().await);
    let own = okafor.makes(&labelled(observation(AMINA), "MENTAL_HEALTH")).await;
    let items = observations(&amina).await;
    amina.post("/fhir/Consent", &consent(AMINA, RIVERSIDE_TEAM, &[])).await;
    assert_eq!(statuses(&okafor, &items).await, [404, 404, 404]);
    let seen = okafor.get(&own).await;
    assert_eq!((seen.status, seen.header("record-view")), (200, Some("own")));
    okafor.post("/fhir/Observation", &observation(AMINA)).await.says(403, "NO_CONSENT");
    let implied = attested(consent(AMINA, RIVERSIDE_TEAM, &["GENERAL_HEALTH"]), "IMPLIED", "IN_TREATMENT");
    grace.post("/fhir/Consent", &implied).await.says(403, "NO_CONSENT");
    let explicit = attested(consent(AMINA, RIVERSIDE_TEAM, &["GENERAL_HEALTH"]), "EXPLICIT", "PATIENT_CONSENTED");
    assert_eq!(okafor.post("/fhir/Consent", &explicit).await.status, 200);
    assert_eq!(statuses(&okafor, &items).await, [200, 404, 404]);
    okafor.makes(&observation(AMINA)).await;
}

// gaps: Records and reach > Consents: what is served
#[tokio::test]
async fn a_new_grantee_gets_a_consent_of_its_own_whose_id_both_see() {
    let w = World::new().await;
    let (amina, silva) = (w.amina().caller().await, w.dr_silva().caller().await);
    let given = amina.post("/fhir/Consent", &consent(AMINA, SLEEP_TEAM, &["SOCIAL_CARE"])).await;
    assert_eq!(given.status, 201, "{}", given.text());
    let (id, body) = (given.json()["id"].as_str().unwrap().to_owned(), given.json());
    assert_eq!(body["provision"]["provision"].as_array().unwrap().len(), 1);
    let path = format!("/fhir/Consent/{id}");
    assert_eq!(silva.status(&path).await, 200, "the grantee sees its own");
    w.dr_okafor().caller().await.get(&path).await.json();
    assert_eq!(w.ben().caller().await.status(&path).await, 404);
    assert_eq!(silva.get("/fhir/Patient/amina").await.header("record-view"), Some(r#"consent; labels="SOCIAL_CARE""#));
    // The same again makes no version, and is answered alike.
    let again = amina.post("/fhir/Consent", &consent(AMINA, SLEEP_TEAM, &["SOCIAL_CARE"])).await;
    assert_eq!((again.status, &again.json()["meta"]["versionId"]), (200, &body["meta"]["versionId"]));
    let wider = consent(AMINA, SLEEP_TEAM, &["SOCIAL_CARE", "GENERAL_HEALTH"]);
    let mut wider = wider;
    wider["id"] = json!(id);
    assert_eq!(amina.put(&path, &wider).await.status, 200);
    amina.delete(&path).await.says(405, "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn nobody_shares_the_record_of_somebody_else() {
    let w = World::new().await;
    let (ben, okafor, silva) = (w.ben().caller().await, w.dr_okafor().caller().await, w.dr_silva().caller().await);
    for patient in [AMINA, "nobody-knows-them"] {
        ben.post("/fhir/Consent", &consent(patient, HILLSIDE_TEAM, &ALL)).await.says(404, "NOT_FOUND");
    }
    let implied = |patient, team| attested(consent(patient, team, &["GENERAL_HEALTH"]), "IMPLIED", "REFERRAL");
    for patient in [BEN, "nobody-knows-them"] {
        okafor.post("/fhir/Consent", &implied(patient, RIVERSIDE_TEAM)).await.says(404, "NOT_FOUND");
    }
    // Amina is a patient of the organisation, but this is another team.
    okafor.post("/fhir/Consent", &implied(AMINA, SLEEP_TEAM)).await.says(403, "NO_CONSENT");
    let wide = attested(consent(AMINA, SLEEP_TEAM, &ALL), "IMPLIED", "REFERRAL");
    silva.post("/fhir/Consent", &wide).await.says(403, "NO_CONSENT");
    assert_eq!(silva.post("/fhir/Consent", &implied(AMINA, SLEEP_TEAM)).await.status, 201);
}

#[tokio::test]
async fn a_patient_takes_labels_away_and_only_a_professional_ends_the_care() {
    let w = World::new().await;
    let (amina, okafor) = (w.amina().caller().await, w.dr_okafor().caller().await);
    let mut ended = consent(AMINA, RIVERSIDE_TEAM, &[]);
    ended["status"] = json!("inactive");
    amina.post("/fhir/Consent", &ended).await.says(403, "USER_TYPE_NOT_PERM");
    assert_eq!(okafor.post("/fhir/Consent", &ended).await.status, 200);
    assert_eq!(okafor.get("/fhir/Patient/amina").await.header("record-view"), Some("own"));
}

#[tokio::test]
async fn what_a_consent_says_that_is_not_enforced_is_refused_by_name() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let mut unclear = consent(AMINA, RIVERSIDE_TEAM, &["GENERAL_HEALTH"]);
    unclear["provision"]["purpose"] = json!([{ "code": "TREAT" }]);
    unclear["provision"]["provision"][0]["securityLabel"] = json!([{ "system": LABELS, "code": "DENTAL" }]);
    let refused = amina.post("/fhir/Consent", &unclear).await;
    refused.says(422, "CONSENT_NOT_UNDERSTOOD");
    for named in ["purpose", "securityLabel"] {
        assert!(refused.text().contains(named), "{named}: {}", refused.text());
    }
    let bundle = json!({ "resourceType": "Bundle", "type": "transaction", "entry": [{
        "resource": consent(AMINA, RIVERSIDE_TEAM, &[]), "request": { "method": "POST", "url": "Consent" } }] });
    assert_eq!(amina.post("/fhir", &bundle).await.status, 422);
    // Nor is one deleted that way, though its source is the patient.
    let given = amina.makes(&consent(AMINA, SLEEP_TEAM, &["SOCIAL_CARE"])).await;
    let away = json!({ "resourceType": "Bundle", "type": "transaction", "entry": [{
        "request": { "method": "DELETE", "url": given.trim_start_matches("/fhir/") } }] });
    assert_eq!(amina.post("/fhir", &away).await.status, 422);
    assert_eq!(amina.status(&given).await, 200);
    // Of another scope it is an item as any other, without effect.
    let mut research = consent(AMINA, RIVERSIDE_TEAM, &[]);
    research["scope"]["coding"][0]["code"] = json!("research");
    amina.makes(&research).await;
    assert_eq!(
        w.dr_okafor().caller().await.get("/fhir/Patient/amina").await.header("record-view"),
        Some(r#"consent; labels="GENERAL_HEALTH MENTAL_HEALTH SEXUAL_HEALTH SOCIAL_CARE""#)
    );
}

#[tokio::test]
async fn what_is_hidden_inside_a_visible_patient_changes_no_answer_about_the_rest() {
    let w = World::new().await;
    let (amina, okafor) = (w.amina().caller().await, w.dr_okafor().caller().await);
    amina.post("/fhir/Consent", &consent(AMINA, RIVERSIDE_TEAM, &["GENERAL_HEALTH"])).await;
    amina.makes(&labelled(observation(AMINA), "GENERAL_HEALTH")).await;
    let questions = [
        "/fhir/Observation?patient=amina",
        "/fhir/Observation?patient=amina&_sort=-date&_total=accurate",
        "/fhir/Observation?patient=amina&_summary=count",
        "/fhir/Patient?_id=amina&_revinclude=Observation:subject",
        "/fhir/Patient?_has:Observation:subject:status=final",
        "/fhir/Observation?subject:Patient._id=amina",
        "/fhir/Observation/_history",
        "/fhir/Patient/amina/$everything",
        "/fhir/Patient/amina/$date-of-last-data-point",
        "/fhir/Observation/$lastn?patient=amina&category=vital-signs",
        "/fhir/Patient/amina/Observation",
    ];
    let mut before = Vec::new();
    for question in questions {
        before.push(without_moments(okafor.get(question).await.json()));
    }
    let hidden = [
        amina.makes(&labelled(observation(AMINA), "SEXUAL_HEALTH")).await,
        amina.makes(&sensitive(observation(AMINA))).await,
    ];
    for (question, before) in questions.into_iter().zip(before) {
        assert_eq!(without_moments(okafor.get(question).await.json()), before, "{question}");
    }
    for path in hidden {
        okafor.get(&path).await.says(404, "NOT_FOUND");
        okafor.get(&format!("{path}/_history/1")).await.says(404, "NOT_FOUND");
        okafor.put(&path, &labelled(observation(AMINA), "GENERAL_HEALTH")).await;
    }
}

/// An answer without what differs from call to call.
fn without_moments(mut body: Value) -> Value {
    if let Some(members) = body.as_object_mut() {
        members.remove("id");
        members.remove("meta");
        members.remove("link");
    }
    body
}

#[tokio::test]
async fn a_world_file_that_is_applied_again_takes_nothing_that_the_patient_gave() {
    let w = World::new().await;
    let (amina, silva) = (w.amina().caller().await, w.dr_silva().caller().await);
    amina.makes(&consent(AMINA, SLEEP_TEAM, &["SOCIAL_CARE"])).await;
    let sees = async || silva.get("/fhir/Patient/amina").await.header("record-view").map(str::to_owned);
    assert_eq!(sees().await.as_deref(), Some(r#"consent; labels="SOCIAL_CARE""#));
    w.amina().is_of(&[RIVERSIDE_TEAM]).await;
    assert_eq!(sees().await.as_deref(), Some(r#"consent; labels="SOCIAL_CARE""#));
    w.amina().is_of(&[]).await;
    assert_eq!(sees().await.as_deref(), Some(r#"consent; labels="SOCIAL_CARE""#));
    let okafor = w.dr_okafor().caller().await;
    assert_eq!(
        okafor.get("/fhir/Patient/amina").await.header("record-view"),
        Some("own"),
        "what the file gave it takes"
    );
}
