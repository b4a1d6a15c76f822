//! The circle of a patient: consents, makers and states, as far as a call that names the patient depends on them. Remembered until
//! one of them changes.

use super::condition::{ReachArgs, Scoped};
use super::consents::{self, StoredConsent};
use super::sight;
use crate::access::patients;
use crate::cache::{Entry, through};
use crate::error::Result;
use crate::sql::arg::{Arg, args};
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::sql::touched::Touched;
use crate::store::Store;
use rules::consent::eyes::Eyes;
use rules::consent::state::PatientState;
use rules::consent::view::{self, Tie, View};
use rules::consent::viewer::Viewer;
use rules::ids::{PatientId, UserId, ViewerId};
use rules::labels::Labels;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::{Arc, LazyLock};

statements! {
    /// In as many steps for a patient who does not exist as for one whom the viewer does not know.
    KNOWN = "SELECT s.patient_id FROM sight s
        WHERE s.patient_id = coalesce((SELECT p.id FROM patients p WHERE p.fhir_id = $1), -1) AND s.viewer_id = $2";
    FROZEN = "SELECT p.id FROM patients p JOIN consents c ON c.patient_id = p.id
        WHERE c.grantee_id = $1 AND p.frozen_at IS NOT NULL
        UNION SELECT p.id FROM patients p JOIN makers m ON m.patient_id = p.id
        WHERE m.viewer_id = $1 AND p.frozen_at IS NOT NULL";
}

/// The number of a patient who is in reach, by FHIR id.
static IN_REACH: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::reach::circle::IN_REACH", 1, |reach| {
        format!("SELECT {} AS number", reach.patient_number("CAST($1 AS TEXT)"))
    })
});

/// The same, and the labels that are held.
static HELD: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::reach::circle::HELD", 1, |reach| {
        let number = reach.patient_number("CAST($1 AS TEXT)");
        format!("SELECT q.number, {} AS held FROM (SELECT {number} AS number) q", reach.held("q.number"))
    })
});

pub(crate) fn statements() -> Vec<String> {
    [IN_REACH.all(), HELD.all()].concat()
}

/// The number of the patient of this FHIR id, if a caller of this reach has anything to do with them.
pub async fn in_reach(store: &Store, reach: &Reach, fhir_id: &str, now: Moment) -> Result<Option<PatientId>> {
    let own = ReachArgs::of_patients(reach, now);
    let arguments = own.behind(&[Arg::Text(fhir_id)]);
    let found = store.db.read_one(IN_REACH.statement(reach), &arguments, |row| row.opt_id(0)).await?;
    Ok(found.flatten())
}

/// The labels that a caller of this reach holds of the patient of this FHIR id; `None` where the caller has nothing to do with them.
pub async fn held(store: &Store, reach: &Reach, fhir_id: &str, now: Moment) -> Result<Option<Labels>> {
    let own = ReachArgs::of_patients(reach, now);
    let arguments = own.behind(&[Arg::Text(fhir_id)]);
    let row = |row: &dyn Row| Ok((row.opt_int(0)?, row.opt_int(1)?));
    let found = store.db.read_one(HELD.statement(reach), &arguments, row).await?;
    Ok(found.and_then(|(patient, held)| patient.map(|_| Labels(held.unwrap_or_default()))))
}

/// The number of the patient of this FHIR id, if a team or an organisation has anything to do with them.
pub async fn known_to(store: &Store, viewer: ViewerId, fhir_id: &str) -> Result<Option<PatientId>> {
    store.db.read_one(KNOWN, args![fhir_id, viewer], |row| row.id(0)).await
}

/// The patients whose records are frozen and whom a person has to do with, whatever the call asks for.
pub async fn frozen_to(store: &Store, person: UserId) -> Result<Vec<PatientId>> {
    store.db.read(FROZEN, args![person], |row| row.id(0)).await
}

/// What is known of who may see a patient.
#[derive(Debug)]
pub struct PatientCircle {
    pub state: PatientState,
    pub consents: Vec<StoredConsent>,
    makers: Vec<Eyes>,
}

impl Entry for PatientCircle {
    fn weight(&self) -> usize {
        1
    }

    /// It is forgotten by its patient.
    fn rests_on(&self, _: &Touched) -> bool {
        false
    }
}

/// The circle of a patient; nobody's where there is no such patient.
pub async fn of(store: &Store, patient: PatientId) -> Result<Arc<PatientCircle>> {
    let memory = store.cache.as_ref().map(|cache| &cache.circles);
    let found = through(memory, &patient, async || read(store, patient).await.map(Some)).await?;
    Ok(match found {
        Some(found) => found,
        None => Arc::new(PatientCircle { state: PatientState::normal(patient), consents: vec![], makers: vec![] }),
    })
}

async fn read(store: &Store, patient: PatientId) -> Result<PatientCircle> {
    let state = patients::state(store, patient).await?.unwrap_or(PatientState::normal(patient));
    let consents = consents::point_read(store, patient).await?;
    let makers = store.db.read(sight::MAKERS, args![patient], sight::maker_row).await?;
    Ok(PatientCircle { state, consents, makers: makers.into_iter().filter_map(|(_, eyes)| eyes).collect() })
}

impl PatientCircle {
    /// What a caller of this reach gets of the record: a view for each through whose eyes they look.
    #[must_use]
    pub fn views(&self, reach: &Reach, now: Moment) -> Vec<View> {
        let of = |eyes: Eyes| view::of(eyes, &self.state, &self.tie(eyes, reach), None, now);
        match reach.viewer() {
            Viewer::Patient(own) if own == self.state.id => vec![View::All],
            Viewer::Patient(_) => vec![View::None],
            Viewer::Carer { user, patient } if patient == self.state.id => vec![of(Eyes::Carer(user))],
            Viewer::Carer { .. } => vec![View::None],
            Viewer::Individual(user) => vec![of(Eyes::Individual(user))],
            Viewer::Teams { teams, .. } => teams.iter().map(|team| of(Eyes::Team(*team))).collect(),
            Viewer::Organisation { organisation, through } => {
                let through = through.iter().map(|team| of(Eyes::Team(*team)));
                std::iter::once(of(Eyes::Organisation(organisation))).chain(through).collect()
            }
        }
    }

    fn tie(&self, eyes: Eyes, reach: &Reach) -> Tie<'_> {
        let is_given = |stored: &&StoredConsent| match eyes {
            Eyes::Organisation(organisation) => stored.given.organisation == Some(organisation),
            other => Eyes::from(stored.consent().grantee) == other,
        };
        let glass = reach.glass().filter(|glass| glass.patient == self.state.id && eyes == Eyes::Team(glass.team));
        Tie {
            consent: self.consents.iter().find(is_given).map(StoredConsent::consent),
            made: self.makers.contains(&eyes),
            glass: glass.map(|glass| glass.until),
        }
    }
}
