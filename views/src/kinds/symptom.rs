//! Symptoms: an Observation of our category SYMPTOM.

use crate::elements::code::{self, Code, ConceptChange};
use crate::elements::{choice, note};
use crate::facts::{Facts, WriteFacts};
use crate::kinds::subject;
use crate::members::date::{ClinicalDate, in_order};
use crate::members::faults::Faults;
use crate::members::number::Number;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::observation::{self, ObservationView, SYMPTOM};
use crate::view::View;
use fhir::json::Node;
use fhir::types::ResourceType;
use rules::rest_faults::{ShapeFault, ValueFault};

json_body! {
    pub struct Symptom {
        "name" => name: Option<String>,
        "code" => code: Option<Code>,
        "severity" => severity: Option<i64>,
        "dateStarted" => date_started: Option<ClinicalDate>,
        "dateEnded" => date_ended: Option<ClinicalDate>,
        "comment" => comment: Option<String>,
    }
}

impl View for Symptom {
    const KIND: &'static str = "Symptom";
    const TYPES: &'static [ResourceType] = &[ResourceType::Observation];

    fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self> {
        if observation::view(resource, facts.is_reported) != Some(ObservationView::Symptom) {
            return None;
        }
        let concept = resource.get("code");
        let severity = resource.get("valueInteger").and_then(Node::number).and_then(|digits| digits.parse().ok());
        Some(Self {
            name: code::name(concept),
            code: Code::of(concept),
            severity: severity.filter(|severity| (0..=10).contains(severity)),
            date_started: choice::start(resource, "effective"),
            date_ended: choice::end(resource, "effective"),
            comment: note::comment(resource),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        if self.name.is_none() && self.code.is_none() {
            let (name, code) = (place.member("name").path(), place.member("code").path());
            faults.shape(&ShapeFault::MissingMembers(&[&name, &code]));
        }
        if self.date_started.is_none() {
            faults.shape(&ShapeFault::MissingMember(&place.member("dateStarted").path()));
        }
    }

    fn check(&self, _: Option<&Self>, _: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        if let Some(code) = &self.code {
            code.check(place.member("code"), faults);
        }
        if self.severity.is_some_and(|severity| !(0..=10).contains(&severity)) {
            faults.value(place.member("severity"), &ValueFault::NotBetween("0", "10"));
        }
        let span = |date: &Option<ClinicalDate>| date.as_ref().and_then(ClinicalDate::span);
        let end = place.member("dateEnded");
        in_order(("dateStarted", span(&self.date_started)), (end, span(&self.date_ended)), faults);
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        subject::observation(facts, SYMPTOM)
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, _: &WriteFacts<'_>) {
        let change = ConceptChange { name: (&was.name, &self.name), code: (&was.code, &self.code) };
        change.write(resource, "code");
        if was.severity != self.severity {
            choice::clear(resource, "value");
            if let Some(severity) = self.severity {
                resource.remove("dataAbsentReason");
                resource.set("valueInteger", Number::from(severity).node());
            }
        }
        if was.date_ended != self.date_ended || (was.date_started.is_none() && self.date_started.is_some()) {
            choice::set_period(resource, "effective", self.date_started.as_ref(), self.date_ended.as_ref());
        } else if was.date_started != self.date_started {
            choice::set_start(resource, "effective", self.date_started.as_ref());
        }
        note::write(resource, was.comment.as_ref(), self.comment.as_ref());
    }

    fn clinical_date(&self, _: &Node<'_>, _: &Facts<'_>) -> Option<String> {
        self.date_started.as_ref().map(|date| date.0.clone())
    }
}
