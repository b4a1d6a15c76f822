//! The records: two patients with NHS numbers, and their letters.

use super::address::BASE;
use super::calendar::START;
use super::organisations::{HILLSIDE, RIVERSIDE};
use rules::moment::Moment;
use rules::reach::Source;
use serde_json::{Value, json};
use service::formats::when;
use service::preparation::{base, prepare, prepare_stored};
use store::Store;
use store::organisations;
use store::write::resource_write;

pub const NHS_NUMBER: &str = "https://fhir.nhs.uk/Id/nhs-number";
pub const AMINA: &str = "amina";
pub const AMINA_NHS: &str = "9990000018";
pub const BEN: &str = "ben";
pub const BEN_NHS: &str = "9990000026";
/// The business identifiers of the letters.
pub const AMINA_LETTER_UUID: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";
pub const BEN_LETTER_UUID: &str = "7c9e6679-0000-40de-944b-e07fc1f90ae7";
/// The business identifier of Amina's note, whose content was sent inside the document.
pub const NOTE: &str = "N-2";
/// The business identifier of a document of Amina's whose content is on another server.
pub const ELSEWHERE: &str = "N-3";
pub const LETTER_TEXT: &str = "Your blood test is booked for Monday.";
pub const LETTER_BASE64: &str = "WW91ciBibG9vZCB0ZXN0IGlzIGJvb2tlZCBmb3IgTW9uZGF5Lg==";

/// The ids of a patient's letter: the DocumentReference and the Binary that it carries.
pub fn letter_of(patient: &str) -> (String, String) {
    (format!("letter-{patient}"), format!("letter-text-{patient}"))
}

pub async fn put_all(store: &Store) {
    import(store, RIVERSIDE, &aminas(), START).await;
    import(store, HILLSIDE, &bens(), START).await;
}

/// What `recordgate import` does.
pub async fn import(store: &Store, organisation: &str, resources: &[Value], now: Moment) {
    let organisation = organisations::find(store, organisation).await.unwrap().unwrap().id;
    let base = base(BASE);
    let ready = resources.iter().map(|resource| prepare(&resource.to_string(), &base).unwrap()).collect();
    resource_write::put(store, ready, Source::Organisation(organisation), now, when::rfc3339(now)).await.unwrap();
}

/// What a release before this one left: content that is inside a document stays there.
pub async fn left_by_older_release(store: &Store, organisation: &str, resource: &Value, now: Moment) {
    let organisation = organisations::find(store, organisation).await.unwrap().unwrap().id;
    let ready = vec![prepare_stored(&resource.to_string(), &base(BASE)).unwrap()];
    resource_write::put(store, ready, Source::Organisation(organisation), now, when::rfc3339(now)).await.unwrap();
}

/// Amina's record says much: a letter in a Binary, a note with its content inside, a document elsewhere.
fn aminas() -> Vec<Value> {
    let (letter, content) = letter_of(AMINA);
    let attachment =
        json!({ "contentType": "text/plain", "url": format!("Binary/{content}"), "title": "Clinic letter" });
    vec![
        json!({ "resourceType": "Patient", "id": AMINA, "active": true,
            "identifier": [
                { "system": NHS_NUMBER, "value": AMINA_NHS },
                { "system": "urn:riverside", "value": "N,1|2" }, { "value": "bare" }],
            "name": [{ "use": "nickname", "given": ["Mina"] },
                     { "use": "official", "prefix": ["Ms"], "given": ["Amina", "Noor"], "family": "Rahman" }],
            "telecom": [{ "system": "phone", "value": "01234", "use": "mobile" },
                        { "system": "email", "value": "amina@mail.example" },
                        { "system": "email", "value": "second@mail.example" }, { "system": "fax", "value": "1" }],
            "gender": "female", "birthDate": "1984-02-29",
            "address": [{ "line": ["1 High Street", "Flat 2"], "city": "Leeds", "postalCode": "LS1 1AA",
                          "country": "GB-ENG" }] }),
        json!({ "resourceType": "Binary", "id": content, "contentType": "text/plain", "data": LETTER_BASE64 }),
        document(&letter, AMINA, AMINA_LETTER_UUID, attachment),
        document("note", AMINA, NOTE, json!({ "contentType": "text/html", "data": "PGI+SGk8L2I+" })),
        document("elsewhere", AMINA, ELSEWHERE, json!({ "url": "https://files.example/x.pdf" })),
    ]
}

/// Ben's record says as little as it can.
fn bens() -> Vec<Value> {
    let (letter, content) = letter_of(BEN);
    vec![
        json!({ "resourceType": "Patient", "id": BEN, "identifier": [{ "system": NHS_NUMBER, "value": BEN_NHS }] }),
        json!({ "resourceType": "Binary", "id": content, "contentType": "application/octet-stream", "data": LETTER_BASE64 }),
        document(&letter, BEN, BEN_LETTER_UUID, json!({ "url": format!("Binary/{content}") })),
    ]
}

/// A letter with its content inside, as a sender would write it.
pub fn letter(patient: &str) -> Value {
    let mut letter = document("ignored", patient, "L-1", json!({ "contentType": "text/plain", "data": "SGVsbG8=" }));
    letter.as_object_mut().unwrap().remove("identifier");
    letter
}

/// A test result of a patient, as a sender would write it.
pub fn observation(patient: &str) -> Value {
    json!({ "resourceType": "Observation", "status": "final", "code": { "text": "Weight" },
        "subject": { "reference": format!("Patient/{patient}") },
        "valueQuantity": { "value": 70.50, "unit": "kg", "system": "http://unitsofmeasure.org", "code": "kg" } })
}

pub fn document(id: &str, patient: &str, identifier: &str, attachment: Value) -> Value {
    json!({ "resourceType": "DocumentReference", "id": id, "status": "current",
        "identifier": [{ "value": identifier }],
        "subject": { "reference": format!("Patient/{patient}") }, "content": [{ "attachment": attachment }] })
}

/// Amina's record says that she has died.
pub async fn amina_is_deceased(store: &Store, now: Moment) {
    amina_says(store, "deceasedDateTime", json!("2026-11-01"), now).await;
}

/// Amina's record says this of her, beside who she is.
pub async fn amina_says(store: &Store, member: &str, value: Value, now: Moment) {
    let body = json!({
        "resourceType": "Patient", "id": AMINA, "identifier": [{ "system": NHS_NUMBER, "value": AMINA_NHS }],
        member: value,
    });
    import(store, RIVERSIDE, &[body], now).await;
}
