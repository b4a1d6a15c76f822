//! What pages say that an app may do: made of what the routes serve and of the client's scopes, and of nothing else.

use crate::kit::{World, with, without};
use rules::guidance::promises::{Interaction, Served, brief, sentences};
use rules::scope::Scope;
use service::routes::routes;

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

/// The list between “can:” and its end.
fn promised(html: &str) -> &str {
    let (_, list) = html.split_once("<ul class=\"arches\">").expect("a list of what the app can do");
    list.split("</ul>").next().unwrap()
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
        assert_eq!(list.contains("Add documents"), scope != "TEAMCOORD", "{scope}: {list}");
        assert_eq!(list.contains("Check whether"), scope != "PATIENT", "{scope}: {list}");
    }
    let page = ward.sends_to_page(&without(&ward.asks(), "scope")).await;
    let list = promised(&page.html);
    holds(list);
    assert!(
        list.contains("If you are a clinician: see") && list.contains("If you are a Team Coordinator: see"),
        "{list}"
    );
    let page = w.grace().signs_in().await.sees("/coordinator/api-access/check?client_id=old-bridge").await;
    holds(promised(&page.html));
}

/// The test above is worth its name only if a promise of what is not there is found.
#[test]
#[should_panic(expected = "no route serves Mood")]
fn a_promise_of_what_no_route_serves_is_found() {
    holds("See your moods.");
}

/// Everything that the routes do serve of the table is said.
#[test]
fn what_the_routes_serve_is_promised() {
    let read = |of| (Interaction::Read, of);
    let served: Served = [read("Patient"), read("DocumentReference"), read("Binary")].into_iter().collect();
    assert!(is_served("Patient") && is_served("DocumentReference") && is_served("Binary"));
    for scope in Scope::ALL {
        assert!(sentences(scope, &served).len() >= 2, "{scope:?}");
        holds(&sentences(scope, &served).concat());
        holds(&brief(scope, &served));
    }
}
