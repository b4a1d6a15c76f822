//! A process that has read as many definitions as it may: what it can no longer index is given up in the open, and no index is short.

use crate::child;
use crate::home::{self, Home};
use crate::shelf::{UPDATED, resource};
use crate::world::{NOW, World};
use fhir::custom::definition;
use fhir::parameters::parameter::OWN;
use fhir::types::ResourceType;
use rules::reach::Source;
use store::filling::{self, FillingStep};
use store::index::own_parameters::{self, Filling};
use store::write::resource_write::{self, NewResource};

const BASE: &str = "https://records.example/fhir";

#[tokio::test]
async fn what_a_process_cannot_know_any_more_is_asked_of_the_resources() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = child::running("unknown_definitions::writes_what_it_does_not_know", directory.path());
    assert!(child.spawn().expect("the child").wait().unwrap().success());
    let states = "SELECT count(*) FROM own_parameters WHERE state = 2";
    assert_eq!(home::count(directory.path(), states), 2);
    assert_eq!(home::count(directory.path(), "SELECT count(*) FROM index_tokens WHERE parameter >= 262144"), 1);
}

fn defining(code: &str, of: &str, expression: &str) -> NewResource {
    let members = format!(
        r#","url":"http://x.example/{code}","name":"mine","status":"active","description":"Mine","code":"{code}","base":["{of}"],"type":"token","expression":"{expression}""#
    );
    resource(ResourceType::SearchParameter, code, &members)
}

/// A process of its own, because what it reads, it knows for ever.
#[tokio::test]
#[ignore = "the child of the test above"]
async fn writes_what_it_does_not_know() {
    let w = World::at(Home::Given(child::directory())).await;
    let put = async |new: NewResource| {
        let source = Source::Organisation(w.elsewhere);
        resource_write::put(&w.store, vec![new], source, NOW, UPDATED.into()).await.unwrap();
    };
    put(defining("known", "Observation", "Observation.status")).await;
    put(resource(ResourceType::Observation, "o", r#","status":"final""#)).await;
    let mut read = 0;
    while definition::parameter(OWN, &format!("a{read} token status:code")).is_some() {
        read += 1;
    }
    put(defining("unknown", "Patient", "Patient.maritalStatus")).await;
    put(resource(ResourceType::Patient, "amina", "")).await;
    put(defining("another", "Patient", "Patient.contact.relationship")).await;
    while filling::step(&w.store, BASE).await.unwrap() != FillingStep::Idle {}
    let fillings: Vec<Filling> =
        own_parameters::all(&w.store).await.unwrap().into_iter().map(|one| one.filling).collect();
    assert_eq!(fillings, [Filling::Whole, Filling::Never, Filling::Never]);
}
