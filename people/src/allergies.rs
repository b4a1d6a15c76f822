//! Allergies, which few people have.

use crate::coding::{Meaning, SNOMED, concept, reference, status};
use crate::day::LAST;
use crate::dice::Dice;
use crate::subject::Subject;
use serde_json::json;

/// What people are allergic to, the category of it, and how bad it can become.
const ALLERGIES: [(Meaning, &str, &str); 5] = [
    (snomed("91936005", "Allergy to penicillin"), "medication", "high"),
    (snomed("91935009", "Allergy to peanut"), "food", "high"),
    (snomed("300913006", "Allergy to shellfish"), "food", "low"),
    (snomed("418689008", "Allergy to grass pollen"), "environment", "low"),
    (snomed("300916003", "Allergy to latex"), "environment", "low"),
];

const HIVES: Meaning = snomed("126485001", "Urticaria");

const fn snomed(code: &'static str, display: &'static str) -> Meaning {
    Meaning { system: SNOMED, code, display }
}

/// The AllergyIntolerances of somebody.
pub fn of(subject: &Subject, dice: &mut Dice) -> Vec<String> {
    let mut found = Vec::new();
    for (meaning, category, criticality) in &ALLERGIES {
        if !dice.chance(7) {
            continue;
        }
        let noted = LAST.plus(-dice.between(400, 6_000));
        let allergy = json!({
            "resourceType": "AllergyIntolerance",
            "id": dice.uuid(),
            "clinicalStatus": status("allergyintolerance-clinical", "active"),
            "verificationStatus": status("allergyintolerance-verification", "confirmed"),
            "type": "allergy",
            "category": [category],
            "criticality": criticality,
            "code": concept(meaning),
            "patient": reference("Patient", &subject.id),
            "recordedDate": noted.to_string(),
            "recorder": { "display": subject.carer },
            "reaction": [{ "manifestation": [concept(&HIVES)], "severity": "moderate" }],
        });
        found.push(allergy.to_string());
    }
    found
}
