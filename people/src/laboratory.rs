//! Laboratory values, with the range in which they are usual.

use crate::coding::{LOINC, Meaning, concept, quantity, reference, status};
use crate::day::Day;
use crate::dice::Dice;
use crate::subject::Subject;
use serde_json::json;

/// A test of blood. Numbers are in units of the last decimal place.
#[derive(Debug)]
pub struct Test {
    meaning: Meaning,
    decimals: u32,
    unit: &'static str,
    ucum: &'static str,
    /// Where values are usual.
    usual: (i64, i64),
}

static HAEMOGLOBIN: Test = test("718-7", "Haemoglobin", 1, "g/dL", "g/dL", (115, 170));
static PLATELETS: Test = test("777-3", "Platelets", 0, "10*9/L", "10*9/L", (150, 400));
static WHITE_CELLS: Test = test("6690-2", "White blood cells", 1, "10*9/L", "10*9/L", (40, 110));
static SODIUM: Test = test("2951-2", "Sodium", 0, "mmol/L", "mmol/L", (133, 146));
static POTASSIUM: Test = test("2823-3", "Potassium", 1, "mmol/L", "mmol/L", (35, 53));
static CREATININE: Test = test("14682-9", "Creatinine", 0, "umol/L", "umol/L", (50, 110));
static HBA1C: Test = test("59261-8", "Haemoglobin A1c", 0, "mmol/mol", "mmol/mol", (20, 48));
static GLUCOSE: Test = test("14749-6", "Glucose", 1, "mmol/L", "mmol/L", (40, 78));
static TSH: Test = test("3016-3", "Thyrotropin", 2, "mU/L", "m[IU]/L", (35, 450));
static CHOLESTEROL: Test = test("14647-2", "Cholesterol", 1, "mmol/L", "mmol/L", (30, 50));
static HDL: Test = test("14646-4", "Cholesterol in HDL", 1, "mmol/L", "mmol/L", (10, 23));
static LDL: Test = test("22748-8", "Cholesterol in LDL", 1, "mmol/L", "mmol/L", (15, 30));

pub static BLOOD: [&Test; 3] = [&HAEMOGLOBIN, &PLATELETS, &WHITE_CELLS];
pub static KIDNEY: [&Test; 3] = [&SODIUM, &POTASSIUM, &CREATININE];
pub static SUGAR: [&Test; 2] = [&HBA1C, &GLUCOSE];
pub static THYROID: [&Test; 1] = [&TSH];
pub static LIPIDS: [&Test; 3] = [&CHOLESTEROL, &HDL, &LDL];

const fn test(
    code: &'static str,
    display: &'static str,
    decimals: u32,
    unit: &'static str,
    ucum: &'static str,
    usual: (i64, i64),
) -> Test {
    Test { meaning: Meaning { system: LOINC, code, display }, decimals, unit, ucum, usual }
}

/// An Observation of the blood that was drawn at an encounter.
pub fn observation(subject: &Subject, dice: &mut Dice, test: &Test, (day, encounter): (Day, &str)) -> String {
    let (low, high) = test.usual;
    let stray = (high - low) / 3;
    let value = dice.between(low - stray / 2, high + stray);
    let judged = match value {
        value if value < low => "L",
        value if value > high => "H",
        _ => "N",
    };
    let measure = |value| quantity(value, test.decimals, test.unit, test.ucum);
    json!({
        "resourceType": "Observation",
        "id": dice.uuid(),
        "status": "final",
        "category": [status("observation-category", "laboratory")],
        "code": concept(&test.meaning),
        "subject": reference("Patient", &subject.id),
        "encounter": reference("Encounter", encounter),
        "effectiveDateTime": day.at(dice.between(8 * 60, 12 * 60)),
        "issued": day.plus(1).at(dice.between(8 * 60, 17 * 60)),
        "performer": [{ "display": "Larkfield Laboratory" }],
        "valueQuantity": measure(value),
        "interpretation": [status("v3-ObservationInterpretation", judged)],
        "referenceRange": [{ "low": measure(low), "high": measure(high) }],
    })
    .to_string()
}
