//! Vital signs: weight, height, pulse, blood pressure, and how they drift over the years.

use crate::coding::{LOINC, Meaning, concept, quantity, reference, status};
use crate::day::Day;
use crate::dice::Dice;
use crate::subject::Subject;
use serde_json::{Value, json};

/// A body, as it is measured again and again.
#[derive(Debug)]
pub struct Body {
    centimetres: i64,
    /// In tenths of a kilogram.
    weight: i64,
    systolic: i64,
}

const fn loinc(code: &'static str, display: &'static str) -> Meaning {
    Meaning { system: LOINC, code, display }
}

const WEIGHT: Meaning = loinc("29463-7", "Body weight");
const HEIGHT: Meaning = loinc("8302-2", "Body height");
const PULSE: Meaning = loinc("8867-4", "Heart rate");
const TEMPERATURE: Meaning = loinc("8310-5", "Body temperature");
const SATURATION: Meaning = loinc("59408-5", "Oxygen saturation by pulse oximetry");
const PRESSURE: Meaning = loinc("85354-9", "Blood pressure panel");
const SYSTOLIC: Meaning = loinc("8480-6", "Systolic blood pressure");
const DIASTOLIC: Meaning = loinc("8462-4", "Diastolic blood pressure");

impl Body {
    pub fn drawn(dice: &mut Dice, subject: &Subject) -> Self {
        let centimetres = if subject.is_female { dice.between(150, 180) } else { dice.between(162, 196) };
        let weight = centimetres * centimetres * dice.between(19, 34) / 1_000;
        let (centimetres, weight) = subject.build.unwrap_or((centimetres, weight));
        Self { centimetres, weight, systolic: dice.between(108, 150) }
    }

    /// What is measured at an encounter: weight and blood pressure always, the others now and then.
    pub fn measured(&mut self, subject: &Subject, dice: &mut Dice, when: (Day, &str), is_first: bool) -> Vec<String> {
        self.weight = (self.weight + dice.between(-15, 16)).clamp(380, 1_900);
        self.systolic = (self.systolic + dice.between(-6, 6)).clamp(95, 185);
        let mut found = vec![
            simple(subject, dice, &WEIGHT, quantity(self.weight, 1, "kg", "kg"), when),
            self.pressure(subject, dice, when),
        ];
        if is_first {
            found.push(simple(subject, dice, &HEIGHT, quantity(self.centimetres, 0, "cm", "cm"), when));
        }
        if dice.chance(60) {
            let beats = quantity(dice.between(54, 96), 0, "beats/minute", "/min");
            found.push(simple(subject, dice, &PULSE, beats, when));
        }
        if dice.chance(25) {
            let degrees = quantity(dice.between(361, 379), 1, "Cel", "Cel");
            found.push(simple(subject, dice, &TEMPERATURE, degrees, when));
        }
        if dice.chance(25) {
            let percent = quantity(dice.between(94, 99), 0, "%", "%");
            found.push(simple(subject, dice, &SATURATION, percent, when));
        }
        found
    }

    fn pressure(&self, subject: &Subject, dice: &mut Dice, when: (Day, &str)) -> String {
        let diastolic = self.systolic * 6 / 10 + dice.between(-4, 6);
        let part =
            |meaning, value| json!({ "code": concept(meaning), "valueQuantity": quantity(value, 0, "mmHg", "mm[Hg]") });
        let parts = json!([part(&SYSTOLIC, self.systolic), part(&DIASTOLIC, diastolic)]);
        observation(subject, dice, &PRESSURE, "component", parts, when)
    }
}

fn simple(subject: &Subject, dice: &mut Dice, meaning: &Meaning, value: Value, when: (Day, &str)) -> String {
    observation(subject, dice, meaning, "valueQuantity", value, when)
}

/// An Observation that has its value in this element.
fn observation(
    subject: &Subject,
    dice: &mut Dice,
    meaning: &Meaning,
    element: &str,
    value: Value,
    (day, encounter): (Day, &str),
) -> String {
    json!({
        "resourceType": "Observation",
        "id": dice.uuid(),
        "status": "final",
        "category": [status("observation-category", "vital-signs")],
        "code": concept(meaning),
        "subject": reference("Patient", &subject.id),
        "encounter": reference("Encounter", encounter),
        "effectiveDateTime": day.at(dice.between(8 * 60, 17 * 60)),
        "performer": [{ "display": subject.carer }],
        element: value,
    })
    .to_string()
}
