//! Changing a consent: the one write path of every door. The consent's row, who sees the record then, its FHIR form, the notices and
//! the line of the ledger are written in one transaction, or nothing is.

use super::Ruled;
use super::notices::{self, NewNotice};
use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::Event;
use crate::records::reach::consents::{self, StoredConsent};
use crate::records::reach::sight;
use crate::records::write::draft::Drafts;
use crate::records::write::moment;
use crate::records::write::new_resource::NewResource;
use crate::records::write::outcome::Stored;
use crate::records::write::predecessor::Demand;
use crate::records::write::writing::{Replacing, Writing};
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use crate::version_clock::VersionClock;
use rules::calendar::Day;
use rules::consent::actor::{Act, Actor, GranteeFacts};
use rules::consent::carers;
use rules::consent::change::{self, ConsentChange, ConsentFacts, WantedConsent};
use rules::consent::denial::Denial;
use rules::consent::notice::{NoticeKind, Recipient};
use rules::consent::record::{Consent, ConsentId, Grantee};
use rules::consent::standing::GivenConsent;
use rules::consent::state::PatientState;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use rules::labels::Labels;
use rules::moment::Moment;
use rules::reach::Source;
use std::fmt;
use std::sync::Arc;

statements! {
    TEAM = "SELECT organisation_id, default_access, public_id, name FROM teams WHERE id = $1";
    PERSON = "SELECT username, name FROM users WHERE id = $1";
    KNOWN = "SELECT 1 FROM sight WHERE patient_id = $1 AND viewer_id = $2";
    FHIR_ID = "SELECT fhir_id FROM patients WHERE id = $1";
}

/// Who wants a change. What they hold themselves is looked up when it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharer {
    Patient,
    Carer(UserId),
    /// A CLINICIAN for a team; of SITE it is the user who attests, if one was named.
    Clinician {
        team: TeamId,
        attesting: Option<UserId>,
    },
    Coordinator(TeamId),
    SystemClient(OrganisationId),
    PrivacyOfficer(OrganisationId),
    Operator,
    Other,
}

/// How a consent is written as FHIR: its Consent, and the RelatedPerson of a carer.
pub type ConsentForm = Arc<dyn Fn(&ConsentNames<'_>) -> Result<Vec<NewResource>> + Send + Sync>;

/// A consent with the names that its FHIR form has.
#[derive(Clone, Copy, Debug)]
pub struct ConsentNames<'n> {
    pub consent: &'n Consent,
    /// The FHIR id of the patient.
    pub patient: &'n str,
    /// The public id of a team, the username of a person.
    pub grantee: &'n str,
    pub grantee_name: &'n str,
    pub now: Moment,
}

/// A change that somebody wants.
#[derive(Clone)]
pub struct SharingRequest {
    pub patient: PatientId,
    pub grantee: Grantee,
    pub sharer: Sharer,
    /// The user who asks.
    pub by: Option<UserId>,
    pub wanted: WantedConsent,
    /// When the patient was born, where that is known to the day.
    pub born: Option<Day>,
    /// The setting `carers.end_at_age`.
    pub carers_end_at_age: i64,
    pub form: ConsentForm,
}

impl fmt::Debug for SharingRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { patient, grantee, sharer, wanted, .. } = self;
        f.debug_struct("SharingRequest")
            .field("patient", patient)
            .field("grantee", grantee)
            .field("sharer", sharer)
            .field("wanted", wanted)
            .finish_non_exhaustive()
    }
}

/// What became of it.
#[derive(Debug)]
pub struct SharingOutcome {
    pub consent: StoredConsent,
    pub is_new: bool,
    /// Whether anything changed.
    pub is_changed: bool,
    /// The Consent as it was stored; `None` where nothing changed.
    pub stored: Option<Stored>,
}

/// Changes the consent of a pair, or says why not. `updated` is `now` as FHIR writes it.
pub async fn change(
    store: &Store,
    request: SharingRequest,
    now: Moment,
    updated: String,
) -> Result<Ruled<SharingOutcome>> {
    store.room()?;
    let (making, order) = ((store.ids.clone(), store.versions.clone()), Arc::new((request, updated)));
    let write = store.repeat(move |tx| {
        let (making, order) = (making.clone(), order.clone());
        Box::pin(async move { change_in(tx, (&making.0, &making.1), &order.0, now, &order.1).await })
    });
    write.await
}

