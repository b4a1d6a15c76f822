//! Diagnoses: Condition, but for those that were refuted.

use crate::elements::code::{self, Code, ConceptChange};
use crate::elements::{choice, note};
use crate::facts::{Facts, WriteFacts};
use crate::kinds::subject;
use crate::members::date::{ClinicalDate, in_order};
use crate::members::faults::Faults;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::members::words::words;
use crate::tree::{object, put_text, said, text};
use crate::view::View;
use fhir::json::Node;
use fhir::types::ResourceType;
use rules::rest_faults::{ShapeFault, ValueFault};

const CLINICAL_STATUS: &str = "http://terminology.hl7.org/CodeSystem/condition-clinical";
const VERIFICATION: &str = "http://terminology.hl7.org/CodeSystem/condition-ver-status";

words! {
    pub enum DiagnosisStatus {
        Active = "ACTIVE",
        Inactive = "INACTIVE",
        Resolved = "RESOLVED",
    }
}

json_body! {
    pub struct Diagnosis {
        "name" => name: Option<String>,
        "code" => code: Option<Code>,
        "status" => status: Option<DiagnosisStatus>,
        "onsetDate" => onset_date: Option<ClinicalDate>,
        "endDate" => end_date: Option<ClinicalDate>,
        "comment" => comment: Option<String>,
    }
}

impl DiagnosisStatus {
    /// The code that is written, and those that mean the same here.
    const fn codes(self) -> &'static [&'static str] {
        match self {
            Self::Active => &["active", "recurrence", "relapse"],
            Self::Inactive => &["inactive", "remission"],
            Self::Resolved => &["resolved"],
        }
    }
}

impl View for Diagnosis {
    const KIND: &'static str = "Diagnosis";
    const TYPES: &'static [ResourceType] = &[ResourceType::Condition];
    const STATUS_WORDS: &'static [&'static str] = DiagnosisStatus::WORDS;

    fn of(resource: &Node<'_>, _: &Facts<'_>) -> Option<Self> {
        if said(resource, "resourceType") != Some("Condition") {
            return None;
        }
        let verified = resource.get("verificationStatus");
        if ["refuted", "entered-in-error"].iter().any(|no| verified.is_some_and(|one| code::has(one, VERIFICATION, no)))
        {
            return None;
        }
        let status = resource.get("clinicalStatus").and_then(|status| code::coded(status, CLINICAL_STATUS).next());
        let concept = resource.get("code");
        Some(Self {
            name: code::name(concept),
            code: Code::of(concept),
            status: status
                .and_then(|code| DiagnosisStatus::ALL.iter().copied().find(|one| one.codes().contains(&code))),
            onset_date: choice::start(resource, "onset"),
            end_date: abatement(resource),
            comment: note::comment(resource),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        if self.name.is_none() && self.code.is_none() {
            let (name, code) = (place.member("name").path(), place.member("code").path());
            faults.shape(&ShapeFault::MissingMembers(&[&name, &code]));
        }
    }

    fn check(&self, was: Option<&Self>, _: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        if let Some(code) = &self.code {
            code.check(place.member("code"), faults);
        }
        let status = self.status.or_else(|| was?.status);
        if self.end_date.is_some() && status == Some(DiagnosisStatus::Active) {
            faults.value(place.member("endDate"), &ValueFault::EndedAndActive);
        }
        let span = |date: &Option<ClinicalDate>| date.as_ref().and_then(ClinicalDate::span);
        let end = place.member("endDate");
        in_order(("onsetDate", span(&self.onset_date)), (end, span(&self.end_date)), faults);
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        // What has ended is not active.
        let status = if self.end_date.is_some() { DiagnosisStatus::Resolved } else { DiagnosisStatus::Active };
        object([
            ("resourceType", text("Condition")),
            ("clinicalStatus", code::concept(CLINICAL_STATUS, written(status), None)),
            ("subject", subject::patient(facts)),
        ])
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, _: &WriteFacts<'_>) {
        let change = ConceptChange { name: (&was.name, &self.name), code: (&was.code, &self.code) };
        change.write(resource, "code");
        if let Some(status) = self.status
            && was.status != Some(status)
        {
            code::set_coded(resource, "clinicalStatus", CLINICAL_STATUS, written(status));
        }
        if was.onset_date != self.onset_date {
            choice::set_start(resource, "onset", self.onset_date.as_ref());
        }
        if was.end_date != self.end_date {
            let words = self.end_date.as_ref().map(|date| date.0.as_str());
            match resource.get_mut("abatementPeriod") {
                Some(period) if words.is_some() => put_text(period, "end", words),
                _ => {
                    choice::clear(resource, "abatement");
                    put_text(resource, "abatementDateTime", words);
                }
            }
        }
        note::write(resource, was.comment.as_ref(), self.comment.as_ref());
    }

    fn clinical_date(&self, resource: &Node<'_>, facts: &Facts<'_>) -> Option<String> {
        let begun = || self.onset_date.as_ref().map(|date| date.0.clone());
        let recorded = said(resource, "recordedDate").map(String::from);
        recorded.or_else(begun).or_else(|| Some(facts.date_entered.into()))
    }

    fn status(&self) -> Option<&'static str> {
        self.status.map(DiagnosisStatus::word)
    }
}

fn written(status: DiagnosisStatus) -> &'static str {
    status.codes().first().copied().unwrap_or_default()
}

/// When it ended: a moment, or the end of the period in which it did.
fn abatement(resource: &Node<'_>) -> Option<ClinicalDate> {
    choice::end(resource, "abatement").or_else(|| choice::start(resource, "abatement"))
}
