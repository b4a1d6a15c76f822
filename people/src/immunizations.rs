//! Vaccinations: one against influenza in most autumns, others now and then.

use crate::coding::{CVX, Meaning, concept, reference};
use crate::day::{Day, LAST};
use crate::dice::Dice;
use crate::subject::Subject;
use serde_json::json;

const INFLUENZA: Meaning = cvx("88", "Influenza vaccine");
const OTHERS: [Meaning; 4] = [
    cvx("208", "COVID-19 mRNA vaccine"),
    cvx("115", "Tetanus, diphtheria and pertussis vaccine"),
    cvx("33", "Pneumococcal polysaccharide vaccine"),
    cvx("187", "Zoster vaccine"),
];

const fn cvx(code: &'static str, display: &'static str) -> Meaning {
    Meaning { system: CVX, code, display }
}

/// The Immunizations of the last so many years.
pub fn of(subject: &Subject, dice: &mut Dice, years: i64) -> Vec<String> {
    let (this_year, ..) = LAST.parts();
    let mut found = Vec::new();
    for year in this_year - years..this_year {
        if dice.chance(55) {
            let day = Day::of(year, dice.between(9, 11), dice.between(1, 28));
            found.push(immunization(subject, dice, &INFLUENZA, day));
        }
        if dice.chance(12)
            && let Some(vaccine) = dice.one_of(&OTHERS)
        {
            let day = Day::of(year, dice.between(1, 6), dice.between(1, 28));
            found.push(immunization(subject, dice, vaccine, day));
        }
    }
    found
}

fn immunization(subject: &Subject, dice: &mut Dice, vaccine: &Meaning, day: Day) -> String {
    json!({
        "resourceType": "Immunization",
        "id": dice.uuid(),
        "status": "completed",
        "vaccineCode": concept(vaccine),
        "patient": reference("Patient", &subject.id),
        "occurrenceDateTime": day.to_string(),
        "primarySource": true,
        "lotNumber": format!("RG{:05}", dice.between(0, 99_999)),
        "performer": [{ "actor": { "display": subject.carer } }],
    })
    .to_string()
}
