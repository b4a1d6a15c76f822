//! The record of one person: some years of it, in an order in which nothing comes before what it refers to.

use crate::ailments::{self, Case};
use crate::day::LAST;
use crate::dice::Dice;
use crate::subject::Subject;
use crate::visits::Visit;
use crate::vital_signs::Body;
use crate::{allergies, immunizations, laboratory, letters, medications};

/// The resources about a subject of the last so many years, without the Patient itself: one JSON text each.
#[must_use]
pub fn record(subject: &Subject, seed: u64, years: i64) -> Vec<String> {
    let dice = &mut Dice::about(seed, subject.id.as_bytes());
    let cases = ailments::of(subject, dice);
    let mut all: Vec<String> = cases.iter().map(|case| ailments::condition(subject, case)).collect();
    all.extend(allergies::of(subject, dice));
    all.extend(cases.iter().map(|case| medications::statement(subject, dice, case)));
    all.extend(care(subject, dice, &cases, years));
    all
}

/// The same for somebody whose conditions, medicines and allergies are told elsewhere: visits, measurements, vaccinations and
/// letters.
#[must_use]
pub fn routine(subject: &Subject, seed: u64, years: i64) -> Vec<String> {
    care(subject, &mut Dice::about(seed, subject.id.as_bytes()), &[], years)
}

fn care(subject: &Subject, dice: &mut Dice, cases: &[Case], years: i64) -> Vec<String> {
    let mut all = immunizations::of(subject, dice, years);
    let mut body = Body::drawn(dice, subject);
    for year in (1..=years).rev() {
        all.extend(year_of(subject, dice, cases, &mut body, (year, year == years)));
    }
    all.push(Visit::planned(dice).appointment(subject));
    all
}

/// What was noted in one year: the `year`th before the last day.
fn year_of(
    subject: &Subject,
    dice: &mut Dice,
    cases: &[Case],
    body: &mut Body,
    (year, is_first): (i64, bool),
) -> Vec<String> {
    let mut all = Vec::new();
    let begins = LAST.plus(-365 * year);
    let visits = dice.between(1, 3);
    for number in 0..visits {
        let length = 365 / visits;
        let day = begins.plus(number * length + dice.between(0, length - 1));
        let visit = Visit::drawn(dice, day);
        let when = (visit.day, visit.encounter.as_str());
        all.extend([visit.appointment(subject), visit.encounter(subject)]);
        all.extend(body.measured(subject, dice, when, is_first && number == 0));
        let present: Vec<&Case> = cases.iter().filter(|case| case.since < visit.day).collect();
        for case in &present {
            for test in case.ailment.tests {
                all.push(laboratory::observation(subject, dice, test, when));
            }
        }
        if number == 0 {
            for test in laboratory::BLOOD {
                all.push(laboratory::observation(subject, dice, test, when));
            }
            for case in present {
                all.push(medications::request(subject, dice, case, when, year == 1));
            }
            if dice.chance(40) {
                all.extend(letters::letter(subject, dice, cases, when));
            }
        }
    }
    all
}
