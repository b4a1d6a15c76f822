//! Who and what is there when a test begins.

use super::{NORTH, SOUTH};
use rules::clients::ClientKind;
use rules::moment::Moment;
use rules::scope::{Scope, ScopeEcho, UserType};
use serde_json::{Value, json};
use service::fhir::resource::prepare;
use service::secrets::secret::Secret;
use store::Store;
use store::clients::Client;
use store::organisations::{self, Organisation, Team};
use store::people::{PasswordHash, User};
use store::world::{self, World};
use store::writing::{self, From};

pub const DIABETES: &str = "33333333-3333-4333-8333-333333333333";
const RENAL: &str = "44444444-4444-4444-8444-444444444444";

pub async fn sow(store: &Store, now: Moment) {
    let world = World {
        organisations: vec![organisation(NORTH, "North Hospital"), organisation(SOUTH, "South Clinic")],
        teams: vec![(team(DIABETES, "Diabetes"), NORTH.into()), (team(RENAL, "Renal"), SOUTH.into())],
        users: vec![
            (user("amina", "Amina Yusuf", UserType::Patient, Some("amina")), vec![DIABETES.into()]),
            (user("bert", "Bert Moss", UserType::Patient, Some("bert")), vec![RENAL.into()]),
            (user("clara", "Dr Clara Oduya", UserType::Clinician, None), vec![DIABETES.into()]),
            (user("cora", "Cora Lind", UserType::TeamCoord, None), vec![DIABETES.into()]),
        ],
        clients: vec![
            client("app", ClientKind::User),
            client("system", ClientKind::System),
            client("tethered", ClientKind::Tethered),
        ],
        organisation_grants: vec![(NORTH.into(), "system".into()), (SOUTH.into(), "system".into())],
    };
    world::apply(store, world, now).await.unwrap();
    import(store, NORTH, &norths(), now).await;
    import(store, SOUTH, &souths(), now).await;
}

/// What `recordgate import` does.
pub async fn import(store: &Store, organisation: &str, resources: &[Value], now: Moment) {
    let organisation = organisations::find(store, organisation).await.unwrap().unwrap().id;
    let ready = resources.iter().map(|resource| prepare(&resource.to_string(), None).unwrap()).collect();
    let from = From { organisation: Some(organisation), ..Default::default() };
    writing::put(store, ready, from, now, "2026-03-01T09:00:00.000Z".into()).await.unwrap();
}

/// Amina's record: a letter in a Binary, and one with its content inside.
fn norths() -> Vec<Value> {
    vec![
        json!({ "resourceType": "Patient", "id": "amina", "active": true,
            "identifier": [
                { "system": "https://fhir.nhs.uk/Id/nhs-number", "value": "9990000018" },
                { "system": "urn:north", "value": "N,1|2" }, { "value": "bare" }],
            "name": [{ "use": "nickname", "given": ["Mina"] },
                     { "use": "official", "prefix": ["Ms"], "given": ["Amina", "Noor"], "family": "Yusuf" }],
            "telecom": [{ "system": "phone", "value": "01234", "use": "mobile" },
                        { "system": "email", "value": "amina@mail.example" },
                        { "system": "email", "value": "second@mail.example" }, { "system": "fax", "value": "1" }],
            "gender": "female", "birthDate": "1984-05-06",
            "address": [{ "line": ["1 High Street", "Flat 2"], "city": "Leeds", "postalCode": "LS1 1AA",
                          "country": "GB-ENG" }] }),
        json!({ "resourceType": "Binary", "id": "letter-content", "contentType": "text/plain",
            "data": "RGVhciBBbWluYQ==" }),
        document("letter", "amina", "N-1", json!({ "url": "Binary/letter-content", "title": "Clinic letter" })),
        document("note", "amina", "N-2", json!({ "contentType": "text/html", "data": "PGI+SGk8L2I+" })),
        document("elsewhere", "amina", "N-3", json!({ "url": "https://files.example/x.pdf" })),
    ]
}

/// Bert's record.
fn souths() -> Vec<Value> {
    vec![
        json!({ "resourceType": "Patient", "id": "bert",
            "identifier": [{ "system": "https://fhir.nhs.uk/Id/nhs-number", "value": "9990000026" }] }),
        json!({ "resourceType": "Binary", "id": "bert-content", "data": "QmVydA==" }),
        document("bert-letter", "bert", "S-1", json!({ "url": "Binary/bert-content" })),
    ]
}

pub fn document(id: &str, patient: &str, identifier: &str, attachment: Value) -> Value {
    json!({ "resourceType": "DocumentReference", "id": id, "status": "current",
        "identifier": [{ "value": identifier }],
        "subject": { "reference": format!("Patient/{patient}") }, "content": [{ "attachment": attachment }] })
}

fn organisation(public_id: &str, name: &str) -> Organisation {
    Organisation { id: 0, public_id: public_id.into(), name: name.into() }
}

fn team(public_id: &str, name: &str) -> Team {
    let (public_id, name) = (public_id.into(), name.into());
    Team { id: 0, public_id, organisation: 0, organisation_name: String::new(), name }
}

fn user(username: &str, name: &str, user_type: UserType, patient: Option<&str>) -> User {
    User {
        id: 0,
        username: username.into(),
        password_hash: PasswordHash(String::new()),
        user_type,
        name: name.into(),
        patient_id: patient.map(String::from),
        frozen_at: None,
    }
}

fn client(client_id: &str, kind: ClientKind) -> Client {
    Client {
        id: 0,
        client_id: client_id.into(),
        kind,
        owner: "Owner".into(),
        product: "Product".into(),
        redirect_uris: Vec::new(),
        scopes: vec![Scope::Patient, Scope::Clinician, Scope::TeamCoord],
        secret: (kind == ClientKind::System).then(|| Secret::new("rgs_of_a_test".into()).fingerprint()),
        session_seconds: None,
        access_seconds: 600,
        refresh_tokens: true,
        require_pkce: false,
        retry_seconds: 0,
        scope_echo: ScopeEcho::Lower,
        redirect_extra_query: false,
        disabled_at: None,
    }
}