/// The same within a transaction.
pub(crate) async fn change_in(
    tx: &mut Tx<'_>,
    (ids, versions): (&Ids, &VersionClock),
    request: &SharingRequest,
    now: Moment,
    updated: &str,
) -> Result<Ruled<SharingOutcome>> {
    let SharingRequest { patient, grantee, sharer, wanted, .. } = request;
    patients::hold(tx, *patient).await?;
    let all = consents::load(tx, *patient).await?;
    let state = patients::load_state(tx, *patient).await?.unwrap_or(PatientState::normal(*patient));
    let state = PatientState { born: request.born, ..state };
    let Some((to, _, name)) = grantee_facts(tx, *grantee).await? else { return Ok(Err(Denial::NotFound)) };
    let before = all.iter().find(|stored| stored.consent().grantee == *grantee);
    let (actor, organisation) = actor(tx, *sharer, &all, &state, now).await?;
    let is_associated = is_known(tx, *patient, organisation).await?;
    let facts = ConsentFacts {
        patient: &state,
        to,
        before: before.map(StoredConsent::consent),
        is_associated,
        carers_end_at_age: request.carers_end_at_age,
    };
    let ConsentChange { after, acts } = match change::change(actor, wanted, &facts, consents::new_id(ids, now), now) {
        Ok(change) => change,
        Err(denial) => return Ok(Err(denial)),
    };
    if let Some(before) = before
        && acts.is_empty()
        && *before.consent() == after
    {
        return Ok(Ok(SharingOutcome { consent: before.clone(), is_new: false, is_changed: false, stored: None }));
    }
    let is_new = before.is_none();
    let event = event(before.map(StoredConsent::consent), &acts);
    let stored = write_one(tx, (ids, versions), &after, (event, request.by), &request.form, (now, updated)).await?;
    tell(tx, ids, request, (&after, &acts, &name), (&state, &all), now).await?;
    let (made_at, changed_by) = (before.map_or(now, |before| before.made_at), request.by);
    let given = GivenConsent { consent: after, organisation: to.organisation };
    let consent = StoredConsent { given, made_at, changed_at: now, changed_by };
    Ok(Ok(SharingOutcome { consent, is_new, is_changed: true, stored }))
}

/// A carer accepts an invitation; `None` as `by` is the operator for them.
pub async fn accept(
    store: &Store,
    id: ConsentId,
    by: Option<UserId>,
    (form, now, updated): (ConsentForm, Moment, String),
) -> Result<Ruled<StoredConsent>> {
    let (making, order) = ((store.ids.clone(), store.versions.clone()), Arc::new((form, updated)));
    let write = store.repeat(move |tx| {
        let (making, order) = (making.clone(), order.clone());
        Box::pin(async move {
            let Some(before) = consents::load_one(tx, id).await? else { return Ok(Err(Denial::NotFound)) };
            let (patient, grantee) = (before.consent().patient, before.consent().grantee);
            // Another may have changed it until this transaction had its turn.
            let Some(before) = consents::load_pair(tx, patient, grantee).await? else {
                return Ok(Err(Denial::NotFound));
            };
            let after = match change::accept(before.consent(), by, now) {
                Ok(after) => after,
                Err(denial) => return Ok(Err(denial)),
            };
            write_one(tx, (&making.0, &making.1), &after, (Event::ConsentGiven, by), &order.0, (now, &order.1)).await?;
            let given = GivenConsent { consent: after, ..before.given };
            Ok(Ok(StoredConsent { given, changed_at: now, changed_by: by, ..before }))
        })
    });
    write.await
}

/// Writes a consent as it is now, who sees the record then, and its FHIR form.
pub(super) async fn write_one(
    tx: &mut Tx<'_>,
    (ids, versions): (&Ids, &VersionClock),
    consent: &Consent,
    told: (Event, Option<UserId>),
    form: &ConsentForm,
    at: (Moment, &str),
) -> Result<Option<Stored>> {
    consents::put(tx, ids, consent, told, at.0).await?;
    sight::derive(tx, consent.patient).await?;
    let Some((_, grantee, name)) = grantee_facts(tx, consent.grantee).await? else { return Ok(None) };
    put_form(tx, (ids, versions), form, consent, (&grantee, &name), at).await
}

/// Stores the FHIR form. What is first in it is the Consent.
async fn put_form(
    tx: &mut Tx<'_>,
    (ids, versions): (&Ids, &VersionClock),
    form: &ConsentForm,
    consent: &Consent,
    (grantee, grantee_name): (&str, &str),
    (now, updated): (Moment, &str),
) -> Result<Option<Stored>> {
    let patient: Option<String> = tx.query_one(FHIR_ID, args![consent.patient], |row| row.text(0)).await?;
    let patient = patient.as_deref().unwrap_or_default();
    let forms = form(&ConsentNames { consent, patient, grantee, grantee_name, now })?;
    let moment = moment::of(tx, versions, forms.iter().map(|form| form.content.resource_type), now).await?;
    let none = Drafts::none();
    let source = Source::Patient(consent.patient);
    let mut writer = Writing::of(tx, ids, source, (moment, updated), (None, &none, Replacing::Whole)).await?;
    let mut first = None;
    for form in &forms {
        let stored = writer.put_whole(form, Demand::Nothing, None).await?;
        first = first.or(Some(stored));
    }
    writer.finish().await?;
    Ok(first)
}

