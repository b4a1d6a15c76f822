//! The records: two patients with NHS numbers, and a letter for each.

use super::{HILLSIDE, RIVERSIDE, START};
use rules::moment::Moment;
use serde_json::{Value, json};
use store::Store;
use store::organisations;
use store::writing::{self, CutBody, From, NewResource, Token};

pub const NHS_NUMBER: &str = "https://fhir.nhs.uk/Id/nhs-number";
pub const AMINA: &str = "patient-amina";
pub const AMINA_NHS: &str = "9990000018";
pub const BEN: &str = "patient-ben";
pub const BEN_NHS: &str = "9990000026";
/// The business identifiers of the letters.
pub const AMINA_LETTER_UUID: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";
pub const BEN_LETTER_UUID: &str = "7c9e6679-0000-40de-944b-e07fc1f90ae7";
pub const LETTER_SYSTEM: &str = "urn:ietf:rfc:3986";
pub const LETTER_TEXT: &str = "Your blood test is booked for Monday.";
const LETTER_BASE64: &str = "WW91ciBibG9vZCB0ZXN0IGlzIGJvb2tlZCBmb3IgTW9uZGF5Lg==";

/// The ids of a patient's letter: the DocumentReference and the Binary that it carries.
pub fn letter_of(patient: &str) -> (String, String) {
    (format!("letter-{patient}"), format!("letter-text-{patient}"))
}

pub async fn put_all(store: &Store) {
    put_of(store, AMINA, AMINA_NHS, ("Rahman", "Amina"), AMINA_LETTER_UUID, RIVERSIDE).await;
    put_of(store, BEN, BEN_NHS, ("Whitlock", "Ben"), BEN_LETTER_UUID, HILLSIDE).await;
}

async fn put_of(store: &Store, id: &str, nhs: &str, name: (&str, &str), letter: &str, home: &str) {
    let (document, binary) = letter_of(id);
    let patient = json!({
        "resourceType": "Patient", "id": id,
        "identifier": [{ "system": NHS_NUMBER, "value": nhs }],
        "name": [{ "family": name.0, "given": [name.1] }],
        "gender": "unknown", "birthDate": "1984-02-29",
    });
    let reference = json!({
        "resourceType": "DocumentReference", "id": document, "status": "current",
        "identifier": [{ "system": LETTER_SYSTEM, "value": letter }],
        "subject": { "reference": format!("Patient/{id}") },
        "content": [{ "attachment": { "contentType": "text/plain", "url": format!("Binary/{binary}") } }],
    });
    let content = json!({
        "resourceType": "Binary", "id": binary, "contentType": "text/plain", "data": LETTER_BASE64,
        "securityContext": { "reference": format!("Patient/{id}") },
    });
    let token = |parameter, system: Option<&str>, value: &str| Token {
        parameter,
        system: system.map(String::from),
        value: value.to_owned(),
    };
    let resources = vec![
        resource(&patient, id, vec![token("identifier", Some(NHS_NUMBER), nhs)]),
        resource(
            &reference,
            id,
            vec![token("identifier", Some(LETTER_SYSTEM), letter), token("content", None, &binary)],
        ),
        resource(&content, id, vec![]),
    ];
    let home = organisations::find(store, home).await.unwrap().unwrap();
    let from = From { organisation: Some(home.id), team: None, patient: None };
    writing::put(store, resources, from, START, "2026-11-15T09:30:00.000Z".into()).await.unwrap();
}

/// A resource, cut where the store sets version and time.
fn resource(body: &Value, patient: &str, tokens: Vec<Token>) -> NewResource {
    let text = body.to_string();
    let open = text.strip_suffix('}').unwrap();
    NewResource {
        type_name: body["resourceType"].as_str().unwrap().into(),
        fhir_id: body["id"].as_str().unwrap().into(),
        patient_id: Some(patient.into()),
        tokens,
        body: CutBody { before: format!("{open},\"meta\":{{"), after: "}}".into() },
    }
}

/// A patient's record says that they have died.
pub async fn is_deceased(store: &Store, patient: &str, nhs: &str, home: &str, now: Moment) {
    let body = json!({
        "resourceType": "Patient", "id": patient,
        "identifier": [{ "system": NHS_NUMBER, "value": nhs }],
        "deceasedDateTime": "2026-11-01",
    });
    let tokens = vec![Token { parameter: "identifier", system: Some(NHS_NUMBER.into()), value: nhs.into() }];
    let home = organisations::find(store, home).await.unwrap().unwrap();
    let from = From { organisation: Some(home.id), team: None, patient: None };
    let stored =
        writing::put(store, vec![resource(&body, patient, tokens)], from, now, "2026-11-15T10:00:00.000Z".into());
    assert_eq!(stored.await.unwrap()[0].written, writing::Written::Version(2));
}
