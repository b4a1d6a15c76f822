//! SMART's Backend Services (docs/smart.md): a System Client with system/ scopes sees, finds and writes what they open of what its
//! organisation may see, and acts for an organisation that its operator has set.

use super::exports::{ASYNC, begun, manifest, resources, with_records};
use crate::kit::caller::{Caller, patient_search};
use crate::kit::records::{self, import};
use crate::kit::signer::{ASSERTION_TYPE, Signer};
use crate::kit::token_reply::TokenReply;
use crate::kit::{HILLSIDE, RIVERSIDE, World, fields};
use rules::limits::TOKEN_SCOPES_BYTES;
use rules::smart::request::SmartScopes;
use serde_json::{Value, json};

/// Lab Link, which signs and is registered for these scopes.
struct BackendService<'w> {
    world: &'w World,
    signer: Signer,
}

impl<'w> BackendService<'w> {
    async fn registered(world: &'w World, scopes: &str) -> Self {
        let signer = Signer::for_algorithm("ES384");
        let (key, smart_scopes) = (signer.key(), SmartScopes::kept(scopes).scopes);
        let change = move |client: &mut store::clients::Client| {
            (client.keys, client.secret) = (vec![key], None);
            client.smart_scopes = smart_scopes;
        };
        world.change("Lab Link", change).await;
        Self { world, signer }
    }

    async fn asks(&self, scope: Option<&str>) -> TokenReply {
        let assertion = self.signer.assertion(self.world, "lab-link");
        let mut form = fields([
            ("grant_type", "client_credentials"),
            ("client_assertion_type", ASSERTION_TYPE),
            ("client_assertion", &assertion),
        ]);
        form.extend(scope.map(|scope| ("scope".to_owned(), scope.to_owned())));
        TokenReply::of(self.world.post_form("/apiToken.action", &form).await)
    }

    async fn with(&self, scope: Option<&str>, organisation: Option<&str>) -> Caller<'w> {
        let access = self.asks(scope).await.granted().access;
        Caller { world: self.world, access, organisation: organisation.map(str::to_owned) }
    }

    /// In the name of the organisation that has granted it access.
    async fn of_riverside(&self, scope: &str) -> Caller<'w> {
        self.with(Some(scope), Some(RIVERSIDE)).await
    }
}

fn observation(id: &str, category: &str) -> Value {
    json!({
        "resourceType": "Observation", "id": id, "status": "final",
        "category": [{ "coding": [{ "system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": category }] }],
        "code": { "coding": [{ "system": "http://loinc.org", "code": "29463-7" }] },
        "subject": { "reference": "Patient/amina" },
    })
}

