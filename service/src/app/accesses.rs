//! Who looked at whose record: counted as requests are answered, and written down a moment later, or before the answer leaves.
//!
//! A line per request would double the cost of a read. Accesses of one caller to one part of one record within a tenth of a
//! second are written down as one line that says how many, and those of a second are one line of the ledger. Each letter is a
//! part of its own; none is left out. What cannot be written is kept for the next time.

use fhir::types::ResourceType;
use rules::ids::{ClientId, PatientId, UserId, ViewerId};
use rules::moment::Moment;
use rules::reach::{Reach, Right};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use store::ledger::{About, Event, Line};
use store::stored::resource::Resource;
use tokio::sync::{Notify, watch};

/// Lines that are kept while they cannot be written, about 50 MiB of them.
const MOST_KEPT: usize = 200_000;

/// Who looked at whose record, at which part of it and by which right.
type Look = (About, Cow<'static, str>, Right);

/// First moment and number of looks that are the same.
type Counts = HashMap<Look, (Moment, i64), foldhash::fast::RandomState>;

/// Who looks at a record, and when.
#[derive(Clone, Copy, Debug)]
pub struct Viewer<'a> {
    /// Our own number of the client; none where somebody looks at a page of ours.
    pub client: Option<ClientId>,
    pub user: Option<UserId>,
    pub reach: &'a Reach,
    pub now: Moment,
}

/// What was looked at and is not written down yet. Only callers with a valid token and people who are signed in get in here.
#[derive(Debug, Default)]
pub struct Accesses {
    counted: Mutex<Counted>,
    /// The room of what was counted and written last: as much is to be expected again.
    room: Mutex<Counts>,
    /// How many looks had been counted when lines were last written, and how often writing has failed.
    progress: watch::Sender<WritingProgress>,
    /// Somebody waits for their lines.
    pub(super) wanted: Notify,
}

#[derive(Debug, Default)]
struct Counted {
    counts: Counts,
    /// Looks that were ever counted.
    looks: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct WritingProgress {
    written: u64,
    failures: u64,
    /// Whether the last try failed.
    is_stuck: bool,
}

/// What was counted, on its way to where it is written.
#[derive(Debug)]
pub(super) struct Counting {
    counts: Counts,
    looks: u64,
}

/// The lines could not be written.
#[derive(Debug, thiserror::Error)]
#[error("it could not be written down who looked at a record")]
pub struct NotWritten;

impl Accesses {
    /// Counts a look at a resource, for each patient whose record it is part of.
    pub fn note(&self, viewer: &Viewer<'_>, found: &Resource) {
        self.note_all(viewer, [found]);
    }

