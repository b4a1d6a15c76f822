//! Test results: an Observation of a laboratory, by its category or by the report that names it.

use crate::elements::code::{self, Code, ConceptChange};
use crate::elements::{choice, note, quantity, value_text};
use crate::facts::{Facts, WriteFacts};
use crate::kinds::subject;
use crate::members::date::ClinicalDate;
use crate::members::faults::Faults;
use crate::members::made::Made;
use crate::members::number::Number;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::observation::{self, HL7_CATEGORY_SYSTEM, HL7_LABORATORY, LABORATORY, ObservationView};
use crate::tree::{first, first_mut, items, items_mut, object, put_text, said, text, tidy};
use crate::view::View;
use fhir::json::Node;
use fhir::types::ResourceType;
use rules::rest_faults::{ShapeFault, ValueFault};

const INTERPRETATION: &str = "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation";
const COMPARATORS: [&str; 4] = ["<", "<=", ">=", ">"];
const RANGE: &str = "referenceRange";

json_body! {
    pub struct TestResult {
        "testId" => test_id: Option<String>,
        "name" => name: Option<String>,
        "value" => value: Option<Number>,
        "comparator" => comparator: Option<String>,
        "unit" => unit: Option<String>,
        "valueText" => value_text: Option<String>,
        "referenceLow" => reference_low: Option<Number>,
        "referenceHigh" => reference_high: Option<Number>,
        "referenceText" => reference_text: Option<String>,
        "interpretation" => interpretation: Option<String>,
        "dateTaken" => date_taken: Option<ClinicalDate>,
        "reportId" => report_id: Made<Option<String>>,
        "reportName" => report_name: Made<Option<String>>,
        "reportText" => report_text: Made<Option<String>>,
        "comment" => comment: Option<String>,
    }
}

impl View for TestResult {
    const KIND: &'static str = "Test result";
    const TYPES: &'static [ResourceType] = &[ResourceType::Observation];

    fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self> {
        let is_reported = facts.is_reported || facts.report.is_some_and(observation::is_laboratory_report);
        if observation::view(resource, is_reported) != Some(ObservationView::TestResult) {
            return None;
        }
        let concept = resource.get("code");
        let measured = resource.get("valueQuantity").filter(|one| one.get("value").is_some());
        let range = first(resource, RANGE);
        let limit = |name| range.and_then(|range| range.get(name)).and_then(quantity::number);
        let report = |name| Made(facts.report.and_then(|report| said(report, name)).map(String::from));
        Some(Self {
            test_id: Code::of(concept).and_then(|code| test_id(&code)),
            name: code::name(concept),
            value: measured.and_then(quantity::number),
            comparator: measured.and_then(|one| said(one, "comparator")).map(String::from),
            unit: measured.and_then(quantity::plain_unit),
            value_text: words(resource, measured.is_some()),
            reference_low: limit("low"),
            reference_high: limit("high"),
            reference_text: range.and_then(|range| said(range, "text")).map(String::from),
            interpretation: interpretation(resource),
            date_taken: choice::start(resource, "effective"),
            report_id: report("id"),
            report_name: Made(facts.report.and_then(|report| code::name(report.get("code")))),
            report_text: report("conclusion"),
            comment: note::comment(resource),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        let path = |name| place.member(name).path();
        if self.test_id.is_none() && self.name.is_none() {
            faults.shape(&ShapeFault::MissingMembers(&[&path("testId"), &path("name")]));
        }
        if self.value.is_none() && self.value_text.is_none() {
            faults.shape(&ShapeFault::MissingMembers(&[&path("value"), &path("valueText")]));
        }
        if self.date_taken.is_none() {
            faults.shape(&ShapeFault::MissingMember(&path("dateTaken")));
        }
    }

    fn check(&self, was: Option<&Self>, _: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        if let Some(code) = self.test_id.as_deref().map(test_code)
            && (code.system.is_some_and(|system| system.is_empty() || system.contains(char::is_whitespace))
                || code.code.is_none_or(|code| code.split(char::is_whitespace).any(str::is_empty)))
        {
            faults.value(place.member("testId"), &ValueFault::NoCode);
        }
        if let Some(comparator) = &self.comparator
            && !COMPARATORS.contains(&comparator.as_str())
        {
            faults.value(place.member("comparator"), &ValueFault::NotOneOf(&COMPARATORS.join(", ")));
        }
        for (name, is_there) in [("comparator", self.comparator.is_some()), ("unit", self.unit.is_some())] {
            if is_there && self.value.is_none() {
                faults.value(place.member(name), &ValueFault::Needs("value"));
            }
        }
        // Beside a number, text is that of components, which are not changed here.
        if self.value.is_some() && self.value_text.is_some() && was.is_none_or(|was| was.value_text != self.value_text)
        {
            faults.value(place.member("valueText"), &ValueFault::NotBeside("value"));
        }
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        let mut resource = subject::observation(facts, LABORATORY);
        if let Some(categories) = items_mut(&mut resource, "category") {
            categories.insert(0, code::concept(HL7_CATEGORY_SYSTEM, HL7_LABORATORY, None));
        }
        resource
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, _: &WriteFacts<'_>) {
        let (before, now) = (was.test_id.as_deref().map(test_code), self.test_id.as_deref().map(test_code));
        let change = ConceptChange { name: (&was.name, &self.name), code: (&before, &now) };
        change.write(resource, "code");
        self.write_value(was, resource);
        self.write_range(was, resource);
        if was.interpretation != self.interpretation {
            write_interpretation(resource, self.interpretation.as_deref());
        }
        if was.date_taken != self.date_taken {
            choice::set_start(resource, "effective", self.date_taken.as_ref());
        }
        note::write(resource, was.comment.as_ref(), self.comment.as_ref());
    }

    fn clinical_date(&self, _: &Node<'_>, _: &Facts<'_>) -> Option<String> {
        self.date_taken.as_ref().map(|date| date.0.clone())
    }
}

impl TestResult {
    fn write_value(&self, was: &Self, resource: &mut Node<'_>) {
        let is_measured_anew = (&was.value, &was.comparator, &was.unit) != (&self.value, &self.comparator, &self.unit);
        match &self.value {
            Some(value) if is_measured_anew => {
                resource.remove("dataAbsentReason");
                if resource.get("valueQuantity").is_none() {
                    choice::clear(resource, "value");
                }
                if let Some(measured) = quantity::set_number(resource, "valueQuantity", value) {
                    quantity::set_comparator(measured, self.comparator.as_deref());
                    if was.unit != self.unit {
                        quantity::set_plain_unit(measured, self.unit.as_deref());
                    }
                }
            }
            None if is_measured_anew || was.value_text != self.value_text => {
                resource.remove("dataAbsentReason");
                choice::clear(resource, "value");
                // The text is the value now; components would be told beside it.
                resource.remove("component");
                put_text(resource, "valueString", self.value_text.as_deref());
            }
            _ => {}
        }
    }

    fn write_range(&self, was: &Self, resource: &mut Node<'_>) {
        let own = |of: &Self| (of.reference_low.clone(), of.reference_high.clone(), of.reference_text.clone());
        if own(was) == own(self) {
            return;
        }
        let Some(range) = first_mut(resource, RANGE) else { return };
        let limits =
            [("low", &was.reference_low, &self.reference_low), ("high", &was.reference_high, &self.reference_high)];
        for (name, before, now) in limits {
            match now {
                Some(now) if Some(now) != before.as_ref() => {
                    if let Some(limit) = quantity::set_number(range, name, now)
                        && before.is_none()
                        && let Some(unit) = &self.unit
                    {
                        put_text(limit, "unit", Some(unit));
                    }
                }
                None => drop(range.remove(name)),
                Some(_) => {}
            }
        }
        put_text(range, "text", self.reference_text.as_deref());
        tidy(resource, RANGE);
    }
}

/// `system|code`, or the code alone where there is no system.
#[must_use]
pub fn test_id(code: &Code) -> Option<String> {
    let own = code.code.as_ref()?;
    Some(code.system.as_ref().map_or_else(|| own.clone(), |system| format!("{system}|{own}")))
}

/// The coding that a test id names.
#[must_use]
pub fn test_code(test_id: &str) -> Code {
    let (system, code) = test_id.rsplit_once('|').map_or((None, test_id), |(system, code)| (Some(system), code));
    Code {
        system: system.map(String::from),
        code: Some(code.into()).filter(|code: &String| !code.is_empty()),
        display: None,
    }
}

/// The value where it is no number, and the components as `name: value`.
fn words(resource: &Node<'_>, is_measured: bool) -> Option<String> {
    let own = if is_measured { None } else { value_text::of(resource) };
    let components = items(resource, "component").iter().filter_map(|component| {
        let value = value_text::of(component)?;
        Some(code::name(component.get("code")).map_or_else(|| value.clone(), |name| format!("{name}: {value}")))
    });
    let all: Vec<String> = own.into_iter().chain(components).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn interpretation(resource: &Node<'_>) -> Option<String> {
    let concept = first(resource, "interpretation")?;
    let coded = first(concept, "coding").and_then(|coding| said(coding, "code"));
    coded.or_else(|| said(concept, "text")).map(String::from)
}

/// HL7's codes are one to three capitals or signs; anything else is words.
fn write_interpretation(resource: &mut Node<'_>, sent: Option<&str>) {
    let is_code =
        |code: &str| code.len() <= 3 && code.bytes().all(|byte| byte.is_ascii_uppercase() || b"<>+-".contains(&byte));
    let new = sent.map(|sent| {
        if is_code(sent) { code::concept(INTERPRETATION, sent, None) } else { object([("text", text(sent))]) }
    });
    let Some(all) = items_mut(resource, "interpretation") else { return };
    match (all.first_mut(), new) {
        (Some(known), Some(new)) => *known = new,
        (None, Some(new)) => all.push(new),
        (Some(_), None) => drop(all.remove(0)),
        (None, None) => {}
    }
    tidy(resource, "interpretation");
}
