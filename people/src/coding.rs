//! Parts that many resources have: codes, measures and references.

use serde_json::{Value, json};

pub const LOINC: &str = "http://loinc.org";
pub const SNOMED: &str = "http://snomed.info/sct";
pub const UCUM: &str = "http://unitsofmeasure.org";
pub const RXNORM: &str = "http://www.nlm.nih.gov/research/umls/rxnorm";
pub const CVX: &str = "http://hl7.org/fhir/sid/cvx";

/// A code and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    pub system: &'static str,
    pub code: &'static str,
    pub display: &'static str,
}

/// What it means, as a concept.
pub fn concept(meaning: &Meaning) -> Value {
    let Meaning { system, code, display } = meaning;
    json!({ "coding": [{ "system": system, "code": code, "display": display }] })
}

/// A concept of one of HL7's own small code systems, named by the end of its address.
pub fn status(system: &str, code: &str) -> Value {
    json!({ "coding": [{ "system": format!("http://terminology.hl7.org/CodeSystem/{system}"), "code": code }] })
}

/// A measure with a unit of UCUM, in so many decimals.
pub fn quantity(value: i64, decimals: u32, unit: &str, code: &str) -> Value {
    json!({ "value": decimal(value, decimals), "unit": unit, "system": UCUM, "code": code })
}

/// `value` as a number with its last digits behind the point.
fn decimal(value: i64, decimals: u32) -> Value {
    if decimals == 0 { json!(value) } else { json!(value as f64 / 10_f64.powi(decimals.cast_signed())) }
}

pub fn reference(resource_type: &str, id: &str) -> Value {
    json!({ "reference": format!("{resource_type}/{id}") })
}
