//! What the tests share: trees of JSON, facts about an invented patient, and one door to each kind.

use fhir::json::{Node, print, read};
use fhir::limits::Shape;
use fhir::strict;
use fhir::types::{self, ResourceType};
use fhir::validation::{Expectation, validate};
use rules::moment::Moment;
use rules::rest_errors::RestError;
use serde_json::Value;
use views::elements::attachment::StoredAttachment;
use views::elements::party::{Party, PartyType};
use views::elements::source::{ItemSource, SourceType};
use views::facts::{Facts, WriteFacts};
use views::sent;
use views::view::{self, Shown, View};

pub const PAGE: &str = include_str!("../../../docs/rest.md");
pub const SHAPE: Shape = Shape { depth: 64, values: 100_000 };
pub const BASE: &str = "https://records.example/fhir";
/// 2026-11-15T08:01:02.120Z.
pub const NOW: Moment = Moment(1_794_729_662_120);
pub const NOW_TEXT: &str = "2026-11-15T08:01:02.120Z";

/// The tree of a JSON text.
pub fn tree(text: &str) -> Node<'static> {
    let compact: &'static str = strict::compact(text, SHAPE).unwrap().leak();
    read(compact).unwrap()
}

pub fn facts() -> Facts<'static> {
    let source =
        ItemSource { source_type: SourceType::Patient, id: "amina-okafor".into(), name: Some("Amina Okafor".into()) };
    Facts {
        base: BASE,
        patient_id: "amina-okafor",
        version: 1,
        source,
        date_entered: NOW_TEXT,
        date_updated: NOW_TEXT,
        ..Facts::default()
    }
}

pub fn attachments() -> &'static [StoredAttachment] {
    let stored = |id: &str, name: &str| StoredAttachment {
        id: id.into(),
        name: Some(name.into()),
        content_type: Some("application/pdf".into()),
        size: Some(48213),
        document: Some(format!("holds-{id}")),
        is_held: false,
    };
    vec![stored("b91", "letter.pdf"), stored("b92", "plan.pdf"), stored("b93", "more.pdf")].leak()
}

/// The documents that hold those attachments.
pub fn documents() -> &'static [Node<'static>] {
    let held = |one: &StoredAttachment| {
        tree(&format!(
            r#"{{"resourceType":"DocumentReference","id":"holds-{0}","content":[{{"attachment":{{"url":"Binary/{0}",
            "title":"{1}","contentType":"application/pdf","size":48213}}}}]}}"#,
            one.id,
            one.name.as_deref().unwrap()
        ))
    };
    attachments().iter().map(held).collect::<Vec<_>>().leak()
}

pub fn write_facts() -> WriteFacts<'static> {
    let author = Party { party_type: PartyType::Patient, id: "amina-okafor".into(), name: Some("Amina Okafor".into()) };
    WriteFacts {
        base: BASE,
        patient_id: "amina-okafor",
        now: NOW,
        now_text: NOW_TEXT,
        author: Some(author),
        attachments: attachments(),
        shown: Facts { documents: documents(), ..facts() },
    }
}

/// The resource that a body makes.
pub fn created<V: View>(body: &str) -> Result<Node<'static>, RestError> {
    let sent = sent::one_or_several::<V>(body, V::demand)?;
    Ok(view::create(&sent.items, &write_facts())?.remove(0))
}

/// The resource with what a body says in it.
pub fn updated<V: View>(existing: &Node<'_>, body: &str) -> Result<Node<'static>, RestError> {
    let sent = sent::one::<V>(body, V::demand)?;
    view::update(existing, 1, &sent, &write_facts())
}

/// What a resource is shown as; it gets an id where it has none.
pub fn shown<V: View>(resource: &Node<'_>) -> Option<Shown<V>> {
    let mut resource = tree(&print(resource));
    if resource.get("id").is_none() {
        resource.set("id", Node::Text("new".into()));
    }
    view::show(&resource, &Facts { documents: documents(), ..facts() })
}

/// The same as JSON.
pub fn shown_value<V: View>(resource: &Node<'_>) -> Value {
    serde_json::to_value(shown::<V>(resource).unwrap()).unwrap()
}

/// All that FHIR has against a resource.
pub fn issues(resource: &Node<'_>) -> Vec<String> {
    let named = resource.get("resourceType").and_then(Node::text).and_then(types::named);
    let expectation = Expectation { resource_type: named, id: None, shape: SHAPE, issues: 20 };
    let text = print(resource);
    validate(&text, &expectation).iter().map(|issue| format!("{}: {}", issue.expression, issue.text)).collect()
}

pub fn type_of(resource: &Node<'_>) -> ResourceType {
    resource.get("resourceType").and_then(Node::text).and_then(types::named).unwrap()
}
