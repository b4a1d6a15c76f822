//! Medications: MedicationStatement and MedicationRequest; what is made is a MedicationStatement.

use crate::elements::choice;
use crate::elements::code::{self, Code, ConceptChange};
use crate::facts::{Facts, WriteFacts};
use crate::kinds::dosage::Dosage;
use crate::kinds::subject;
use crate::members::date::{ClinicalDate, in_order};
use crate::members::faults::Faults;
use crate::members::made::Made;
use crate::members::number::Number;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::members::words::words;
use crate::tree::{items, member_mut, object, put_text, said, text, tidy};
use crate::view::View;
use fhir::json::Node;
use fhir::types::ResourceType;
use rules::rest_faults::{ShapeFault, ValueFault};

words! {
    pub enum MedicationKind {
        Statement = "STATEMENT",
        Request = "REQUEST",
    }
}

words! {
    pub enum MedicationStatus {
        Current = "CURRENT",
        Past = "PAST",
    }
}

json_body! {
    pub struct Medication {
        "substance" => substance: Option<String>,
        "substanceCode" => substance_code: Option<Code>,
        "kind" => kind: Made<MedicationKind>,
        "startDate" => start_date: Option<ClinicalDate>,
        "endDate" => end_date: Option<ClinicalDate>,
        "frequency" => frequency: Option<String>,
        "doseValue" => dose_value: Option<Number>,
        "doseUnit" => dose_unit: Option<String>,
        "status" => status: Option<MedicationStatus>,
    }
}

impl MedicationKind {
    fn of(resource: &Node<'_>) -> Option<Self> {
        match said(resource, "resourceType")? {
            "MedicationStatement" => Some(Self::Statement),
            "MedicationRequest" => Some(Self::Request),
            _ => None,
        }
    }

    const fn dosage(self) -> &'static str {
        match self {
            Self::Statement => "dosage",
            Self::Request => "dosageInstruction",
        }
    }
}

impl MedicationStatus {
    fn of(kind: MedicationKind, code: &str) -> Option<Self> {
        match (kind, code) {
            (_, "entered-in-error") => None,
            (_, "active" | "on-hold")
            | (MedicationKind::Statement, "intended")
            | (MedicationKind::Request, "draft") => Some(Self::Current),
            _ => Some(Self::Past),
        }
    }

    const fn code(self) -> &'static str {
        match self {
            Self::Current => "active",
            Self::Past => "completed",
        }
    }
}