/// What is known of a grantee, with the id and the name that others know it by; `None` where there is no such.
async fn grantee_facts(tx: &mut Tx<'_>, grantee: Grantee) -> Result<Option<(GranteeFacts, String, String)>> {
    match grantee {
        Grantee::Team(team) => {
            let row = |row: &dyn Row| {
                let facts =
                    GranteeFacts { grantee, organisation: Some(row.id(0)?), default_access: Labels(row.int(1)?) };
                Ok((facts, row.text(2)?, row.text(3)?))
            };
            tx.query_one(TEAM, args![team], row).await
        }
        Grantee::Professional(user) | Grantee::Carer(user) => {
            let facts = GranteeFacts { grantee, organisation: None, default_access: Labels::NONE };
            let row = |row: &dyn Row| Ok((facts, row.text(0)?, row.text(1)?));
            tx.query_one(PERSON, args![user], row).await
        }
    }
}

/// Who acts, with what they hold of the patient now; and the organisation whose patient it must be.
pub(super) async fn actor(
    tx: &mut Tx<'_>,
    sharer: Sharer,
    all: &[StoredConsent],
    state: &PatientState,
    now: Moment,
) -> Result<(Actor, Option<ViewerId>)> {
    let given = |grantee: Grantee| all.iter().map(StoredConsent::consent).find(|consent| consent.grantee == grantee);
    let held = |grantee: Grantee| match given(grantee) {
        Some(consent) if !state.sharing_disabled => consent.in_force(now),
        _ => Labels::NONE,
    };
    let of_team = |team: TeamId| held(Grantee::Team(team));
    Ok(match sharer {
        Sharer::Patient => (Actor::Patient, None),
        Sharer::Carer(user) => {
            let manages = given(Grantee::Carer(user)).is_some_and(|consent| consent.manages);
            (Actor::Carer { user, held: held(Grantee::Carer(user)), manages }, None)
        }
        Sharer::Clinician { team, attesting } => {
            (Actor::Clinician { team, attesting, held: of_team(team) }, home(tx, team).await?)
        }
        Sharer::Coordinator(team) => (Actor::Coordinator { team, held: of_team(team) }, home(tx, team).await?),
        Sharer::SystemClient(organisation) => (Actor::SystemClient(organisation), Some(organisation.into())),
        Sharer::PrivacyOfficer(organisation) => (Actor::PrivacyOfficer(organisation), Some(organisation.into())),
        Sharer::Operator => (Actor::Operator, None),
        Sharer::Other => (Actor::Other, None),
    })
}

async fn home(tx: &mut Tx<'_>, team: TeamId) -> Result<Option<ViewerId>> {
    let home: Option<OrganisationId> = tx.query_one(TEAM, args![team], |row| row.id(0)).await?;
    Ok(home.map(ViewerId::from))
}

async fn is_known(tx: &mut Tx<'_>, patient: PatientId, viewer: Option<ViewerId>) -> Result<bool> {
    let Some(viewer) = viewer else { return Ok(false) };
    Ok(tx.query_one(KNOWN, args![patient, viewer], |row| row.int(0)).await?.is_some())
}

/// The event of a change.
fn event(before: Option<&Consent>, acts: &[Act]) -> Event {
    let is = |wanted: fn(&Act) -> bool| acts.iter().any(wanted);
    if before.is_none() || is(|act| matches!(act, Act::Widen(_))) {
        Event::ConsentGiven
    } else if is(|act| matches!(act, Act::Discharge)) {
        Event::ConsentEnded
    } else {
        Event::ConsentChanged
    }
}

/// Tells the patient and the carers who hold a label, and a carer that they are invited. After the patient's death nobody is told.
async fn tell(
    tx: &mut Tx<'_>,
    ids: &Ids,
    request: &SharingRequest,
    (after, acts, name): (&Consent, &[Act], &str),
    (state, all): (&PatientState, &[StoredConsent]),
    now: Moment,
) -> Result<()> {
    if state.deceased {
        return Ok(());
    }
    let consents: Vec<Consent> = all.iter().map(|stored| stored.consent().clone()).collect();
    let before = all.iter().map(StoredConsent::consent).find(|consent| consent.grantee == after.grantee);
    let kind = NoticeKind::of_change(before, after);
    let team = match request.sharer {
        Sharer::Clinician { team, .. } | Sharer::Coordinator(team) => Some(team),
        _ => None,
    };
    let reason = after.basis.as_ref().and_then(|basis| basis.text.clone());
    let text = rules::consent::notice::of_consent(after, acts, name);
    let notice = NewNotice {
        kind,
        recipient: Recipient::Patient(request.patient),
        patient: request.patient,
        text,
        by: (request.by, team),
        reason,
    };
    for recipient in notices::circle(request.patient, carers::told(state, &consents, now)) {
        notices::add(tx, ids, &NewNotice { recipient, ..notice.clone() }, now).await?;
    }
    if let (Grantee::Carer(user), false) = (after.grantee, after.accepted) {
        let (kind, recipient) = (NoticeKind::CarerInvited, Recipient::User(user));
        notices::add(tx, ids, &NewNotice { kind, recipient, ..notice }, now).await?;
    }
    Ok(())
}
