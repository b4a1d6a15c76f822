//! Users: patients and professionals whom a caller may see, by their ids and by national numbers.

use super::callers::{clinician, coordinator, patient};
use crate::kit::World;
use crate::kit::records::{AMINA_NHS, BEN_NHS};
use serde_json::{Value, json};

#[tokio::test]
async fn a_national_number_finds_the_banner_of_a_patient_in_reach() {
    let w = World::new().await;
    for by in [clinician(&w).await, coordinator(&w).await, w.site().await] {
        let found = by.get(&format!("/json/v2-beta/users/byNationalId/{AMINA_NHS}/NHS_NUMBER")).await;
        let person = found.opened().json();
        assert_eq!((&person["id"], &person["lastName"]), (&json!("amina"), &json!("Rahman")));
        assert_eq!((&person["nationalIds"][0]["value"], &person["postalCode"]), (&json!(AMINA_NHS), &json!("LS1 1AA")));
        assert_eq!((&person["email"], &person["city"], &person["title"]), (&Value::Null, &Value::Null, &Value::Null));
    }
    let clinician = clinician(&w).await;
    for number in [BEN_NHS, "0", "9990000018%2C9990000026", "x%7Cy"] {
        let reply = clinician.get(&format!("/json/users/byNationalId/{number}/NHS_NUMBER")).await;
        reply.says_in_rest(404, "Patient not found");
    }
    let other = format!("/json/users/byNationalId/{AMINA_NHS}/CHI_NUMBER");
    clinician.get(&other).await.says_in_rest(404, "Patient not found");
    let unknown = format!("/json/users/byNationalId/{AMINA_NHS}/PASSPORT");
    clinician.get(&unknown).await.says_in_rest(400, "parameter type: must be one of NHS_NUMBER, CHI_NUMBER, HC_NUMBER");
    let own = format!("/json/users/byNationalId/{AMINA_NHS}/NHS_NUMBER");
    patient(&w).await.get(&own).await.says_in_rest(403, "User type PATIENT can't");
}

#[tokio::test]
async fn a_user_is_a_patient_in_reach_or_a_professional_by_name_alone() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    assert_eq!(clinician.get("/json/users/amina").await.opened().json()["email"], "amina@mail.example");
    assert_eq!(patient.get("/json/users/amina").await.opened().json()["firstName"], "Amina Noor");
    for (by, id) in [(&patient, "ben"), (&clinician, "ben"), (&clinician, "nobody"), (&clinician, "a%20b")] {
        by.get(&format!("/json/users/{id}")).await.says_in_rest(404, "User not found");
    }
    let doctor = json!({ "resourceType": "Practitioner", "name": [{ "given": ["Ravi"], "family": "Lund" }],
        "telecom": [{ "system": "phone", "value": "0123" }] });
    let at = w.system().await.makes(&doctor).await;
    let user = patient.get(&format!("/json/users/{}", at.rsplit('/').next().unwrap())).await.opened().json();
    assert_eq!(
        (&user["firstName"], &user["lastName"], &user["patient"]),
        (&json!("Ravi"), &json!("Lund"), &json!(false))
    );
    assert_eq!(user["phone"], Value::Null);
}
