//! Medicines, and how each is taken.

use crate::coding::{Meaning, RXNORM, SNOMED, concept, quantity};
use serde_json::{Value, json};

/// A medicine, and how it is taken.
#[derive(Debug)]
pub struct Medicine {
    pub meaning: Meaning,
    how: &'static str,
    a_day: i64,
    dose: i64,
    /// Its unit, for people and in UCUM.
    unit: (&'static str, &'static str),
}

const MILLIGRAMS: (&str, &str) = ("mg", "mg");
const MICROGRAMS: (&str, &str) = ("microgram", "ug");

pub const AMLODIPINE: Medicine = medicine("17767", "Amlodipine", "One tablet in the morning", 1, 5, MILLIGRAMS);
pub const METFORMIN: Medicine =
    medicine("6809", "Metformin", "One tablet with breakfast and dinner", 2, 500, MILLIGRAMS);
pub const SALBUTAMOL: Medicine = medicine("435", "Salbutamol", "Two puffs when short of breath", 4, 100, MICROGRAMS);
pub const LEVOTHYROXINE: Medicine =
    medicine("10582", "Levothyroxine", "One tablet half an hour before breakfast", 1, 75, MICROGRAMS);
pub const ATORVASTATIN: Medicine = medicine("83367", "Atorvastatin", "One tablet at night", 1, 20, MILLIGRAMS);
pub const SERTRALINE: Medicine = medicine("36437", "Sertraline", "One tablet in the morning", 1, 50, MILLIGRAMS);
pub const SUMATRIPTAN: Medicine =
    medicine("37418", "Sumatriptan", "One tablet when a migraine begins", 1, 50, MILLIGRAMS);
pub const OMEPRAZOLE: Medicine = medicine("7646", "Omeprazole", "One capsule before breakfast", 1, 20, MILLIGRAMS);

const fn medicine(
    code: &'static str,
    display: &'static str,
    how: &'static str,
    a_day: i64,
    dose: i64,
    unit: (&'static str, &'static str),
) -> Medicine {
    Medicine { meaning: Meaning { system: RXNORM, code, display }, how, a_day, dose, unit }
}

impl Medicine {
    pub const fn name(&self) -> &'static str {
        self.meaning.display
    }

    pub fn dosage(&self) -> Value {
        let (unit, code) = self.unit;
        json!([{
            "text": self.how,
            "timing": { "repeat": { "frequency": self.a_day, "period": 1, "periodUnit": "d" } },
            "route": concept(&Meaning { system: SNOMED, code: "26643006", display: "Oral route" }),
            "doseAndRate": [{ "doseQuantity": quantity(self.dose, 0, unit, code) }],
        }])
    }
}
