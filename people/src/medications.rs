//! Medicines as a record has them: the prescriptions of the years, and what is taken today.

use crate::ailments::Case;
use crate::coding::{concept, quantity, reference};
use crate::day::Day;
use crate::dice::Dice;
use crate::subject::Subject;
use serde_json::json;

/// A MedicationRequest: the prescription of one day, which is over when the next begins.
pub fn request(
    subject: &Subject,
    dice: &mut Dice,
    case: &Case,
    (day, encounter): (Day, &str),
    is_last: bool,
) -> String {
    let medicine = case.ailment.medicine;
    json!({
        "resourceType": "MedicationRequest",
        "id": dice.uuid(),
        "status": if is_last { "active" } else { "completed" },
        "intent": "order",
        "medicationCodeableConcept": concept(&medicine.meaning),
        "subject": reference("Patient", &subject.id),
        "encounter": reference("Encounter", encounter),
        "authoredOn": day.to_string(),
        "requester": { "display": subject.carer },
        "reasonReference": [reference("Condition", &case.id)],
        "dosageInstruction": medicine.dosage(),
        "dispenseRequest": {
            "numberOfRepeatsAllowed": 5,
            "expectedSupplyDuration": quantity(56, 0, "days", "d"),
        },
    })
    .to_string()
}

/// A MedicationStatement: what is taken today.
pub fn statement(subject: &Subject, dice: &mut Dice, case: &Case) -> String {
    let medicine = case.ailment.medicine;
    json!({
        "resourceType": "MedicationStatement",
        "id": dice.uuid(),
        "status": "active",
        "medicationCodeableConcept": concept(&medicine.meaning),
        "subject": reference("Patient", &subject.id),
        "effectivePeriod": { "start": case.since.plus(7).to_string() },
        "dateAsserted": case.since.plus(7).to_string(),
        "informationSource": { "display": subject.carer },
        "reasonReference": [reference("Condition", &case.id)],
        "dosage": medicine.dosage(),
    })
    .to_string()
}
