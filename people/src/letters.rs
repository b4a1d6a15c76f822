//! Letters: a Binary with a PDF, and the DocumentReference that tells of it.

use crate::ailments::Case;
use crate::coding::{LOINC, reference};
use crate::day::Day;
use crate::dice::Dice;
use crate::pdf;
use crate::subject::Subject;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

const REMARKS: [&str; 5] = [
    "Your blood pressure is where we would like it to be.",
    "Your results are a little outside of the usual range; we shall repeat them.",
    "Please keep taking your medicines as before.",
    "We have nothing new to advise. Please ring us if anything changes.",
    "Walking for half an hour each day would do you good.",
];

/// The letter after an encounter: the Binary, and the document that carries it.
pub fn letter(subject: &Subject, dice: &mut Dice, cases: &[Case], (day, encounter): (Day, &str)) -> [String; 2] {
    let content = pdf::page(&lines(subject, dice, cases, day));
    let (binary, document) = (dice.uuid(), dice.uuid());
    let title = format!("Your visit of {day}");
    let patient = reference("Patient", &subject.id);
    let carried = json!({
        "resourceType": "Binary",
        "id": binary,
        "contentType": "application/pdf",
        "securityContext": patient,
        "data": BASE64_STANDARD.encode(&content),
    });
    let about = json!({
        "resourceType": "DocumentReference",
        "id": document,
        "masterIdentifier": { "system": "urn:ietf:rfc:3986", "value": format!("urn:uuid:{document}") },
        "identifier": [{ "system": "https://larkfield.example/documents", "value": document }],
        "status": "current",
        "type": { "coding": [{ "system": LOINC, "code": "34109-9", "display": "Note" }], "text": title },
        "subject": patient,
        "date": day.plus(2).at(15 * 60),
        "author": [{ "display": subject.carer }],
        "description": title,
        "content": [{ "attachment": {
            "contentType": "application/pdf",
            "url": format!("Binary/{binary}"),
            "size": content.len(),
            "title": title,
        } }],
        "context": { "encounter": [reference("Encounter", encounter)] },
    });
    [carried.to_string(), about.to_string()]
}

fn lines(subject: &Subject, dice: &mut Dice, cases: &[Case], day: Day) -> Vec<String> {
    let mut lines = vec![
        subject.carer.clone(),
        day.plus(2).to_string(),
        String::new(),
        format!("Dear {},", subject.name),
        String::new(),
        format!("thank you for coming to see us on {day}."),
        dice.word(&REMARKS).into(),
    ];
    for case in cases {
        lines.push(format!("{}: please go on with {}.", case.name(), case.ailment.medicine.name()));
    }
    lines.extend([String::new(), "Yours sincerely,".into(), subject.carer.clone(), String::new()]);
    lines.push("(An invented letter to an invented person.)".into());
    lines
}
