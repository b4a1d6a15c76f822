//! What pages say that an app may do: made of what the routes serve and of the client's scopes, all of it and nothing else.

use crate::kit::caller::Caller;
use crate::kit::{World, with, without};
use axum::http::Method;
use fhir::types::{self, ResourceType};
use rules::guidance::promises::Promises;
use rules::guidance::record_parts::RecordPart;
use rules::guidance::served::{Interaction, Served};
use rules::reach::{Area, may_write_in};
use rules::scope::Scope;
use serde_json::json;
use service::routes::routes;
use views::section::Section;

/// Words for what people know, and the FHIR type that it is in.
const NOUNS: [(&str, &str); 15] = [
    // No type of FHIR's.
    ("mood", "Mood"),
    ("personal details", "Patient"),
    ("letter", "DocumentReference"),
    ("document", "DocumentReference"),
    ("test result", "Observation"),
    ("reading", "Observation"),
    ("measurement", "Observation"),
    ("medicine", "MedicationRequest"),
    ("prescription", "MedicationRequest"),
    ("allerg", "AllergyIntolerance"),
    ("diagnos", "Condition"),
    ("vaccin", "Immunization"),
    ("appointment", "Appointment"),
    ("message", "Communication"),
    ("care plan", "CarePlan"),
];

/// Whether some route of the FHIR API is about this type.
fn is_served(resource_type: &str) -> bool {
    let first = |path: &'static str| path.strip_prefix("/fhir/").and_then(|rest| rest.split('/').next());
    let is_known = fhir::types::named(resource_type).is_some();
    routes()
        .iter()
        .any(|route| first(route.path) == Some(resource_type) || (is_known && first(route.path) == Some("{type}")))
}

/// A sentence that names a type which no route serves is a promise that is not kept.
fn holds(words: &str) {
    for (noun, resource_type) in NOUNS.iter().filter(|(noun, _)| words.to_lowercase().contains(noun)) {
        assert!(is_served(resource_type), "“{noun}” is promised, and no route serves {resource_type}: {words}");
    }
}

/// The lists between “can:” and the facts.
fn promised(html: &str) -> &str {
    let (_, list) = html.split_once("<ul class=\"arches\">").expect("a list of what the app can do");
    list.split("<dl").next().unwrap()
}

// gaps: Pages > What an app may do
#[tokio::test]
async fn the_authorization_page_promises_what_is_served_and_no_more() {
    let w = World::embedded().await;
    let (diary, ward) = (w.client("Sleep Diary"), w.client("Ward Round"));
    for (app, scope) in [(&diary, "PATIENT"), (&ward, "CLINICIAN"), (&ward, "TEAMCOORD")] {
        let page = app.sends_to_page(&with(&app.asks(), "scope", scope)).await;
        let list = promised(&page.html);
        assert!(list.contains("<li>"), "{scope}: {list}");
        holds(list);
        assert_eq!(
            list.matches("Diagnoses, allergies").count(),
            if scope == "TEAMCOORD" { 1 } else { 2 },
            "{scope}: {list}"
        );
        assert_eq!(list.contains("Check whether"), scope != "PATIENT", "{scope}: {list}");
        assert_eq!(list.contains("The log of who looked"), scope == "PATIENT", "{scope}: {list}");
        assert_eq!(list.contains("In an emergency"), scope == "CLINICIAN", "{scope}: {list}");
        assert!(list.contains("it can open the record to others"), "{scope}: {list}");
    }
    let page = ward.sends_to_page(&without(&ward.asks(), "scope")).await;
    let list = promised(&page.html);
    holds(list);
    assert!(
        list.contains("If you are a clinician: read") && list.contains("If you are a Team Coordinator: read"),
        "{list}"
    );
    let page = w.grace().signs_in().await.sees("/coordinator/api-access/check?client_id=old-bridge").await;
    let list = promised(&page.html);
    holds(list);
    assert!(list.contains("Diagnoses, allergies") && list.contains("in the name of the team"), "{list}");
}

/// The test above is worth its name only if a promise of what is not there is found.
#[test]
#[should_panic(expected = "no route serves Mood")]
fn a_promise_of_what_no_route_serves_is_found() {
    holds("See your moods.");
}

/// What the pages know of the service: read off the routes, here by asking the service itself.
fn served() -> Served {
    let reads = types::all().map(|of| (Interaction::Search, of.name()));
    let writes = types::all().filter(|of| of.name() != "AuditEvent").map(|of| (Interaction::Create, of.name()));
    let all: Served = reads.chain(writes).collect();
    all.with_directories(types::all().filter(|of| of.is_public()).map(ResourceType::name))
}

