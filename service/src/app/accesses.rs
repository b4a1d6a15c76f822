//! Who looked at whose record: counted as requests are answered, written to the ledger every few seconds.
//!
//! A line per request would double the cost of a read. Accesses of one caller to one part of one record within a few
//! seconds are one line that says how many; none is left out. What cannot be written is kept for the next time. A killed
//! process loses what it had not written: five seconds at most, while the database is there.

use rules::ids::{ClientId, PatientId, UserId};
use rules::moment::Moment;
use rules::reach::{Reach, Right};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use store::ledger::{self, About};
use store::resource::Resource;

/// Lines that are kept while the database is away, about 50 MiB of them. Only a database that stays away for long while
/// nodes still answer from it could bring more.
const MOST_KEPT: usize = 200_000;

/// First moment and number of looks, by who looked at whose record, at which part of it and by which right.
type Counts = HashMap<(About, &'static str, Right), (Moment, i64), foldhash::fast::RandomState>;

/// Who looks at a record, and when.
#[derive(Clone, Copy, Debug)]
pub struct Viewer<'a> {
    /// Our own number of the client.
    pub client: ClientId,
    pub user: Option<UserId>,
    pub reach: &'a Reach,
    pub now: Moment,
}

/// What was looked at since the ledger was last written. Only callers with a valid token get in here.
#[derive(Debug, Default)]
pub struct Accesses {
    counted: Mutex<Counts>,
}

impl Accesses {
    /// Counts a look at a resource, for each patient whose record it is part of.
    pub fn note(&self, viewer: &Viewer<'_>, found: &Resource) {
        match viewer.reach {
            // A patient's session sees one record, whoever else's documents carry the same content.
            Reach::Own(own) => self.note_one(viewer, *own, found.resource_type.name(), found.right),
            Reach::Viewers { .. } => {
                for patient in found.patients() {
                    self.note_one(viewer, patient, found.resource_type.name(), found.right);
                }
            }
        }
    }

    /// Counts one look at a part of a patient's record.
    pub fn note_one(&self, viewer: &Viewer<'_>, patient: PatientId, what: &'static str, right: Right) {
        let (team, organisation) = match viewer.reach {
            Reach::Own(_) => (None, None),
            Reach::Viewers { teams, organisation } => (teams.first().copied(), *organisation),
        };
        let about =
            About { client: Some(viewer.client), user: viewer.user, team, organisation, patient: Some(patient) };
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.entry((about, what, right)).or_insert((viewer.now, 0)).1 += 1;
    }

    /// Keeps what could not be written for the next time, and tells how many lines there is no room for.
    pub(super) fn put_back(&self, lines: &[ledger::Accesses]) -> usize {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lost = 0;
        for line in lines {
            let key = (line.about.clone(), line.what, line.right);
            if counted.len() >= MOST_KEPT && !counted.contains_key(&key) {
                lost += 1;
                continue;
            }
            let (first, times) = counted.entry(key).or_insert((line.at, 0));
            *first = (*first).min(line.at);
            *times += line.times;
        }
        lost
    }

    pub(super) fn take(&self) -> Vec<ledger::Accesses> {
        let counted = std::mem::take(&mut *self.counted.lock().unwrap_or_else(PoisonError::into_inner));
        let lines = counted.into_iter();
        lines.map(|((about, what, right), (at, times))| ledger::Accesses { at, about, what, right, times }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMINA: PatientId = PatientId(1);
    const BEN: PatientId = PatientId(2);

    fn look(accesses: &Accesses, patient: PatientId, at: i64) {
        let reach = Reach::Own(patient);
        let viewer = Viewer { client: ClientId(0), user: None, reach: &reach, now: Moment(at) };
        accesses.note_one(&viewer, patient, "Patient", Right::Own);
    }

    #[test]
    fn what_could_not_be_written_is_told_once_with_what_came_since() {
        let accesses = Accesses::default();
        look(&accesses, AMINA, 1);
        look(&accesses, BEN, 2);
        let refused = accesses.take();
        look(&accesses, AMINA, 3);
        assert_eq!(accesses.put_back(&refused), 0);
        let mut lines: Vec<_> =
            accesses.take().into_iter().map(|line| (line.about.patient, line.at.0, line.times)).collect();
        lines.sort();
        assert_eq!(lines, [(Some(AMINA), 1, 2), (Some(BEN), 2, 1)]);
    }

    #[test]
    fn a_database_that_stays_away_does_not_fill_memory() {
        let accesses = Accesses::default();
        let lines = (0..MOST_KEPT + 10).map(|number| ledger::Accesses {
            at: Moment(0),
            about: About { user: i64::try_from(number).ok().map(UserId), ..About::default() },
            what: "Patient",
            right: Right::Own,
            times: 1,
        });
        assert_eq!(accesses.put_back(&lines.collect::<Vec<_>>()), 10);
        assert_eq!(accesses.take().len(), MOST_KEPT);
    }
}
