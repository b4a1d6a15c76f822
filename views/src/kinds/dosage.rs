//! How a medicine is taken: how often, and how much at a time.

use crate::elements::{code, quantity};
use crate::members::number::Number;
use crate::tree::{first, first_mut, put_text, said, tidy};
use fhir::json::Node;

/// What is shown of the first dosage of a medication.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dosage {
    pub frequency: Option<String>,
    pub value: Option<Number>,
    pub unit: Option<String>,
}

impl Dosage {
    pub fn of(medication: &Node<'_>, member: &str) -> Self {
        let Some(dosage) = first(medication, member) else { return Self::default() };
        let timed = || dosage.get("timing").and_then(timing);
        let quantity = first(dosage, "doseAndRate").and_then(|rate| rate.get("doseQuantity"));
        Self {
            frequency: said(dosage, "text").map(String::from).or_else(timed),
            value: quantity.and_then(quantity::number),
            unit: quantity.and_then(quantity::plain_unit),
        }
    }

    /// Has the first dosage say this.
    pub fn write(&self, was: &Self, medication: &mut Node<'_>, member: &str) {
        if self == was {
            return;
        }
        let Some(dosage) = first_mut(medication, member) else { return };
        if was.frequency != self.frequency {
            // What the timing says is told by the text from now on, and must not say something else.
            dosage.remove("timing");
            put_text(dosage, "text", self.frequency.as_deref());
        }
        if (&was.value, &was.unit) != (&self.value, &self.unit)
            && let Some(rate) = first_mut(dosage, "doseAndRate")
        {
            rate.remove("doseRange");
            match &self.value {
                None => drop(rate.remove("doseQuantity")),
                Some(value) => {
                    if let Some(known) = quantity::set_number(rate, "doseQuantity", value)
                        && was.unit != self.unit
                    {
                        quantity::set_plain_unit(known, self.unit.as_deref());
                    }
                }
            }
            tidy(dosage, "doseAndRate");
        }
        tidy(medication, member);
    }
}

/// A Timing in words: `2 times in 1 d`.
fn timing(timing: &Node<'_>) -> Option<String> {
    if let Some(name) = code::name(timing.get("code")) {
        return Some(name);
    }
    let repeat = timing.get("repeat")?;
    let number = |name| repeat.get(name).and_then(Node::number);
    let (period, unit) = (number("period")?, said(repeat, "periodUnit")?);
    let times = number("frequency").unwrap_or("1");
    let most = number("frequencyMax").map(|most| format!(" to {most}")).unwrap_or_default();
    Some(format!("{times}{most} times in {period} {unit}"))
}
