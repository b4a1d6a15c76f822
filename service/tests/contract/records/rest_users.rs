//! `GET /json/users/self`, in the shape of the public record.

use crate::kit::World;
use serde_json::{Value, json};

const MEMBERS: [&str; 32] = [
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
    "deceased",
];

fn of(person: &Value, members: &[&str]) -> Vec<Value> {
    members.iter().map(|member| person[*member].clone()).collect()
}

#[tokio::test]
async fn every_user_has_all_members_and_every_scalar_is_a_string_or_null() {
    let w = World::new().await;
    for caller in [
        w.amina().caller().await,
        w.ben().caller().await,
        w.dr_okafor().caller().await,
        w.grace().caller().await,
        w.site().await,
    ] {
        let person = caller.get("/json/users/self").await.opened().json();
        let members = person.as_object().unwrap();
        assert_eq!(members.keys().collect::<Vec<_>>(), MEMBERS);
        for (name, value) in members {
            let fits = match name.as_str() {
                "patient" | "deceased" => value.is_boolean(),
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
    let answer = w.amina().caller().await.get("/json/users/self").await;
    assert_eq!(answer.header("content-type"), Some("application/json;charset=UTF-8"));
    let person = answer.opened().json();
    assert_eq!(of(&person, &["id", "userType"]), [json!("amina"), Value::Null]);
    assert_eq!(of(&person, &["patient", "deceased"]), [true, false]);
    assert_eq!(of(&person, &["title", "firstName", "lastName"]), ["Ms", "Amina Noor", "Rahman"]);
    assert_eq!(of(&person, &["dob", "gender", "genderMF"]), ["1984-02-29", "F", "f"]);
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
        json!({ "id": "0", "contactType": "PHONE", "contactValue": "01234", "phoneUseType": "MOBILE",
                "primary": true, "confirmed": false })
    );
    let primary: Vec<&Value> = contacts.iter().map(|contact| &contact["primary"]).collect();
    assert_eq!(primary, [true, true, false]);
}

#[tokio::test]
async fn a_patient_whose_resource_says_little_is_told_from_the_account() {
    let w = World::new().await;
    let person = w.ben().caller().await.get("/json/users/self").await.opened().json();
    assert_eq!(of(&person, &["firstName", "lastName", "gender"]), ["Ben", "Whitlock", "U"]);
    assert_eq!(of(&person, &["dob", "email", "genderMF"]), [Value::Null, Value::Null, Value::Null]);
}

#[tokio::test]
async fn staff_are_told_with_their_team_and_organisation() {
    let w = World::new().await;
    for (caller, user_type, last_name) in
        [(w.dr_okafor().caller().await, "CLINICIAN", "Okafor"), (w.grace().caller().await, "TEAMCOORD", "Lindqvist")]
    {
        let person = caller.get("/json/users/self").await.opened().json();
        assert_eq!(
            of(&person, &["userType", "lastName", "teamName", "organizationName"]),
            [user_type, last_name, "Riverside Diabetes Team", "Riverside"]
        );
        assert_eq!(person["patient"], false);
    }
}

#[tokio::test]
async fn a_site_session_is_its_teams() {
    let w = World::new().await;
    let person = w.site().await.get("/json/users/self").await.opened().json();
    assert_eq!(
        of(&person, &["userType", "teamName", "organizationName"]),
        ["SITE", "Riverside Diabetes Team", "Riverside"]
    );
    assert_eq!(of(&person, &["lastName", "firstName"]), [Value::Null, Value::Null]);
}

#[tokio::test]
async fn a_system_client_cannot_call_the_custom_rest_api() {
    let w = World::new().await;
    assert_eq!(w.system().await.get("/json/users/self").await.status, 403);
}