    /// Counts a look at each of these. Most that are found together are one part of one record, and counted at once.
    pub fn note_all<'r>(&self, viewer: &Viewer<'_>, found: impl IntoIterator<Item = &'r Resource>) {
        let mut same: Option<(Look, i64)> = None;
        let mut add = |patient, part: &Cow<'static, str>, right, through| {
            let about = about(viewer, patient, through);
            match &mut same {
                Some(((of, at, by), times)) if (&*of, &*at, *by) == (&about, part, right) => *times += 1,
                _ => self.count(viewer, same.replace(((about, part.clone(), right), 1))),
            }
        };
        // Nobody's log tells of what its author alone sees.
        for found in found.into_iter().filter(|found| !found.needs.is_draft()) {
            let part = part(found);
            match viewer.reach.own() {
                // A patient's session sees one record, whoever else's documents carry the same content.
                Some(own) => add(own, &part, found.right, None),
                None => {
                    for patient in found.patients() {
                        add(patient, &part, found.right, found.viewer);
                    }
                }
            }
        }
        self.count(viewer, same);
    }

    /// Counts one look at a part of a patient's record, through whose eyes it was.
    pub fn note_one(
        &self,
        viewer: &Viewer<'_>,
        patient: PatientId,
        part: impl Into<Cow<'static, str>>,
        right: Right,
        through: Option<ViewerId>,
    ) {
        self.count(viewer, Some(((about(viewer, patient, through), part.into(), right), 1)));
    }

    fn count(&self, viewer: &Viewer<'_>, looks: Option<(Look, i64)>) {
        let Some((look, times)) = looks else { return };
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.counts.entry(look).or_insert((viewer.now, 0)).1 += times;
        counted.looks += times.unsigned_abs();
    }

    /// Waits until all that was counted so far is written.
    pub async fn are_written(&self) -> Result<(), NotWritten> {
        let looks = self.counted.lock().unwrap_or_else(PoisonError::into_inner).looks;
        let mut progress = self.progress.subscribe();
        let before = *progress.borrow_and_update();
        if before.written >= looks {
            return Ok(());
        }
        self.wanted.notify_one();
        let done = progress.wait_for(|now| now.written >= looks || now.failures > before.failures).await;
        if done.is_ok_and(|now| now.written >= looks) { Ok(()) } else { Err(NotWritten) }
    }

    /// Whether what was counted could not be written when that was last tried.
    #[must_use]
    pub fn are_stuck(&self) -> bool {
        self.progress.borrow().is_stuck
    }

    /// Takes what was counted, in order to write it.
    pub(super) fn take(&self) -> Counting {
        let room = std::mem::take(&mut *self.room.lock().unwrap_or_else(PoisonError::into_inner));
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        Counting { counts: std::mem::replace(&mut counted.counts, room), looks: counted.looks }
    }

    /// What was taken is written.
    pub(super) fn have_been_written(&self, counting: &Counting) {
        self.progress.send_modify(|progress| {
            progress.written = progress.written.max(counting.looks);
            progress.is_stuck = false;
        });
    }

    /// Keeps the room of what was written for what comes next.
    pub(super) fn empty(&self, Counting { mut counts, .. }: Counting) {
        let lines = counts.len();
        counts.clear();
        counts.shrink_to(lines * 2);
        *self.room.lock().unwrap_or_else(PoisonError::into_inner) = counts;
    }

    /// Keeps what could not be written for the next time, and tells how many looks there is no room for.
    pub(super) fn put_back(&self, counting: &Counting) -> u64 {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lost = 0;
        for (key, (at, times)) in &counting.counts {
            if counted.counts.len() >= MOST_KEPT && !counted.counts.contains_key(key) {
                lost += times.unsigned_abs();
                continue;
            }
            let (first, sum) = counted.counts.entry(key.clone()).or_insert((*at, 0));
            *first = (*first).min(*at);
            *sum += times;
        }
        drop(counted);
        self.progress.send_modify(|progress| {
            progress.failures += 1;
            progress.is_stuck = true;
        });
        lost
    }
}

impl Counting {
    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many lines it is.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// How many looks they tell of.
    pub(super) fn times(&self) -> u64 {
        self.counts.values().map(|(_, times)| times.unsigned_abs()).sum()
    }

    /// The first moment of all.
    pub(super) fn first(&self) -> Option<Moment> {
        self.counts.values().map(|(at, _)| *at).min()
    }

    /// A line for each who looked at each part of each record.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line> {
        let line = |((about, part, right), (at, times)): (&Look, &(Moment, i64))| Line {
            at: *at,
            event: Event::Accessed,
            session: None,
            about: about.clone(),
            times: *times,
            right: Some(*right),
            detail: Some(part.clone()),
            operator: None,
        };
        self.counts.iter().map(line)
    }
}

/// Who looks, and at whose record.
fn about(viewer: &Viewer<'_>, patient: PatientId, through: Option<ViewerId>) -> About {
    let team = viewer.reach.teams().iter().copied().find(|team| Some(ViewerId::from(*team)) == through);
    let organisation = viewer.reach.organisation();
    About { client: viewer.client, user: viewer.user, team, organisation, patient: Some(patient) }
}

/// What a line says of a resource: a letter and its content by name, so that the patient hears which; of all else the type.
fn part(found: &Resource) -> Cow<'static, str> {
    let kind = found.resource_type.name();
    match found.resource_type {
        ResourceType::DocumentReference | ResourceType::Binary => format!("{kind}/{}", found.id).into(),
        _ => kind.into(),
    }
}

#[cfg(test)]
#[path = "accesses_tests.rs"]
mod tests;
