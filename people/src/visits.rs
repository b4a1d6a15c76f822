//! Visits: the Appointment, and the Encounter that came of it.

use crate::coding::{Meaning, SNOMED, concept, reference};
use crate::day::{Day, LAST};
use crate::dice::Dice;
use crate::subject::Subject;
use serde_json::{Value, json};

const CONSULTATION: Meaning = Meaning { system: SNOMED, code: "11429006", display: "Consultation" };
const REASONS: [&str; 6] =
    ["Annual review", "Blood test", "Review of medicines", "New symptom", "Blood pressure check", "Follow-up"];

/// A visit that took place.
#[derive(Debug)]
pub struct Visit {
    pub day: Day,
    /// The id of its Encounter.
    pub encounter: String,
    appointment: String,
    /// Minutes after midnight.
    begins: i64,
    reason: &'static str,
}

impl Visit {
    pub fn drawn(dice: &mut Dice, day: Day) -> Self {
        let begins = dice.between(16, 33) * 30;
        Self { day, encounter: dice.uuid(), appointment: dice.uuid(), begins, reason: dice.word(&REASONS) }
    }

    /// The visit that is planned next.
    pub fn planned(dice: &mut Dice) -> Self {
        let day = LAST.plus(dice.between(7, 180));
        Self::drawn(dice, day)
    }

    /// The Appointment of this visit, which has taken place or not.
    pub fn appointment(&self, subject: &Subject) -> String {
        let is_over = self.day <= LAST;
        json!({
            "resourceType": "Appointment",
            "id": self.appointment,
            "status": if is_over { "fulfilled" } else { "booked" },
            "serviceType": [concept(&CONSULTATION)],
            "description": self.reason,
            "start": self.day.at(self.begins),
            "end": self.day.at(self.begins + 20),
            "created": self.day.plus(-21).to_string(),
            "participant": [
                { "actor": reference("Patient", &subject.id), "required": "required", "status": "accepted" },
                { "actor": { "display": subject.carer }, "required": "required", "status": "accepted" },
            ],
        })
        .to_string()
    }

    /// The Encounter of this visit.
    pub fn encounter(&self, subject: &Subject) -> String {
        let class: Value = json!({
            "system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "AMB", "display": "ambulatory",
        });
        json!({
            "resourceType": "Encounter",
            "id": self.encounter,
            "status": "finished",
            "class": class,
            "type": [concept(&CONSULTATION)],
            "subject": reference("Patient", &subject.id),
            "participant": [{ "individual": { "display": subject.carer } }],
            "appointment": [reference("Appointment", &self.appointment)],
            "period": { "start": self.day.at(self.begins), "end": self.day.at(self.begins + 20) },
            "reasonCode": [{ "text": self.reason }],
        })
        .to_string()
    }
}
