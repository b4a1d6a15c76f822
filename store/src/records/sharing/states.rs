//! States of a record: frozen, and not shared with anybody. Disabling the sharing ends every consent in the same transaction.

use super::Ruled;
use super::change::{self, ConsentForm, Sharer};
use super::notices::{self, NewNotice};
use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::records::reach::consents::{self, StoredConsent};
use crate::records::reach::sight;
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::statement::statements;
use crate::store::Store;
use crate::version_clock::VersionClock;
use rules::calendar::Day;
use rules::consent::carers;
use rules::consent::notice::{NoticeKind, RecordState, of_state};
use rules::consent::record::Consent;
use rules::consent::state::PatientState;
use rules::consent::state_right::{StateChange, may_set, without_sharing};
use rules::ids::{PatientId, UserId};
use rules::moment::Moment;
use std::fmt;
use std::sync::Arc;

statements! {
    SET_FROZEN = "UPDATE patients SET frozen_at = $2 WHERE id = $1";
    SET_SHARING = "UPDATE patients SET sharing_disabled_at = $2 WHERE id = $1";
}

/// A state that somebody wants of a record.
#[derive(Clone)]
pub struct StateRequest {
    pub patient: PatientId,
    pub state: RecordState,
    pub sharer: Sharer,
    pub by: Option<UserId>,
    pub reason: Option<String>,
    /// When the patient was born, where that is known to the day.
    pub born: Option<Day>,
    pub form: ConsentForm,
}

impl fmt::Debug for StateRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { patient, state, sharer, .. } = self;
        f.debug_struct("StateRequest")
            .field("patient", patient)
            .field("state", state)
            .field("sharer", sharer)
            .finish_non_exhaustive()
    }
}

/// Sets a state of a record, or says why not. Tells whether that changed anything; `updated` is `now` as FHIR writes it.
pub async fn set(store: &Store, request: StateRequest, now: Moment, updated: String) -> Result<Ruled<bool>> {
    let (making, order) = ((store.ids.clone(), store.versions.clone()), Arc::new((request, updated)));
    let write = store.repeat(move |tx| {
        let (making, order) = (making.clone(), order.clone());
        Box::pin(async move { set_in(tx, (&making.0, &making.1), &order.0, (now, &order.1)).await })
    });
    write.await
}

async fn set_in(
    tx: &mut Tx<'_>,
    (ids, versions): (&Ids, &VersionClock),
    request: &StateRequest,
    at: (Moment, &str),
) -> Result<Ruled<bool>> {
    let (patient, now) = (request.patient, at.0);
    patients::hold(tx, patient).await?;
    let all = consents::load(tx, patient).await?;
    let before = patients::load_state(tx, patient).await?.unwrap_or(PatientState::normal(patient));
    let before = PatientState { born: request.born, ..before };
    let (actor, _) = change::actor(tx, request.sharer, &all, &before, now).await?;
    let (is_so, wanted, event) = match request.state {
        RecordState::Frozen => (before.frozen, StateChange::FreezeRecord, Event::RecordFrozen),
        RecordState::Unfrozen => (!before.frozen, StateChange::FreezeRecord, Event::RecordUnfrozen),
        RecordState::SharingDisabled => (before.sharing_disabled, StateChange::DisableSharing, Event::SharingDisabled),
        RecordState::SharingEnabled => (!before.sharing_disabled, StateChange::DisableSharing, Event::SharingEnabled),
    };
    if let Err(denial) = may_set(actor, wanted, &before, now) {
        return Ok(Err(denial));
    }
    if is_so {
        return Ok(Ok(false));
    }
    match request.state {
        RecordState::Frozen => drop(tx.execute(SET_FROZEN, args![patient, Some(now.0)]).await?),
        RecordState::Unfrozen => drop(tx.execute(SET_FROZEN, args![patient, None::<i64>]).await?),
        RecordState::SharingDisabled => drop(tx.execute(SET_SHARING, args![patient, Some(now.0)]).await?),
        RecordState::SharingEnabled => drop(tx.execute(SET_SHARING, args![patient, None::<i64>]).await?),
    }
    tx.touch(|touched| touched.sight.push(patient));
    patients::forget_accounts(tx, patient).await?;
    let about = About { patient: Some(patient), user: request.by, ..About::default() };
    let line = Line::new(now, event, None, about).with_detail(request.reason.clone().unwrap_or_default());
    tx.append(Outbox::Records, ids, &line);
    if request.state == RecordState::SharingDisabled {
        let given: Vec<Consent> = all.iter().map(|stored| stored.consent().clone()).collect();
        for (after, _) in without_sharing(&given).iter().zip(&given).filter(|(after, before)| after != before) {
            change::write_one(tx, (ids, versions), after, (Event::ConsentEnded, request.by), &request.form, at).await?;
        }
    }
    sight::derive(tx, patient).await?;
    tell(tx, ids, request, (&before, &all), now).await?;
    Ok(Ok(true))
}

async fn tell(
    tx: &mut Tx<'_>,
    ids: &Ids,
    request: &StateRequest,
    (before, all): (&PatientState, &[StoredConsent]),
    now: Moment,
) -> Result<()> {
    if before.deceased {
        return Ok(());
    }
    let consents: Vec<Consent> = all.iter().map(|stored| stored.consent().clone()).collect();
    for recipient in notices::circle(request.patient, carers::told(before, &consents, now)) {
        let notice = NewNotice {
            kind: NoticeKind::of_state(request.state),
            recipient,
            patient: request.patient,
            text: of_state(request.state).into(),
            by: (request.by, None),
            reason: request.reason.clone(),
        };
        notices::add(tx, ids, &notice, now).await?;
    }
    Ok(())
}
