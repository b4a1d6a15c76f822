//! Questions about patients and refused deeds, counted as requests are answered. Whose records they are about is looked up when
//! they are written down, after the answers: so that nothing of it can be felt in one.
//!
//! The same within a tenth of a second is one line, as looks are. What cannot be looked up or written is kept for the next time.

use super::accesses::Viewer;
use rules::ids::{ClientId, OrganisationId, PatientId, TeamId, UserId, ViewerId};
use rules::moment::Moment;
use rules::noted::{self, Acquaintance, Noting, Outcome};
use rules::reach::{Reach, Right};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};
use store::Store;
use store::ledger::{About, Event, Line};
use store::ownership::{self, RecordName};

/// Names that wait to be looked up, about 50 MiB of them. They are looked up ten times a second.
const MOST_NAMES: usize = 200_000;
/// Names that are looked up in one read.
const AT_ONCE: usize = 500;

/// What was asked or refused: by whom, of whose records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Inquiry {
    pub client: Option<ClientId>,
    pub user: Option<UserId>,
    pub reach: Reach,
    pub outcome: Outcome,
    /// What a line says of it.
    pub detail: String,
    pub names: Vec<RecordName>,
    /// Patients whom it is about beside those that are named.
    pub patients: Vec<PatientId>,
    /// Those of whom a look tells more.
    pub shown: BTreeSet<PatientId>,
}

/// First moment and number of inquiries that are the same.
type InquiryCounts = HashMap<Inquiry, (Moment, i64), foldhash::fast::RandomState>;

#[derive(Debug, Default)]
pub struct Inquiries(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    counts: InquiryCounts,
    names: usize,
    /// Inquiries for which there was no room.
    lost: u64,
}

/// What was counted, on its way to where it is written.
#[derive(Debug)]
pub(super) struct TakenInquiries {
    counts: InquiryCounts,
    pub(super) lost: u64,
}

impl Inquiry {
    pub(crate) fn of(viewer: &Viewer<'_>, outcome: Outcome, detail: String, names: Vec<RecordName>) -> Self {
        let (reach, patients, shown) = (viewer.reach.clone(), Vec::new(), BTreeSet::new());
        Self { client: viewer.client, user: viewer.user, reach, outcome, detail, names, patients, shown }
    }

    /// The line of it for a patient, if the patient is told. `viewers` are those who know the patient.
    fn line(
        &self,
        patient: PatientId,
        (viewers, organisations): (&[ViewerId], &HashMap<TeamId, OrganisationId>),
        (at, times): (Moment, i64),
    ) -> Option<Line> {
        let teams = self.reach.teams();
        let of_teams: Vec<OrganisationId> = teams.iter().filter_map(|team| organisations.get(team).copied()).collect();
        let asker = noted::acquaintance(&self.reach, &of_teams, patient, viewers);
        let event = match noted::line(self.outcome, asker)? {
            Noting::Look => Event::Accessed,
            Noting::Question => Event::Asked,
            Noting::Refusal => Event::Refused,
        };
        // By the team that knows the patient; where none does, by one of those in whose name it was tried.
        let knows = |team: &&TeamId| viewers.contains(&ViewerId::from(**team));
        let team = teams.iter().find(knows).or_else(|| teams.first()).copied();
        let organisation = self.reach.organisation();
        Some(Line {
            at,
            event,
            session: None,
            about: About { client: self.client, user: self.user, team, organisation, patient: Some(patient) },
            times,
            right: (asker == Acquaintance::Own).then_some(Right::Own),
            detail: Some(self.detail.clone().into()),
            operator: None,
        })
    }
}

impl Inquiries {
    pub(crate) fn count(&self, inquiry: Inquiry, at: Moment) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(inquiry, at, 1);
    }

    /// Takes what was counted, in order to write it.
    pub(super) fn take(&self) -> TakenInquiries {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Waiting { counts, lost, .. } = std::mem::take(&mut *waiting);
        TakenInquiries { counts, lost }
    }

    /// Keeps what could not be written for the next time.
    pub(super) fn put_back(&self, taken: TakenInquiries) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.counts.into_iter().for_each(|(inquiry, (at, times))| waiting.add(inquiry, at, times));
    }
}

impl Waiting {
    fn add(&mut self, inquiry: Inquiry, at: Moment, times: i64) {
        let names = inquiry.names.len().max(1);
        if let Some((first, sum)) = self.counts.get_mut(&inquiry) {
            *first = at.min(*first);
            *sum += times;
        } else if self.names + names > MOST_NAMES {
            self.lost += times.unsigned_abs();
        } else {
            self.names += names;
            self.counts.insert(inquiry, (at, times));
        }
    }
}

impl TakenInquiries {
    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// A line for each patient who is told.
    pub(super) async fn lines(&self, store: &Store) -> store::Result<Vec<Line>> {
        let names: Vec<RecordName> = self.counts.keys().flat_map(|inquiry| inquiry.names.iter().cloned()).collect();
        let mut found = Vec::with_capacity(names.len());
        for some in names.chunks(AT_ONCE) {
            found.extend(ownership::patients(store, some).await?);
        }
        let mut found = found.into_iter();
        let about: Vec<BTreeSet<PatientId>> = self
            .counts
            .keys()
            .map(|inquiry| {
                let named = found.by_ref().take(inquiry.names.len()).flatten();
                let all: BTreeSet<PatientId> = named.chain(inquiry.patients.iter().copied()).collect();
                &all - &inquiry.shown
            })
            .collect();
        let patients: BTreeSet<PatientId> = about.iter().flatten().copied().collect();
        if patients.is_empty() {
            return Ok(Vec::new());
        }
        let teams: BTreeSet<TeamId> = self.counts.keys().flat_map(|inquiry| inquiry.reach.teams()).copied().collect();
        let (viewers, organisations) =
            (ownership::viewers(store, patients).await?, ownership::organisations(store, teams).await?);
        let lines = self.counts.iter().zip(&about).flat_map(|((inquiry, counted), about)| {
            about.iter().filter_map(|patient| {
                let known = viewers.get(patient).map(Vec::as_slice).unwrap_or_default();
                inquiry.line(*patient, (known, &organisations), *counted)
            })
        });
        Ok(lines.collect())
    }
}
