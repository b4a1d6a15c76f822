//! Who calls the custom REST API: each scope, and what it hears of what is not for it.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN};
use crate::kit::{RIVERSIDE, World};
use axum::http::Method;
use rules::labels::{Label, Labels};
use serde_json::{Value, json};

pub async fn patient(w: &World) -> Caller<'_> {
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    Caller { world: w, access: tokens.access, organisation: None }
}

pub async fn clinician(w: &World) -> Caller<'_> {
    let (_, tokens) = w.dr_okafor().approves("Ward Round").await;
    Caller { world: w, access: tokens.access, organisation: None }
}

pub async fn coordinator(w: &World) -> Caller<'_> {
    let (_, tokens) = w.grace().approves("Ward Round").await;
    Caller { world: w, access: tokens.access, organisation: None }
}

pub fn allergy() -> Value {
    json!({ "substance": "Penicillin", "reactions": ["Hives"], "severity": "MODERATE" })
}

#[tokio::test]
async fn a_scope_that_an_operation_is_not_for_hears_which_it_is_for() {
    let w = World::new().await;
    let (patient, coordinator) = (patient(&w).await, coordinator(&w).await);
    let words = "User type PATIENT can't execute API call requiring scope CLINICIAN or TEAMCOORD";
    let reply = patient.get("/json/allergies/forPatient/amina").await;
    reply.says_in_rest(403, words);
    assert_eq!(reply.json()["errorCode"], "USER_TYPE_NOT_PERM");
    assert_eq!(reply.json()["requestId"].as_str(), reply.header("x-request-id"));
    let words = "User type TEAMCOORD can't execute API call requiring scope CLINICIAN";
    coordinator.sends(Method::POST, "/json/allergies/forPatient/amina", &allergy()).await.says_in_rest(403, words);
    let words = "User type TEAMCOORD can't execute API call requiring scope PATIENT or CLINICIAN";
    coordinator.sends(Method::PUT, "/json/allergies/some", &allergy()).await.says_in_rest(403, words);
    coordinator
        .get("/json/allergies")
        .await
        .says_in_rest(403, "User type TEAMCOORD can't execute API call requiring scope PATIENT");
    coordinator.get("/json/allergies/forPatient/amina").await.opened();
}

#[tokio::test]
async fn a_team_may_what_its_clinicians_may() {
    let w = World::new().await;
    let site = w.site().await;
    let made = site.sends(Method::POST, "/json/allergies/forPatient/amina", &allergy()).await;
    assert_eq!(made.status, 201, "{}", made.text());
    assert_eq!(made.json()["source"]["type"], "TEAM");
    let id = made.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(site.delete(&format!("/json/allergies/{id}")).await.status, 204);
}

#[tokio::test]
async fn a_system_client_has_the_other_api() {
    let w = World::new().await;
    let system = w.system().await;
    assert_eq!(system.organisation.as_deref(), Some(RIVERSIDE));
    system.get("/json/allergies").await.says_in_rest(403, "a System Client can't call the custom REST API");
}

#[tokio::test]
async fn a_patient_out_of_reach_and_one_who_never_was_are_the_same() {
    let w = World::new().await;
    let clinician = clinician(&w).await;
    let long = "x".repeat(5000);
    for id in [BEN, "nobody", "%62en", "a%2Fb", long.as_str()] {
        for path in ["allergies/forPatient", "measurements"] {
            let reply = clinician.get(&format!("/json/{path}/{id}")).await;
            reply.says_in_rest(404, "Patient not found");
            assert_eq!(reply.json()["errorCode"], "NOT_FOUND");
        }
        let made = clinician.sends(Method::POST, &format!("/json/allergies/forPatient/{id}"), &allergy()).await;
        made.says_in_rest(404, "Patient not found");
    }
    clinician.get("/json/allergies/forPatient/%61mina").await.opened();
}

#[tokio::test]
async fn a_patient_writes_in_no_other_record() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let mut of_ben = allergy();
    of_ben["patientId"] = BEN.into();
    patient.sends(Method::POST, "/json/allergies", &of_ben).await.says_in_rest(404, "Patient not found");
    of_ben["patientId"] = AMINA.into();
    assert_eq!(patient.sends(Method::POST, "/json/allergies", &of_ben).await.status, 201);
}

#[tokio::test]
async fn a_carer_works_on_the_record_cared_for_as_far_as_it_is_open() {
    let w = World::new().await;
    let ben = w.ben().caller().await;
    let labelled = |label: &str| {
        let mut allergy = allergy();
        allergy["privacyLabel"] = label.into();
        allergy
    };
    for label in ["GENERAL_HEALTH", "MENTAL_HEALTH"] {
        assert_eq!(ben.sends(Method::POST, "/json/allergies", &labelled(label)).await.status, 201);
    }
    let as_carer = w.amina().as_carer().await;
    w.opens(BEN, as_carer, Labels(Label::GeneralHealth.bit())).await;
    let (_, tokens) = w.amina().cares_for(BEN).await;
    let carer = Caller { world: &w, access: tokens.access, organisation: None };
    let listed = carer.get("/json/allergies").await;
    assert_eq!(listed.header("record-view"), Some("consent; labels=\"GENERAL_HEALTH\""));
    let items = listed.opened().json();
    assert_eq!((items.as_array().unwrap().len(), &items[0]["patientId"]), (1, &json!(BEN)));
    for path in ["/json/measurements", "/json/treatmentPlans/mine", "/json/documents", "/json/conversations"] {
        carer.get(path).await.opened();
    }
    let made = carer.sends(Method::POST, "/json/allergies", &labelled("GENERAL_HEALTH")).await;
    assert_eq!(made.status, 201, "{}", made.text());
    assert_eq!((&made.json()["patientId"], &made.json()["source"]["type"]), (&json!(BEN), &json!("PERSON")));
    let mut of_amina = allergy();
    of_amina["patientId"] = AMINA.into();
    carer.sends(Method::POST, "/json/allergies", &of_amina).await.says_in_rest(404, "Patient not found");
    w.discharges(BEN, as_carer).await;
    carer.get("/json/allergies").await.says_in_rest(404, "Patient not found");
    carer.sends(Method::POST, "/json/allergies", &allergy()).await.says_in_rest(404, "Patient not found");
}
