//! Measurements: an Observation whose code is in the table of types.

use crate::elements::{choice, code, note, quantity, value_text};
use crate::facts::{Facts, WriteFacts};
use crate::kinds::subject;
use crate::measurement_types::MeasurementType;
use crate::members::date::ClinicalDate;
use crate::members::faults::Faults;
use crate::members::made::Made;
use crate::members::number::Number;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::observation::{self, HL7_CATEGORY_SYSTEM, MEASUREMENT, ObservationView};
use crate::tree::{items, items_mut, object, tidy};
use crate::view::View;
use fhir::json::Node;
use fhir::types::ResourceType;
use rules::rest_faults::{ShapeFault, ValueFault};

/// How far in the future a measurement may be taken: clocks differ, and so do zones.
const AHEAD_SECONDS: i64 = 86_400;

json_body! {
    pub struct Measurement {
        "apiRef" => api_ref: String,
        "name" => name: Made<&'static str>,
        "value" => value: Option<Number>,
        "value2" => value2: Option<Number>,
        "valueText" => value_text: Option<String>,
        "unit" => unit: Option<String>,
        "dateTaken" => date_taken: Option<ClinicalDate>,
        "comment" => comment: Option<String>,
    }
}

impl View for Measurement {
    const KIND: &'static str = "Measurement";
    const TYPES: &'static [ResourceType] = &[ResourceType::Observation];

    fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self> {
        let Some(ObservationView::Measurement(kind)) = observation::view(resource, facts.is_reported) else {
            return None;
        };
        let quantities = quantities(resource, kind);
        let number = |at: usize| quantities.get(at).copied().flatten().and_then(quantity::number);
        let unit = quantities.into_iter().flatten().find_map(quantity::coded_unit);
        let value_text = if quantities.iter().any(Option::is_some) { None } else { value_text::of(resource) };
        Some(Self {
            api_ref: kind.api_ref.into(),
            name: Made(kind.name),
            value: number(0),
            value2: number(1),
            value_text,
            unit,
            date_taken: choice::start(resource, "effective"),
            comment: note::comment(resource),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        if self.value.is_none() && self.value_text.is_none() {
            faults.shape(&ShapeFault::MissingMembers(&[
                &place.member("value").path(),
                &place.member("valueText").path(),
            ]));
        }
        if self.date_taken.is_none() {
            faults.shape(&ShapeFault::MissingMember(&place.member("dateTaken").path()));
        }
        if self.api_ref.is_empty() {
            return;
        }
        match MeasurementType::named(&self.api_ref) {
            None => {
                let path = place.member("apiRef").path();
                faults.shape(&ShapeFault::UnknownType { path: &path, known: &MeasurementType::all_names() });
            }
            Some(kind) if kind.components.is_none() && self.value2.is_some() => {
                let path = place.member("value2").path();
                faults.shape(&ShapeFault::MemberOfOthers { path: &path, only: "bloodPressure" });
            }
            Some(_) => {}
        }
    }

    fn check(&self, was: Option<&Self>, facts: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        if was.is_some_and(|was| was.api_ref != self.api_ref) {
            faults.value(place.member("apiRef"), &ValueFault::Fixed);
        }
        if self.value_text.is_some() && (self.value.is_some() || self.value2.is_some()) {
            faults.value(place.member("valueText"), &ValueFault::NotBeside("value"));
        }
        let kind = MeasurementType::named(&self.api_ref);
        // What was stored in another unit may keep it.
        let is_kept = was.is_some_and(|was| was.unit == self.unit);
        if let (Some(kind), Some(unit)) = (kind, &self.unit)
            && !kind.units.contains(&unit.as_str())
            && !is_kept
        {
            faults.value(place.member("unit"), &ValueFault::NotOneOf(&kind.units.join(", ")));
        }
        if self.api_ref == "painScore" && self.value.as_ref().is_some_and(|value| !value.is_within(0, 10)) {
            faults.value(place.member("value"), &ValueFault::NotBetween("0", "10"));
        }
        let latest = facts.now.plus_seconds(AHEAD_SECONDS).0.saturating_mul(1000);
        if self.date_taken.as_ref().and_then(ClinicalDate::span).is_some_and(|span| span.low > latest) {
            faults.value(place.member("dateTaken"), &ValueFault::InFuture);
        }
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        let mut resource = subject::observation(facts, MEASUREMENT);
        if let Some(kind) = MeasurementType::named(&self.api_ref) {
            if kind.is_vital_sign
                && let Some(categories) = items_mut(&mut resource, "category")
            {
                categories.insert(0, code::concept(HL7_CATEGORY_SYSTEM, "vital-signs", None));
            }
            resource.set("code", code::concept(kind.system, kind.code(), Some(kind.name)));
        }
        resource
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, _: &WriteFacts<'_>) {
        if (&was.value, &was.value2, &was.value_text, &was.unit)
            != (&self.value, &self.value2, &self.value_text, &self.unit)
        {
            self.write_value(was, resource);
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

impl Measurement {
    fn write_value(&self, was: &Self, resource: &mut Node<'_>) {
        let Some(kind) = MeasurementType::named(&self.api_ref) else { return };
        if let Some(words) = &self.value_text {
            for component in kind.components.into_iter().flatten() {
                without_value(resource, component);
            }
            choice::clear(resource, "value");
            resource.set("valueString", crate::tree::text(words));
            return;
        }
        // A result that is there has no reason to be absent.
        resource.remove("dataAbsentReason");
        let unit = self.unit.as_deref().or(was.unit.as_deref()).unwrap_or_else(|| kind.default_unit());
        let unit = (was.unit.as_deref() != Some(unit)).then_some(unit);
        match kind.components {
            None => {
                if resource.get("valueQuantity").is_none() {
                    choice::clear(resource, "value");
                }
                if let Some(value) = &self.value {
                    set_quantity(resource, value, unit);
                }
            }
            Some([first, second]) => {
                choice::clear(resource, "value");
                let unit =
                    if was.value.is_none() || was.value2.is_none() { unit.or(was.unit.as_deref()) } else { unit };
                for (component, value) in [(first, &self.value), (second, &self.value2)] {
                    match value {
                        Some(value) => {
                            if let Some(component) = component_mut(resource, kind, component) {
                                set_quantity(component, value, unit);
                            }
                        }
                        None => without_value(resource, component),
                    }
                }
            }
        }
    }
}

/// The quantities of a measurement: one, or those of the two components. What has a comparator is no plain number.
fn quantities<'n, 'a>(resource: &'n Node<'a>, kind: &MeasurementType) -> [Option<&'n Node<'a>>; 2] {
    let quantity_of =
        |holder: &'n Node<'a>| holder.get("valueQuantity").filter(|quantity| quantity.get("comparator").is_none());
    let component = |wanted: &str| {
        let found = items(resource, "component").iter().find(|one| is_component(one, kind.system, wanted));
        found.and_then(quantity_of)
    };
    match kind.components {
        Some([first, second]) => [component(first), component(second)],
        None => [quantity_of(resource), None],
    }
}

fn is_component(component: &Node<'_>, system: &str, wanted: &str) -> bool {
    component.get("code").is_some_and(|concept| code::has(concept, system, wanted))
}

fn component_mut<'n, 'a>(resource: &'n mut Node<'a>, kind: &MeasurementType, wanted: &str) -> Option<&'n mut Node<'a>> {
    let components = items_mut(resource, "component")?;
    let at = components.iter().position(|one| is_component(one, kind.system, wanted));
    let at = at.unwrap_or_else(|| {
        components.push(object([("code", code::concept(kind.system, wanted, None))]));
        components.len() - 1
    });
    let component = components.get_mut(at)?;
    component.remove("dataAbsentReason");
    if component.get("valueQuantity").is_none() {
        choice::clear(component, "value");
    }
    Some(component)
}

/// Takes a component away.
fn without_value(resource: &mut Node<'_>, wanted: &str) {
    if let Some(components) = items_mut(resource, "component") {
        components.retain(|one| !is_component(one, crate::measurement_types::LOINC, wanted));
    }
    tidy(resource, "component");
}

fn set_quantity(holder: &mut Node<'_>, value: &Number, unit: Option<&str>) {
    if let Some(known) = holder.get("valueQuantity")
        && quantity::number(known).as_ref() == Some(value)
        && unit.is_none()
    {
        return;
    }
    if let Some(quantity) = quantity::set_number(holder, "valueQuantity", value) {
        quantity::set_comparator(quantity, None);
        if let Some(unit) = unit {
            quantity::set_coded_unit(quantity, unit);
        }
    }
}
