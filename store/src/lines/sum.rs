//! Sums of looks, questions and refusals: lines that tell the same of one second, put together before they are added to the ledger.
//!
//! An app that opens a record asks for the same part of it many times. A line for each tenth of a second would tell nobody
//! more than one line that says how often; and an entry of the index costs more than the rest of a line.

use super::encoding;
use super::line::Line;
use crate::error::Result;
use rules::moment::Moment;
use std::collections::HashMap;

/// Looks of one such stretch of time are one line, in milliseconds.
const STRETCH: i64 = 1_000;

/// Lines that are being put together.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    /// First moment and number of looks that are the same.
    looks: HashMap<Line, (Moment, i64), foldhash::fast::RandomState>,
    others: Vec<Line>,
}

impl Sums {
    /// Adds lines as they are written.
    pub(crate) fn add(&mut self, written: &[u8]) -> Result<()> {
        for line in encoding::each(written) {
            let line = encoding::read(line?)?;
            if line.event.is_summed() {
                let (at, times) = (line.at, line.times);
                let look = Line { at: Moment(at.0 - at.0.rem_euclid(STRETCH)), times: 0, ..line };
                let (first, sum) = self.looks.entry(look).or_insert((at, 0));
                *first = at.min(*first);
                *sum = sum.saturating_add(times);
            } else {
                self.others.push(line);
            }
        }
        Ok(())
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.looks.len() + self.others.len()
    }

    /// The lines, written down. Those that are the same look within one second are one line, with the moment of the first of
    /// them. The oldest is the first.
    pub(crate) fn written(self) -> Vec<u8> {
        let mut lines = self.others;
        lines.extend(self.looks.into_iter().map(|(look, (at, times))| Line { at, times, ..look }));
        lines.sort_by_key(|line| line.at);
        let mut written = Vec::new();
        lines.iter().for_each(|line| encoding::write(line, &mut written));
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::event::Event;
    use crate::lines::line::About;
    use proptest::prelude::*;
    use rules::ids::PatientId;

    fn line(event: Event, at: i64, patient: i64, times: i64) -> Line {
        let about = About { patient: Some(PatientId(patient)), ..About::default() };
        Line { times, ..Line::new(Moment(at), event, None, about).with_detail("Observation") }
    }

    fn look(at: i64, patient: i64, times: i64) -> Line {
        line(Event::Accessed, at, patient, times)
    }

    fn summed(lines: &[Line]) -> Vec<Line> {
        let mut sums = Sums::default();
        for line in lines {
            let mut written = Vec::new();
            encoding::write(line, &mut written);
            sums.add(&written).unwrap();
        }
        let (length, summed) = (sums.len(), sums.written());
        assert_eq!(encoding::each(&summed).count(), length);
        encoding::each(&summed).map(|line| encoding::read(line.unwrap()).unwrap()).collect()
    }

    #[test]
    fn the_same_look_within_a_second_is_one_line_with_the_first_moment() {
        assert_eq!(
            summed(&[look(5_900, 1, 2), look(5_100, 1, 3), look(6_000, 1, 1)]),
            [look(5_100, 1, 5), look(6_000, 1, 1)]
        );
    }

    #[test]
    fn another_record_part_or_right_is_a_line_of_its_own() {
        let lines = [
            look(1, 1, 1),
            look(2, 2, 1),
            look(3, 1, 1).with_detail("Condition"),
            Line { right: Some(rules::reach::Right::Own), ..look(4, 1, 1) },
        ];
        assert_eq!(summed(&lines), lines);
    }

    #[test]
    fn what_is_asked_or_refused_many_times_within_a_second_is_one_line() {
        for event in [Event::Asked, Event::Refused] {
            let lines = [line(event, 5_100, 1, 2), line(event, 5_900, 1, 3), look(5_950, 1, 1)];
            assert_eq!(summed(&lines), [line(event, 5_100, 1, 5), look(5_950, 1, 1)]);
        }
    }

    #[test]
    fn what_is_no_look_stays_as_it_is() {
        let lines = [line(Event::Refreshed, 1, 1, 1), line(Event::Refreshed, 1, 1, 1)];
        assert_eq!(summed(&lines), lines);
    }

    proptest! {
        #[test]
        fn no_look_is_lost_and_none_is_older_or_newer_by_a_second(looks in proptest::collection::vec((0..5_000_i64, 0..4_i64, 1..9_i64), 0..80)) {
            let before: Vec<Line> = looks.iter().map(|(at, patient, times)| look(*at, *patient, *times)).collect();
            let after = summed(&before);
            for patient in 0..4 {
                for second in 0..5 {
                    let of = |lines: &[Line]| -> (i64, Option<Moment>) {
                        let here = |line: &&Line| line.about.patient == Some(PatientId(patient)) && line.at.0 / 1_000 == second;
                        let lines: Vec<&Line> = lines.iter().filter(here).collect();
                        (lines.iter().map(|line| line.times).sum(), lines.iter().map(|line| line.at).min())
                    };
                    prop_assert_eq!(of(&before), of(&after));
                }
            }
            prop_assert!(after.len() <= 20 && after.is_sorted_by_key(|line| line.at));
        }
    }
}
