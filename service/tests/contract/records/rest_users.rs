//! `GET /json/users/self`, in the shape of the public record.

use crate::records_world::World;
use serde_json::{Value, json};

const MEMBERS: [&str; 31] = [
    "id",
    "userType",
    "heightCm",
    "heightFeet",
    "heightInches",
    "heightInchesTotal",
    "weightKg",
    "weightLbs",
    "title",
    "firstName",
    "lastName",
    "dob",
    "dateDeceased",
    "genderMF",
    "gender",
    "email",
    "phone",
    "address1",
    "address2",
    "city",
    "state",
    "postalCode",
    "country",
    "jobTitle",
    "organizationName",
    "teamName",
    "nationalIds",
    "orgLevelIds",
    "teamLevelIds",
    "contacts",
    "patient",
];

fn of(person: &Value, members: &[&str]) -> Vec<Value> {
    members.iter().map(|member| person[*member].clone()).collect()
}

#[tokio::test]
async fn every_user_has_all_members_and_every_scalar_is_a_string_or_null() {
    let w = World::new().await;
    for caller in [w.amina().await, w.bert().await, w.clinician().await, w.coordinator().await, w.site().await] {
        let person = caller.get("/json/users/self").await.ok();
        let members = person.as_object().unwrap();
        assert_eq!(members.keys().collect::<Vec<_>>(), MEMBERS);
        for (name, value) in members {
            let fits = match name.as_str() {
                "patient" => value.is_boolean(),
                "nationalIds" | "contacts" => value.is_array(),
                _ => value.is_string() || value.is_null(),
            };
            assert!(fits, "{name}: {value}");
        }
    }
}

#[tokio::test]
async fn a_patient_is_told_from_their_patient_resource() {
    let w = World::new().await;
    let answer = w.amina().await.get("/json/users/self").await;
    assert_eq!(answer.header("content-type"), "application/json;charset=UTF-8");
    let person = answer.ok();
    assert_eq!(of(&person, &["id", "userType", "patient"]), [json!("amina"), json!("PATIENT"), json!(true)]);
    assert_eq!(of(&person, &["title", "firstName", "lastName"]), ["Ms", "Amina Noor", "Yusuf"]);
    assert_eq!(of(&person, &["dob", "gender", "genderMF"]), ["1984-05-06", "F", "f"]);
    assert_eq!(of(&person, &["email", "phone"]), ["amina@mail.example", "01234"]);
    assert_eq!(
        of(&person, &["address1", "address2", "city", "postalCode", "country"]),
        ["1 High Street", "Flat 2", "Leeds", "LS1 1AA", "GB-ENG"]
    );
    assert_eq!(
        person["nationalIds"],
        json!([{ "value": "9990000018", "name": "NHS number", "countryCodes": ["GB-ENG", "GB-WLS"] }])
    );
    let contacts = person["contacts"].as_array().unwrap();
    assert_eq!(
        contacts[0],
        json!({ "id": "1", "contactType": "PHONE", "contactValue": "01234", "phoneUseType": "MOBILE",
                "primary": true, "confirmed": false })
    );
    let primary: Vec<&Value> = contacts.iter().map(|contact| &contact["primary"]).collect();
    assert_eq!(primary, [true, true, false]);
}

#[tokio::test]
async fn a_patient_whose_resource_says_little_is_told_from_the_account() {
    let w = World::new().await;
    let person = w.bert().await.get("/json/users/self").await.ok();
    assert_eq!(of(&person, &["firstName", "lastName", "gender"]), ["Bert", "Moss", "U"]);
    assert_eq!(of(&person, &["dob", "email", "genderMF"]), [Value::Null, Value::Null, Value::Null]);
}

#[tokio::test]
async fn staff_are_told_with_their_team_and_organisation() {
    let w = World::new().await;
    for (caller, user_type, last_name) in
        [(w.clinician().await, "CLINICIAN", "Oduya"), (w.coordinator().await, "TEAMCOORD", "Lind")]
    {
        let person = caller.get("/json/users/self").await.ok();
        assert_eq!(
            of(&person, &["userType", "lastName", "teamName", "organizationName"]),
            [user_type, last_name, "Diabetes", "North Hospital"]
        );
        assert_eq!(person["patient"], false);
    }
}

#[tokio::test]
async fn a_site_session_is_its_teams() {
    let w = World::new().await;
    let person = w.site().await.get("/json/users/self").await.ok();
    assert_eq!(of(&person, &["userType", "teamName", "organizationName"]), ["SITE", "Diabetes", "North Hospital"]);
    assert_eq!(of(&person, &["lastName", "firstName"]), [Value::Null, Value::Null]);
}

#[tokio::test]
async fn a_system_client_cannot_call_the_custom_rest_api() {
    let w = World::new().await;
    assert_eq!(w.system().await.get("/json/users/self").await.status, 403);
}
