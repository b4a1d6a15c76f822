//! One invented person: name, address, numbers, and the Patient resource that says so.

use crate::coding::status;
use crate::day::LAST;
use crate::dice::Dice;
use crate::names::{FAMILY, FEMALE, MALE, STREETS, TOWNS};
use crate::record;
use crate::subject::Subject;
use serde_json::json;

/// The system of the numbers that people are found by.
pub const NHS_NUMBER: &str = "https://fhir.nhs.uk/Id/nhs-number";

/// An invented person. Telephone, postcode and mailbox are of ranges that are kept free for invented ones.
#[derive(Clone, Debug)]
pub struct Person {
    pub subject: Subject,
    pub given: &'static str,
    pub family: &'static str,
    /// Ten digits that begin with 999, as no real NHS number does, with the right check digit.
    pub identifier: String,
    seed: u64,
    patient: String,
}

impl Person {
    /// The person of this number under a seed, cared for by `carer`.
    #[must_use]
    pub fn drawn(seed: u64, number: u64, carer: &str) -> Self {
        let mut dice = Dice::about(seed, &number.to_le_bytes());
        let is_female = dice.chance(52);
        let given = dice.word(if is_female { &FEMALE } else { &MALE });
        let family = dice.word(&FAMILY);
        let born = LAST.plus(-dice.between(18 * 365, 92 * 365));
        let id = dice.uuid();
        let identifier = nhs_number(number);
        let patient = json!({
            "resourceType": "Patient",
            "id": id,
            "identifier": [
                { "use": "official", "system": NHS_NUMBER, "value": identifier },
                { "use": "usual", "type": status("v2-0203", "MR"), "system": "https://larkfield.example/hospital-numbers",
                  "value": format!("LH{number:08}") },
            ],
            "active": true,
            "name": [{ "use": "official", "family": family, "given": [given], "prefix": [title(&mut dice, is_female)] }],
            "telecom": [
                { "system": "phone", "value": format!("07700 900{:03}", dice.between(0, 999)), "use": "mobile" },
                { "system": "email", "use": "home",
                  "value": format!("{}.{}.{number}@patients.example", given.to_lowercase(), family.to_lowercase()) },
            ],
            "gender": if is_female { "female" } else { "male" },
            "birthDate": born.to_string(),
            "address": [{
                "use": "home",
                "line": [format!("{} {}", dice.between(1, 140), dice.word(&STREETS))],
                "city": dice.word(&TOWNS),
                "postalCode": format!("ZZ99 {}{}A", dice.between(1, 9), letter(&mut dice)),
                "country": "GB",
            }],
        });
        let subject =
            Subject { id, name: format!("{given} {family}"), born, is_female, carer: carer.into(), build: None };
        Self { subject, given, family, identifier, seed, patient: patient.to_string() }
    }

    /// The Patient resource, and then the record of the last so many years: one JSON text for each resource. What is
    /// referred to comes before what refers to it.
    pub fn resources(&self, years: i64) -> impl Iterator<Item = String> {
        std::iter::once(self.patient.clone()).chain(record::record(&self.subject, self.seed, years))
    }
}

fn title(dice: &mut Dice, is_female: bool) -> &'static str {
    let polite = if is_female { "Ms" } else { "Mr" };
    dice.word(&[polite, polite, polite, "Mx", "Dr"])
}

fn letter(dice: &mut Dice) -> &'static str {
    dice.word(&["A", "B", "D", "E", "F", "G", "H", "J", "L", "N"])
}

/// The number of a person: 999, six digits, and the check digit, modulo 11. Ten is no digit, so each person has two numbers to
/// choose from: they differ by one in the last place, and cannot both have it. 450,000 people have a number of their own.
fn nhs_number(number: u64) -> String {
    // Numbers below are left to whoever is invented by hand.
    let first = 999_100_000 + number % 450_000 * 2;
    [first, first + 1].into_iter().find_map(with_check_digit).unwrap_or_default()
}

fn with_check_digit(nine: u64) -> Option<String> {
    let digits = (0..9).map(|place| nine / 10_u64.pow(8 - place) % 10);
    let sum: u64 = digits.zip((2..=10).rev()).map(|(digit, weight)| digit * weight).sum();
    match (11 - sum % 11) % 11 {
        10 => None,
        check => Some(format!("{nine}{check}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn nobody_has_the_number_of_another() {
        let numbers: BTreeSet<String> = (0..50_000).map(nhs_number).collect();
        assert_eq!(numbers.len(), 50_000);
        assert!(numbers.iter().all(|number| number.len() == 10 && number.starts_with("999")));
    }

    #[test]
    fn a_check_digit_is_that_of_the_published_example() {
        assert_eq!(with_check_digit(943_476_591).as_deref(), Some("9434765919"));
    }
}
