//! What a kind of item is: a pair of functions between FHIR and what the API shows, and how an item is shown, made and changed by
//! them.

use crate::facts::{Facts, WriteFacts};
use crate::item::ItemMembers;
use crate::list::{ListQuery, OwnParameter};
use crate::members::faults::Faults;
use crate::members::member::Body;
use crate::members::place::Place;
use crate::members::schema::{JsonSchema, joined};
use crate::order::ListKey;
use crate::sent::Sent;
use crate::tree::owned;
use fhir::json::Node;
use fhir::types::ResourceType;
use rules::rest_errors::RestError;
use serde::Serialize;
use serde_json::Value;

/// A kind of item.
pub trait View: Body + Clone + PartialEq + Serialize {
    /// As errors call it: `Allergy not found`.
    const KIND: &'static str;
    /// The types of FHIR that can be one; the first is the one that is made.
    const TYPES: &'static [ResourceType];
    /// The words of its status, by which lists are filtered; none where it has no status.
    const STATUS_WORDS: &'static [&'static str] = &[];

    /// What a resource is as one of this kind; none where it is not.
    fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self>;

    /// Notes what must be sent and is missing (400).
    fn demand(&self, place: Place<'_>, faults: &mut Faults);

    /// Notes values that cannot be (422); beside what was shown before, of an update.
    fn check(&self, was: Option<&Self>, facts: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults);

    /// The resource without anything that is shown.
    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static>;

    /// Has a resource say what differs from what it said; all else stays as it is written.
    fn write(&self, was: &Self, resource: &mut Node<'_>, facts: &WriteFacts<'_>);

    /// The date by which lists are ordered and filtered.
    fn clinical_date(&self, resource: &Node<'_>, facts: &Facts<'_>) -> Option<String>;

    /// The word that the filter `status` compares.
    fn status(&self) -> Option<&'static str> {
        None
    }
}

/// An item as it is shown: the members that all have, and its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shown<V> {
    #[serde(flatten)]
    pub item: ItemMembers,
    #[serde(flatten)]
    pub view: V,
}

impl<V: JsonSchema> JsonSchema for Shown<V> {
    fn json_schema() -> Value {
        joined(ItemMembers::json_schema(), &V::json_schema())
    }
}

/// What a resource is shown as; none where it does not fit the kind.
#[must_use]
pub fn show<V: View>(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Shown<V>> {
    Some(Shown { item: ItemMembers::of(resource, facts)?, view: V::of(resource, facts)? })
}

/// What a list of this kind is asked for, with the parameters that the operation has itself.
pub fn list_query<V: View>(pairs: &[(String, String)], own: &[OwnParameter]) -> Result<ListQuery, RestError> {
    let status = (!V::STATUS_WORDS.is_empty()).then_some(OwnParameter::Word("status", V::STATUS_WORDS));
    let own: Vec<OwnParameter> = status.into_iter().chain(own.iter().copied()).collect();
    ListQuery::read(pairs, &own)
}

/// An item of a list and its place there; none where the resource is not of the kind, or not asked for.
#[must_use]
pub fn listed<V: View>(resource: &Node<'_>, facts: &Facts<'_>, query: &ListQuery) -> Option<(ListKey, Shown<V>)> {
    let shown: Shown<V> = show(resource, facts)?;
    let date = shown.view.clinical_date(resource, facts);
    let is_asked = query.takes(date.as_deref(), shown.item.privacy_label)
        && query.is_since(facts.date_updated)
        && query.own("status").is_none_or(|status| shown.view.status() == Some(status));
    is_asked.then(|| (ListKey::new(date.as_deref(), &shown.item.id), shown))
}

/// The resources that were sent, all of them or none. Each is without an id, which is given where it is stored.
pub fn create<V: View>(sent: &[Sent<V>], facts: &WriteFacts<'_>) -> Result<Vec<Node<'static>>, RestError> {
    let mut faults = Faults::default();
    for one in sent {
        let mut own = one.faults.clone();
        one.placed(|place| {
            one.item.check(place, &mut own);
            one.view.check(None, facts, place, &mut own);
        });
        faults.join(own);
    }
    if let Some(error) = faults.error() {
        return Err(error);
    }
    let made = sent.iter().map(|one| {
        let mut resource = one.view.blank(facts);
        one.view.write(&V::default(), &mut resource, facts);
        one.item.write(&mut resource);
        resource
    });
    Ok(made.collect())
}

/// The resource with what was sent in it; every element that the view does not show stays. `current` is the version that is there.
/// A resource that does not fit the kind is not there.
pub fn update<V: View>(
    existing: &Node<'_>,
    current: i64,
    sent: &Sent<V>,
    facts: &WriteFacts<'_>,
) -> Result<Node<'static>, RestError> {
    let was = V::of(existing, &facts.shown).ok_or(RestError::NotFound(V::KIND))?;
    if let Some(version) = sent.item.version
        && version != current
    {
        return Err(RestError::OtherVersion { current, sent: version });
    }
    let mut faults = sent.faults.clone();
    sent.placed(|place| {
        sent.item.check(place, &mut faults);
        sent.view.check(Some(&was), facts, place, &mut faults);
    });
    if let Some(error) = faults.error() {
        return Err(error);
    }
    let mut resource = owned(existing);
    sent.view.write(&was, &mut resource, facts);
    sent.item.write(&mut resource);
    Ok(resource)
}
