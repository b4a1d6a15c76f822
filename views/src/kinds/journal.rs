//! The journal: an Observation of our category JOURNAL, which the patient or a carer wrote.

use crate::elements::attachment::{self, Attachment};
use crate::elements::{choice, code};
use crate::facts::{Facts, WriteFacts};
use crate::kinds::subject;
use crate::measurement_types::LOINC;
use crate::members::date::ClinicalDate;
use crate::members::faults::Faults;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::observation::{self, JOURNAL, ObservationView};
use crate::tree::{items, items_mut, member_mut, put_text, said, texts, tidy};
use crate::view::View;
use fhir::json::Node;
use fhir::reference;
use fhir::types::ResourceType;
use rules::rest_faults::ShapeFault;

/// LOINC's "Patient Note".
const PATIENT_NOTE: &str = "51855-5";
const DERIVED_FROM: &str = "derivedFrom";

json_body! {
    pub struct JournalEntry {
        "title" => title: Option<String>,
        "text" => words: Option<String>,
        "date" => date: Option<ClinicalDate>,
        "attachments" => attachments: Vec<String>,
    }
}

impl View for JournalEntry {
    const KIND: &'static str = "Journal entry";
    const TYPES: &'static [ResourceType] = &[ResourceType::Observation];

    fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self> {
        if observation::view(resource, facts.is_reported) != Some(ObservationView::JournalEntry) {
            return None;
        }
        Some(Self {
            title: code::plain_name(resource.get("code")),
            words: said(resource, "valueString").map(String::from),
            date: choice::start(resource, "effective"),
            attachments: attachments(resource, facts),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        for (name, is_there) in [("text", self.words.is_some()), ("date", self.date.is_some())] {
            if !is_there {
                faults.shape(&ShapeFault::MissingMember(&place.member(name).path()));
            }
        }
    }

    fn check(&self, was: Option<&Self>, facts: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        if was.is_none_or(|was| was.attachments != self.attachments) {
            let named = self.attachments.iter().map(|id| Attachment::named(id));
            attachment::check(&named.collect::<Vec<_>>(), facts.attachments, place.member("attachments"), faults);
        }
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        let mut resource = subject::observation(facts, JOURNAL);
        resource.set("code", code::concept(LOINC, PATIENT_NOTE, None));
        resource
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        if was.title != self.title
            && let Some(code) = member_mut(resource, "code")
        {
            put_text(code, "text", self.title.as_deref());
        }
        if was.words != self.words {
            choice::clear(resource, "value");
            put_text(resource, "valueString", self.words.as_deref());
        }
        if was.date != self.date {
            choice::set_start(resource, "effective", self.date.as_ref());
        }
        if was.attachments != self.attachments {
            self.write_attachments(resource, facts);
        }
    }

    fn clinical_date(&self, _: &Node<'_>, _: &Facts<'_>) -> Option<String> {
        self.date.as_ref().map(|date| date.0.clone())
    }
}

impl JournalEntry {
    /// What was derived from anything else stays.
    fn write_attachments(&self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        let shown: Vec<String> = documents(resource, &facts.shown).map(|(reference, _)| reference.to_owned()).collect();
        let held = |id: &String| facts.attachments.iter().find(|known| known.id == *id)?.document.clone();
        let mut wanted: Vec<String> = self.attachments.iter().filter_map(held).map(|id| document(&id)).collect();
        wanted.dedup();
        let Some(references) = items_mut(resource, DERIVED_FROM) else { return };
        references.retain(|one| {
            let named = said(one, "reference").unwrap_or_default();
            !shown.iter().any(|known| known == named) || wanted.iter().any(|known| known == named)
        });
        wanted.retain(|new| !references.iter().any(|one| said(one, "reference") == Some(new)));
        references.extend(wanted.iter().map(|new| texts([("reference", Some(new))])));
        tidy(resource, DERIVED_FROM);
    }
}

fn document(id: &str) -> String {
    format!("DocumentReference/{id}")
}

/// The documents that an entry is derived from, among those that are known.
fn documents<'n>(resource: &'n Node<'_>, facts: &'n Facts<'_>) -> impl Iterator<Item = (&'n str, &'n Node<'n>)> {
    items(resource, DERIVED_FROM).iter().filter_map(|derived| {
        let named = said(derived, "reference")?;
        let id = reference::id_in(named, ResourceType::DocumentReference, facts.base)?;
        let known = facts.documents.iter().find(|document| said(document, "id") == Some(id))?;
        Some((named, known))
    })
}

fn attachments(resource: &Node<'_>, facts: &Facts<'_>) -> Vec<String> {
    let contents = documents(resource, facts).flat_map(|(_, document)| items(document, "content"));
    let shown = contents.filter_map(|content| Attachment::of(content.get("attachment")?, facts.base));
    shown.map(|attachment| attachment.id().to_owned()).collect()
}