/// Whether the rules let a session of this scope write a type; who may write which Consent is decided of each.
fn may_write(scope: Scope, of: ResourceType) -> bool {
    let area = match of {
        ResourceType::Patient => Area::Patient,
        _ if of.is_public() => Area::Directory,
        _ => Area::Record,
    };
    of == ResourceType::Consent || (of != ResourceType::AuditEvent && may_write_in(Some(scope), area))
}

/// What the service answers to it. Nothing of it fails, and what it does is what the rules permit.
async fn answer(caller: &Caller<'_>, scope: Scope, method: Method, path: &str, of: ResourceType) -> u16 {
    let body = json!({ "resourceType": of.name(), "id": "nothing" }).to_string();
    let reply = caller.send(method.clone(), path, &[("content-type", "application/fhir+json")], body).await;
    assert!(reply.status < 500, "{path}: {}", reply.text());
    let is_done = reply.status == 201 && method != Method::GET;
    assert!(!is_done || may_write(scope, of), "{scope:?} {method} {path}: {}", reply.text());
    reply.status
}

/// Every type that there is, read and written by a session of every scope: what it is permitted a sentence tells of.
// gaps: Pages > What an app may do
#[tokio::test]
async fn whatever_a_session_may_read_or_write_a_sentence_covers() {
    let w = World::embedded().await;
    let callers = [
        (Scope::Patient, w.amina().caller().await),
        (Scope::Clinician, w.dr_okafor().caller().await),
        (Scope::TeamCoord, w.grace().caller().await),
        (Scope::Site, w.site().await),
    ];
    let (served, mut permitted) = (served(), 0);
    for (scope, caller) in &callers {
        let promises = Promises::of(*scope, &served);
        for of in types::all() {
            let part = served.part(of.name());
            // Somebody else's log is empty to everybody: it shows to whom it is about.
            let is_empty = part == RecordPart::Log && *scope != Scope::Patient;
            let found = answer(caller, *scope, Method::GET, &format!("/fhir/{}?_count=1", of.name()), of).await;
            assert!(
                found != 200 || is_empty || promises.cover(Interaction::Search, part),
                "{scope:?} reads {}",
                of.name()
            );
            let made = answer(caller, *scope, Method::POST, &format!("/fhir/{}", of.name()), of).await;
            for write in [Interaction::Create, Interaction::Update, Interaction::Patch, Interaction::Delete] {
                let may = may_write(*scope, of);
                assert!(!may || promises.cover(write, part), "{scope:?} may {write:?} {}", of.name());
                permitted += i32::from(may);
            }
            assert!(made != 201 || promises.cover(Interaction::Create, part), "{scope:?} made {}", of.name());
        }
        assert!(!promises.cover(Interaction::Create, RecordPart::Details), "{scope:?}");
        assert!(!promises.cover(Interaction::Create, RecordPart::Directory), "{scope:?}");
    }
    assert!(permitted > 1000, "{permitted}");
}

/// And the other way round: of each part that an app is said to write, there is a type that it may.
#[test]
fn what_is_said_to_be_written_can_be() {
    let served = served();
    for scope in Scope::ALL {
        let promises = Promises::of(scope, &served);
        for part in RecordPart::ALL.into_iter().filter(|part| promises.cover(Interaction::Create, *part)) {
            let mut of_part = types::all().filter(|of| served.part(of.name()) == part);
            assert!(of_part.any(|of| may_write(scope, of)), "{scope:?} {part:?}");
        }
    }
}

/// The parts are the sections of the custom REST API: what is in one section is told in one breath, but for those who are related
/// to somebody, and for the log.
#[test]
fn the_parts_are_the_sections() {
    let served = served();
    for of in types::all().filter(|of| !of.is_public()) {
        let part = served.part(of.name());
        let known: &[Section] = match part {
            RecordPart::Details | RecordPart::People => &[Section::Demographics],
            RecordPart::Results => &[Section::Tests, Section::Other],
            RecordPart::Diagnoses => &[Section::Diagnoses, Section::Allergies],
            RecordPart::Medicines => &[Section::Medications],
            RecordPart::Appointments => &[Section::Appointments],
            RecordPart::Plans => &[Section::Plans],
            RecordPart::Messages => &[Section::Messages],
            RecordPart::Files => &[Section::Files, Section::Imaging, Section::Genetics],
            RecordPart::Sharing => &[Section::Sharing],
            RecordPart::Other | RecordPart::Log | RecordPart::Directory => &[Section::Other],
        };
        assert!(known.contains(&Section::of_type(of)), "{} is in {part:?}", of.name());
    }
}
