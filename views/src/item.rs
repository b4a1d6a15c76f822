//! The members that every item has: whose it is, who made it, when, under which label.

use crate::elements::source::ItemSource;
use crate::facts::Facts;
use crate::json_object;
use crate::members::faults::Faults;
use crate::members::made::Made;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::members::words::words;
use crate::tree::{items, items_mut, member_mut, said, texts};
use fhir::json::Node;
use rules::labels::{Coding, EXTERNAL_ID_SYSTEM, LABEL_SYSTEM, Label};
use rules::rest_faults::ValueFault;

/// The longest of them: a token of the index.
const LONGEST_EXTERNAL_ID: usize = rules::limits::TOKEN_BYTES;

words! {
    /// The privacy label of an item.
    pub enum PrivacyLabel {
        GeneralHealth = "GENERAL_HEALTH",
        MentalHealth = "MENTAL_HEALTH",
        SexualHealth = "SEXUAL_HEALTH",
        SocialCare = "SOCIAL_CARE",
    }
}

json_object! {
    #[derive(Clone, Debug, PartialEq)]
    pub struct ItemMembers {
        "id" => id: String,
        "patientId" => patient_id: String,
        "fhirReference" => fhir_reference: String,
        "version" => version: i64,
        "privacyLabel" => privacy_label: Option<PrivacyLabel>,
        "source" => source: ItemSource,
        "externalId" => external_id: Option<String>,
        "dateEntered" => date_entered: String,
        "dateUpdated" => date_updated: String,
    }
}

json_body! {
    /// What an app may send of them. The others are known, and passed over: an app may send back what it was shown.
    pub struct ItemSent {
        "id" => id: Option<String>,
        "patientId" => patient_id: Option<String>,
        "fhirReference" => fhir_reference: Made<Option<String>>,
        "version" => version: Option<i64>,
        "privacyLabel" => privacy_label: Option<PrivacyLabel>,
        "source" => source: Made<ItemSource>,
        "externalId" => external_id: Option<String>,
        "dateEntered" => date_entered: Made<Option<String>>,
        "dateUpdated" => date_updated: Made<Option<String>>,
    }
}

json_object! {
    /// What a list with `since` says of an item that was deleted.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct DeletedItem {
        "id" => id: String,
        "fhirReference" => fhir_reference: String,
        "deleted" => deleted: bool,
        "dateUpdated" => date_updated: String,
    }
}

impl DeletedItem {
    #[must_use]
    pub fn new(type_name: &str, id: &str, date_updated: &str) -> Self {
        let fhir_reference = format!("{type_name}/{id}");
        Self { id: id.into(), fhir_reference, deleted: true, date_updated: date_updated.into() }
    }
}

impl ItemMembers {
    /// Those of a resource; none where it has no type and id.
    #[must_use]
    pub fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self> {
        let (type_name, id) = (said(resource, "resourceType")?, said(resource, "id")?);
        Some(Self {
            id: id.into(),
            patient_id: facts.patient_id.into(),
            fhir_reference: format!("{type_name}/{id}"),
            version: facts.version,
            privacy_label: label(resource),
            source: facts.source.clone(),
            external_id: external_id(resource).map(String::from),
            date_entered: facts.date_entered.into(),
            date_updated: facts.date_updated.into(),
        })
    }
}

impl ItemSent {
    pub(crate) fn check(&self, place: Place<'_>, faults: &mut Faults) {
        if self.external_id.as_ref().is_some_and(|id| id.len() > LONGEST_EXTERNAL_ID) {
            faults.value(place.member("externalId"), &ValueFault::TooLong(LONGEST_EXTERNAL_ID));
        }
    }

    /// Gives a resource the label and the external id that were sent; those that were not stay.
    pub(crate) fn write(&self, resource: &mut Node<'_>) {
        if let Some(now) = self.privacy_label
            && label(resource) != Some(now)
        {
            set_label(resource, now);
        }
        if let Some(now) = self.external_id.as_deref()
            && external_id(resource) != Some(now)
            && let Some(identifiers) = items_mut(resource, "identifier")
        {
            let new = texts([("system", Some(EXTERNAL_ID_SYSTEM)), ("value", Some(now))]);
            match identifiers.iter_mut().find(|one| said(one, "system") == Some(EXTERNAL_ID_SYSTEM)) {
                Some(known) => *known = new,
                None => identifiers.push(new),
            }
        }
    }
}

/// The label of an item, by `meta.security`.
#[must_use]
pub fn label(resource: &Node<'_>) -> Option<PrivacyLabel> {
    let type_name = said(resource, "resourceType")?;
    items(resource.get("meta")?, "security").iter().find_map(|coding| label_of(type_name, coding))
}

fn label_of(type_name: &str, coding: &Node<'_>) -> Option<PrivacyLabel> {
    let coding = Coding { system: said(coding, "system"), code: said(coding, "code") };
    PrivacyLabel::named(Label::of_coding(type_name, &coding)?.code())
}

/// An item has one label: whatever said another goes.
fn set_label(resource: &mut Node<'_>, label: PrivacyLabel) {
    let type_name = said(resource, "resourceType").unwrap_or_default().to_owned();
    let Some(security) = member_mut(resource, "meta").and_then(|meta| items_mut(meta, "security")) else { return };
    security.retain(|coding| label_of(&type_name, coding).is_none());
    security.push(texts([("system", Some(LABEL_SYSTEM)), ("code", Some(label.word()))]));
}

/// The id that an app gave.
#[must_use]
pub fn external_id<'n>(resource: &'n Node<'_>) -> Option<&'n str> {
    let ours = |one: &&Node<'_>| said(one, "system") == Some(EXTERNAL_ID_SYSTEM);
    items(resource, "identifier").iter().find(ours).and_then(|one| said(one, "value"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labels_are_those_of_the_rules() {
        let words = PrivacyLabel::ALL.iter().map(|label| label.word());
        assert!(words.eq(Label::ALL.iter().map(|label| label.code())));
    }
}
