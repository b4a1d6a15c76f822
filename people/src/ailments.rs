//! What people live with: conditions, with the medicines and the tests that follow from them.

use crate::coding::{Meaning, SNOMED, concept, reference, status};
use crate::day::{Day, LAST};
use crate::dice::Dice;
use crate::laboratory::Test;
use crate::medicines::Medicine;
use crate::subject::Subject;
use crate::{laboratory, medicines};
use serde_json::json;

/// A condition that lasts.
#[derive(Debug)]
pub struct Ailment {
    meaning: Meaning,
    /// How many of a hundred people of sixty have it; it grows with age.
    of_hundred: i64,
    pub medicine: &'static Medicine,
    pub tests: &'static [&'static Test],
}

pub const AILMENTS: [Ailment; 8] = [
    ailment("59621000", "Essential hypertension", 34, &medicines::AMLODIPINE, &laboratory::KIDNEY),
    ailment("44054006", "Type 2 diabetes mellitus", 14, &medicines::METFORMIN, &laboratory::SUGAR),
    ailment("195967001", "Asthma", 13, &medicines::SALBUTAMOL, &[]),
    ailment("40930008", "Hypothyroidism", 9, &medicines::LEVOTHYROXINE, &laboratory::THYROID),
    ailment("55822004", "Hyperlipidaemia", 28, &medicines::ATORVASTATIN, &laboratory::LIPIDS),
    ailment("35489007", "Depressive disorder", 12, &medicines::SERTRALINE, &[]),
    ailment("37796009", "Migraine", 11, &medicines::SUMATRIPTAN, &[]),
    ailment("235595009", "Gastro-oesophageal reflux disease", 15, &medicines::OMEPRAZOLE, &laboratory::BLOOD),
];

const fn ailment(
    code: &'static str,
    display: &'static str,
    of_hundred: i64,
    medicine: &'static Medicine,
    tests: &'static [&'static Test],
) -> Ailment {
    Ailment { meaning: Meaning { system: SNOMED, code, display }, of_hundred, medicine, tests }
}

/// An ailment of somebody, and since when.
#[derive(Debug)]
pub struct Case {
    pub ailment: &'static Ailment,
    pub since: Day,
    pub id: String,
}

impl Case {
    pub const fn name(&self) -> &'static str {
        self.ailment.meaning.display
    }
}

/// What somebody has.
pub fn of(subject: &Subject, dice: &mut Dice) -> Vec<Case> {
    let age = (LAST.0 - subject.born.0) / 365;
    let mut cases = Vec::new();
    for ailment in &AILMENTS {
        if dice.chance(ailment.of_hundred * age / 60) {
            let lived = (age - 16).max(1);
            let since = LAST.plus(-dice.between(30, lived.min(15) * 365));
            cases.push(Case { ailment, since, id: dice.uuid() });
        }
    }
    cases
}

/// A Condition.
pub fn condition(subject: &Subject, case: &Case) -> String {
    json!({
        "resourceType": "Condition",
        "id": case.id,
        "clinicalStatus": status("condition-clinical", "active"),
        "verificationStatus": status("condition-ver-status", "confirmed"),
        "category": [status("condition-category", "problem-list-item")],
        "code": concept(&case.ailment.meaning),
        "subject": reference("Patient", &subject.id),
        "onsetDateTime": case.since.to_string(),
        "recordedDate": case.since.plus(7).to_string(),
        "recorder": { "display": subject.carer },
    })
    .to_string()
}
