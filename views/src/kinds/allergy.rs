//! Allergies: AllergyIntolerance, but for those that were refuted.

use crate::elements::choice;
use crate::elements::code::{self, Code, ConceptChange};
use crate::facts::{Facts, WriteFacts};
use crate::kinds::reactions::{self, Severity};
use crate::kinds::subject;
use crate::members::date::is_clinical;
use crate::members::faults::Faults;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::members::words::words;
use crate::tree::{object, put_text, said, text};
use crate::view::View;
use fhir::json::Node;
use fhir::types::ResourceType;
use rules::rest_faults::{ShapeFault, ValueFault};

const CLINICAL_STATUS: &str = "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical";
const VERIFICATION: &str = "http://terminology.hl7.org/CodeSystem/allergyintolerance-verification";

words! {
    pub enum AllergyStatus {
        Active = "ACTIVE",
        Inactive = "INACTIVE",
        Resolved = "RESOLVED",
    }
}

words! {
    pub enum Criticality {
        Low = "LOW",
        High = "HIGH",
        Unknown = "UNKNOWN",
    }
}

json_body! {
    pub struct Allergy {
        "substance" => substance: Option<String>,
        "substanceCode" => substance_code: Option<Code>,
        "onsetOfSymptoms" => onset: Option<String>,
        "reactions" => reactions: Vec<String>,
        "severity" => severity: Option<Severity>,
        "criticality" => criticality: Option<Criticality>,
        "status" => status: Option<AllergyStatus>,
    }
}

impl AllergyStatus {
    const fn code(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Inactive => "inactive",
            Self::Resolved => "resolved",
        }
    }
}

impl Criticality {
    const fn code(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::High => "high",
            Self::Unknown => "unable-to-assess",
        }
    }
}

impl View for Allergy {
    const KIND: &'static str = "Allergy";
    const TYPES: &'static [ResourceType] = &[ResourceType::AllergyIntolerance];
    const STATUS_WORDS: &'static [&'static str] = AllergyStatus::WORDS;

    fn of(resource: &Node<'_>, _: &Facts<'_>) -> Option<Self> {
        if said(resource, "resourceType") != Some("AllergyIntolerance") {
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
            substance: code::plain_name(concept),
            substance_code: Code::of(concept),
            onset: onset(resource).map(String::from),
            reactions: reactions::listed(resource),
            severity: reactions::severity(resource),
            criticality: said(resource, "criticality")
                .and_then(|code| Criticality::ALL.iter().copied().find(|one| one.code() == code)),
            status: status.and_then(|code| AllergyStatus::ALL.iter().copied().find(|one| one.code() == code)),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        if self.substance.is_none() && self.substance_code.is_none() {
            let paths = [place.member("substance").path(), place.member("substanceCode").path()];
            faults.shape(&ShapeFault::MissingMembers(&[&paths[0], &paths[1]]));
        }
    }

    fn check(&self, _: Option<&Self>, _: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        if let Some(code) = &self.substance_code {
            code.check(place.member("substanceCode"), faults);
        }
        if self.severity.is_some() && self.reactions.is_empty() {
            faults.value(place.member("severity"), &ValueFault::Needs("reactions"));
        }
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        object([
            ("resourceType", text("AllergyIntolerance")),
            ("clinicalStatus", code::concept(CLINICAL_STATUS, AllergyStatus::Active.code(), None)),
            ("patient", subject::patient(facts)),
        ])
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, _: &WriteFacts<'_>) {
        let change = ConceptChange {
            name: (&was.substance, &self.substance),
            code: (&was.substance_code, &self.substance_code),
        };
        change.write(resource, "code");
        if was.onset != self.onset {
            choice::clear(resource, "onset");
            if let Some(words) = &self.onset {
                let member = if is_clinical(words) { "onsetDateTime" } else { "onsetString" };
                resource.set(member, text(words));
            }
        }
        reactions::write(resource, &self.reactions);
        reactions::write_severity(resource, self.severity);
        if was.criticality != self.criticality {
            put_text(resource, "criticality", self.criticality.map(Criticality::code));
        }
        if let Some(status) = self.status
            && was.status != Some(status)
        {
            code::set_coded(resource, "clinicalStatus", CLINICAL_STATUS, status.code());
        }
    }

    fn clinical_date(&self, resource: &Node<'_>, facts: &Facts<'_>) -> Option<String> {
        let begun = || choice::start(resource, "onset").map(|date| date.0);
        let recorded = said(resource, "recordedDate").map(String::from);
        recorded.or_else(begun).or_else(|| Some(facts.date_entered.into()))
    }

    fn status(&self) -> Option<&'static str> {
        self.status.map(AllergyStatus::word)
    }
}

fn onset<'n>(resource: &'n Node<'_>) -> Option<&'n str> {
    said(resource, "onsetDateTime").or_else(|| said(resource, "onsetString"))
}