fn ids(bundle: &Value) -> Vec<&str> {
    let entries = bundle["entry"].as_array().map(Vec::as_slice).unwrap_or_default();
    entries.iter().map(|entry| entry["resource"]["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_backend_service_is_granted_what_it_asks_for_as_far_as_it_is_registered_for_it() {
    let w = World::new().await;
    let all = "system/Patient.rs system/Observation.cruds";
    let service = BackendService::registered(&w, all).await;
    for (asked, granted) in [
        (None, all),
        (Some(""), all),
        (Some("system/Observation.rs"), "system/Observation.rs"),
        (Some("system/Observation.read"), "system/Observation.read"),
        (Some("system/*.rs"), "system/Patient.rs system/Observation.rs"),
        (Some("system/*.cruds"), all),
        (Some("system/Patient.cruds bogus patient/Patient.rs openid"), "system/Patient.rs"),
        (Some("system/Observation.rs?category=laboratory"), "system/Observation.rs?category=laboratory"),
    ] {
        assert_eq!(service.asks(asked).await.granted().scope, granted, "{asked:?}");
    }
    for none in ["system/Condition.rs", "patient/Patient.rs", "openid", "none", "SITE"] {
        service.asks(Some(none)).await.refused("invalid_scope");
    }
}

#[tokio::test]
async fn its_token_opens_what_its_scopes_say_and_nothing_else() {
    let w = World::new().await;
    let all = [observation("test", "laboratory"), observation("reading", "vital-signs")];
    import(&w.app.store, RIVERSIDE, &all, w.now()).await;
    let service = BackendService::registered(&w, "system/*.cruds").await;
    let narrow = service.of_riverside("system/Observation.rs?category=laboratory system/Patient.r").await;
    assert_eq!(ids(&narrow.get("/fhir/Observation?patient=amina").await.opened().json()), ["test"]);
    narrow.get("/fhir/Observation/test").await.opened();
    narrow.get("/fhir/Observation/reading").await.says(404, "NOT_FOUND");
    narrow.get("/fhir/Patient/amina").await.opened();
    narrow.get(&patient_search(records::AMINA_NHS)).await.says(403, "INSUFFICIENT_SCOPE");
    narrow.get("/fhir/DocumentReference?patient=amina").await.says(403, "INSUFFICIENT_SCOPE");
    narrow.post("/fhir/Observation", &observation("new", "laboratory")).await.says(403, "INSUFFICIENT_SCOPE");
    for closed in ["/fhir/$status-query", "/fhir/Patient/$generate-invitation-tokens"] {
        let refused = narrow.post(closed, &json!({ "resourceType": "Parameters" })).await;
        assert!([403, 404].contains(&refused.status), "{closed}: {}", refused.text());
    }
    let wide = service.of_riverside("system/*.cruds").await;
    assert_eq!(ids(&wide.get("/fhir/Observation?patient=amina&_sort=_id").await.opened().json()), ["reading", "test"]);
    wide.makes(&observation("new", "laboratory")).await;
}

/// What is exported is what the token opens that fetches it, whichever token began it.
#[tokio::test]
async fn an_export_has_the_types_that_the_scopes_open() {
    let w = World::new().await;
    with_records(&w).await;
    let service = BackendService::registered(&w, "system/*.rs").await;
    let narrow = service.of_riverside("system/Patient.rs system/Practitioner.rs").await;
    narrow.get_with("/fhir/$export?_type=Patient,Observation", ASYNC).await.says(403, "INSUFFICIENT_SCOPE");
    let counted = manifest(&narrow, &begun(&narrow, "/fhir/$export").await).await;
    let types: Vec<Value> = resources(&narrow, &counted).await.iter().map(|one| one["resourceType"].clone()).collect();
    assert_eq!(types, ["Patient", "Practitioner"]);
    let wide = service.of_riverside("system/*.rs").await;
    let counted = manifest(&wide, &begun(&wide, "/fhir/$export").await).await;
    assert!(resources(&wide, &counted).await.len() > 2);
    for one in resources(&narrow, &counted).await {
        assert!(["Patient", "Practitioner"].contains(&one["resourceType"].as_str().unwrap()), "{one}");
    }
}

#[tokio::test]
async fn where_a_call_names_no_organisation_it_acts_for_the_one_that_its_operator_has_set() {
    let w = World::new().await;
    let service = BackendService::registered(&w, "system/Patient.rs").await;
    let search = patient_search(records::AMINA_NHS);
    let unnamed = service.with(None, None).await;
    unnamed.get(&search).await.says(400, "BAD_REQUEST");
    w.change("Lab Link", |client| client.default_organisation = Some(RIVERSIDE.into())).await;
    assert_eq!(ids(&unnamed.get(&search).await.opened().json()), ["amina"]);
    let named = async |organisation: &str| {
        Caller { world: &w, access: unnamed.access.clone(), organisation: Some(organisation.into()) }.get(&search).await
    };
    assert_eq!(ids(&named(RIVERSIDE).await.opened().json()), ["amina"]);
    named(HILLSIDE).await.says(403, "ORGANISATION_NOT_GRANTED");
    named("riverside").await.says(400, "BAD_REQUEST");
    w.withdraws(RIVERSIDE, "Lab Link").await;
    unnamed.get(&search).await.says(403, "ORGANISATION_NOT_GRANTED");
    w.change("Lab Link", |client| client.default_organisation = Some(HILLSIDE.into())).await;
    unnamed.get(&search).await.says(403, "ORGANISATION_NOT_GRANTED");
}

/// A token says its scopes itself, and opens nothing any more when the client is not registered for all of them.
#[tokio::test]
async fn its_token_is_over_when_a_scope_is_taken_from_the_client_or_its_first_one_given() {
    let w = World::new().await;
    let service = BackendService::registered(&w, "").await;
    let whole = service.with(None, Some(RIVERSIDE)).await;
    whole.get("/fhir/Patient/amina").await.opened();
    let registers = async |scopes: &str| {
        let scopes = SmartScopes::kept(scopes).scopes;
        w.change("Lab Link", move |client| client.smart_scopes = scopes).await;
    };
    registers("system/Patient.rs system/Observation.rs").await;
    whole.get("/fhir/Patient/amina").await.says(401, "BAD_AUTHENTICATION");
    let (both, one) = (service.of_riverside("system/*.rs").await, service.of_riverside("system/Patient.r").await);
    both.get("/fhir/Patient/amina").await.opened();
    for fewer in ["system/Patient.rs", "system/Patient.r"] {
        registers(fewer).await;
        both.get("/fhir/Patient/amina").await.says(401, "BAD_AUTHENTICATION");
        one.get("/fhir/Patient/amina").await.opened();
    }
    registers("").await;
    one.get("/fhir/Patient/amina").await.says(401, "BAD_AUTHENTICATION");
}

#[tokio::test]
async fn introspection_tells_the_scopes_of_a_backend_service() {
    let w = World::new().await;
    let service = BackendService::registered(&w, "system/*.rs").await;
    let access = service.asks(Some("system/Patient.r")).await.granted().access;
    w.change("Post Room", |client| client.may_introspect = true).await;
    let told = w.client("Post Room").asks_about("/apiIntrospect.action", &access).await.0.json();
    assert_eq!((&told["active"], &told["scope"]), (&true.into(), &"system/Patient.r".into()));
}

/// The contract's System Clients have no scopes, whatever a library sends for them.
#[tokio::test]
async fn a_system_client_without_scopes_is_answered_as_the_contract_says_whatever_it_asks_for() {
    let w = World::new().await;
    let plain = w.client("Post Room").client_credentials().await.granted();
    let form = fields([("grant_type", "client_credentials"), ("scope", "system/Patient.rs")]);
    let asked = w.client("Post Room").asks_for_tokens(&form).await.granted();
    assert_eq!((asked.scope, asked.expires_in), (plain.scope, plain.expires_in));
    let caller = Caller { world: &w, access: asked.access, organisation: Some(RIVERSIDE.into()) };
    w.grants(RIVERSIDE, "Post Room").await;
    caller.get("/fhir/Observation?patient=amina").await.opened();
}

#[tokio::test]
async fn a_token_has_room_for_so_many_scopes_and_more_are_refused_in_words() {
    let w = World::new().await;
    let types = ["Condition", "Encounter", "Immunization", "MedicationRequest", "Observation", "Procedure"];
    let asked: Vec<String> =
        types.iter().flat_map(|of| (0..8).map(move |code| format!("system/{of}.rs?code=c{code}"))).collect();
    let asked = asked.join(" ");
    assert!(asked.len() > TOKEN_SCOPES_BYTES);
    let service = BackendService::registered(&w, "system/*.rs").await;
    let refused = service.asks(Some(&asked)).await;
    refused.refused("invalid_scope");
    assert!(refused.0.text().contains("too long for a token"), "{}", refused.0.text());
}