impl View for Medication {
    const KIND: &'static str = "Medication";
    const TYPES: &'static [ResourceType] = &[ResourceType::MedicationStatement, ResourceType::MedicationRequest];
    const STATUS_WORDS: &'static [&'static str] = MedicationStatus::WORDS;

    fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self> {
        let kind = MedicationKind::of(resource)?;
        let status = MedicationStatus::of(kind, said(resource, "status")?)?;
        let concept = concept(resource, facts);
        let (start_date, end_date) = dates(resource, kind);
        let Dosage { frequency, value, unit } = Dosage::of(resource, kind.dosage());
        Some(Self {
            substance: code::name(concept),
            substance_code: Code::of(concept),
            kind: Made(kind),
            start_date,
            end_date,
            frequency,
            dose_value: value,
            dose_unit: unit,
            status: Some(status),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        if self.substance.is_none() && self.substance_code.is_none() {
            let (name, code) = (place.member("substance").path(), place.member("substanceCode").path());
            faults.shape(&ShapeFault::MissingMembers(&[&name, &code]));
        }
    }

    fn check(&self, _: Option<&Self>, _: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        if let Some(code) = &self.substance_code {
            code.check(place.member("substanceCode"), faults);
        }
        if self.dose_unit.is_some() && self.dose_value.is_none() {
            faults.value(place.member("doseUnit"), &ValueFault::Needs("doseValue"));
        }
        let span = |date: &Option<ClinicalDate>| date.as_ref().and_then(ClinicalDate::span);
        let end = place.member("endDate");
        in_order(("startDate", span(&self.start_date)), (end, span(&self.end_date)), faults);
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        object([
            ("resourceType", text("MedicationStatement")),
            ("status", text(MedicationStatus::Current.code())),
            ("subject", subject::patient(facts)),
        ])
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        let Some(kind) = MedicationKind::of(resource) else { return };
        let change = ConceptChange {
            name: (&was.substance, &self.substance),
            code: (&was.substance_code, &self.substance_code),
        };
        if resource.get("medicationReference").is_some()
            && (&was.substance, &was.substance_code) != (&self.substance, &self.substance_code)
        {
            // Another medicine than the one that is referred to: what that is called is where this one begins.
            let named = concept(resource, &facts.shown).map(crate::tree::owned);
            choice::clear(resource, "medication");
            resource.set("medicationCodeableConcept", named.unwrap_or_else(|| object([])));
        }
        change.write(resource, "medicationCodeableConcept");
        if (&was.start_date, &was.end_date) != (&self.start_date, &self.end_date) {
            self.write_dates(was, resource, kind);
        }
        let dosage = |of: &Self| Dosage {
            frequency: of.frequency.clone(),
            value: of.dose_value.clone(),
            unit: of.dose_unit.clone(),
        };
        dosage(self).write(&dosage(was), resource, kind.dosage());
        if let Some(status) = self.status
            && was.status != Some(status)
        {
            put_text(resource, "status", Some(status.code()));
        }
    }

    fn clinical_date(&self, _: &Node<'_>, facts: &Facts<'_>) -> Option<String> {
        let begun = self.start_date.as_ref().map(|date| date.0.clone());
        begun.or_else(|| Some(facts.date_entered.into()))
    }

    fn status(&self) -> Option<&'static str> {
        self.status.map(MedicationStatus::word)
    }
}

impl Medication {
    fn write_dates(&self, was: &Self, resource: &mut Node<'_>, kind: MedicationKind) {
        match kind {
            MedicationKind::Statement => {
                if was.end_date == self.end_date && resource.get("effectiveDateTime").is_some() {
                    return choice::set_start(resource, "effective", self.start_date.as_ref());
                }
                choice::set_period(resource, "effective", self.start_date.as_ref(), self.end_date.as_ref());
            }
            MedicationKind::Request => {
                let words = |date: &Option<ClinicalDate>| date.as_ref().map(|date| date.0.clone());
                put_text(resource, "authoredOn", words(&self.start_date).as_deref());
                if was.end_date == self.end_date {
                    return;
                }
                let Some(dispense) = member_mut(resource, "dispenseRequest") else { return };
                if let Some(period) = member_mut(dispense, "validityPeriod") {
                    put_text(period, "end", words(&self.end_date).as_deref());
                }
                tidy(dispense, "validityPeriod");
                tidy(resource, "dispenseRequest");
            }
        }
    }
}

/// What medicine it is: said here, by the Medication that is referred to, or by one that is contained.
fn concept<'n>(resource: &'n Node<'_>, facts: &'n Facts<'_>) -> Option<&'n Node<'n>> {
    if let Some(own) = resource.get("medicationCodeableConcept") {
        return Some(own);
    }
    let reference = said(resource.get("medicationReference")?, "reference").unwrap_or_default();
    let contained = reference
        .strip_prefix('#')
        .and_then(|id| items(resource, "contained").iter().find(|one| said(one, "id") == Some(id)));
    contained.or(facts.medication)?.get("code")
}

fn dates(resource: &Node<'_>, kind: MedicationKind) -> (Option<ClinicalDate>, Option<ClinicalDate>) {
    match kind {
        MedicationKind::Statement => (choice::start(resource, "effective"), choice::end(resource, "effective")),
        MedicationKind::Request => {
            let date = |text: &str| ClinicalDate(text.into());
            let validity = resource.get("dispenseRequest").and_then(|dispense| dispense.get("validityPeriod"));
            (said(resource, "authoredOn").map(date), validity.and_then(|period| said(period, "end")).map(date))
        }
    }
}
