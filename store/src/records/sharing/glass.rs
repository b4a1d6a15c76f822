//! Broken glass: one record, opened to one session of one team for a short time. Everybody concerned is told in the same transaction.

use super::Ruled;
use super::notices::{self, NewNotice};
use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::records::reach::consents;
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::consent::carers;
use rules::consent::glass::{self, Glass, GlassBreaker, GlassFacts, GlassUse};
use rules::consent::notice::{NoticeKind, Recipient, of_glass};
use rules::consent::record::{Consent, Grantee};
use rules::consent::state::PatientState;
use rules::ids::{OrganisationId, PatientId, SessionId, TeamId, UserId};
use rules::moment::Moment;
use std::sync::Arc;

statements! {
    TEAM = "SELECT break_glass, organisation_id, name FROM teams WHERE id = $1";
    MEMBER = "SELECT u.name FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND m.user_id = $2";
    ADD = "INSERT INTO glasses (id, session_id, team_id, user_id, patient_id, broken_at, session_ends_at, reason)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    FIND = "SELECT g.session_id, g.team_id, g.user_id, g.patient_id, g.broken_at, g.session_ends_at, g.mended_at, p.fhir_id
        FROM glasses g JOIN patients p ON p.id = g.patient_id WHERE g.id = $1";
    NEWEST = "SELECT g.session_id, g.team_id, g.user_id, g.patient_id, g.broken_at, g.session_ends_at, g.mended_at, g.id
        FROM glasses g WHERE g.patient_id = (SELECT p.id FROM patients p WHERE p.fhir_id = $1)
        AND g.session_id = $2 AND g.team_id = $3 AND g.mended_at IS NULL AND g.broken_at <= $4 ORDER BY g.id DESC LIMIT 1";
    OF_TEAM = "SELECT g.session_id, g.team_id, g.user_id, g.patient_id, g.broken_at, g.session_ends_at, g.mended_at, g.reason
        FROM glasses g WHERE g.patient_id = $1 AND g.team_id = $2 AND g.broken_at <= $3 ORDER BY g.id DESC LIMIT $4";
    OF_ORGANISATION = "SELECT g.session_id, g.team_id, g.user_id, g.patient_id, g.broken_at, g.session_ends_at, g.mended_at,
        g.id, g.reason, t.name, u.name, p.fhir_id FROM glasses g JOIN teams t ON t.id = g.team_id
        JOIN patients p ON p.id = g.patient_id LEFT JOIN users u ON u.id = g.user_id
        WHERE t.organisation_id = $1 AND g.id < $2 ORDER BY g.id DESC LIMIT $3";
    MEND = "UPDATE glasses SET mended_at = $2 WHERE id = $1 AND mended_at IS NULL";
}

/// Who wants to break a glass, and for which record.
#[derive(Clone, Debug)]
pub struct GlassRequest {
    pub session: SessionId,
    pub session_ends_at: Option<Moment>,
    pub team: Option<TeamId>,
    /// The user of the session; SITE has none and names one.
    pub user: Option<UserId>,
    pub named: Option<UserId>,
    /// Whether the session's scope is one by which a glass is broken.
    pub is_permitted: bool,
    /// The patient of this FHIR id.
    pub patient: String,
    pub reason: Option<String>,
    /// The setting `glass.reason`.
    pub needs_reason: bool,
}

/// A glass that was broken, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenGlass {
    pub id: i64,
    pub glass: Glass,
}

/// Breaks a glass, or says why not.
pub async fn break_glass(store: &Store, request: GlassRequest, now: Moment) -> Result<Ruled<BrokenGlass>> {
    let (ids, request) = (store.ids.clone(), Arc::new(request));
    let write = store.repeat(move |tx| {
        let (ids, request) = (ids.clone(), request.clone());
        Box::pin(async move { break_in(tx, &ids, &request, now).await })
    });
    write.await
}

async fn break_in(tx: &mut Tx<'_>, ids: &Ids, request: &GlassRequest, now: Moment) -> Result<Ruled<BrokenGlass>> {
    let team_row = |row: &dyn Row| Ok((row.flag(0)?, row.id(1)?, row.text(2)?));
    let team: Option<(bool, OrganisationId, String)> = match request.team {
        Some(team) => tx.query_one(TEAM, args![team], team_row).await?,
        None => None,
    };
    let name = match (request.team, request.user.or(request.named)) {
        (Some(team), Some(user)) => tx.query_one(MEMBER, args![team, user], |row| row.text(0)).await?,
        _ => None,
    };
    let who = match (request.team.filter(|_| request.is_permitted), request.user) {
        (Some(team), Some(user)) => GlassBreaker::Clinician { user, team },
        (Some(team), None) => GlassBreaker::Site { team, named: request.named, is_member: name.is_some() },
        (None, _) => GlassBreaker::Other,
    };
    let number = patients::load_number(tx, &request.patient).await?;
    let patient = match number {
        Some(number) => patients::load_state(tx, number).await?,
        None => None,
    };
    let facts = GlassFacts {
        session: request.session,
        session_ends_at: request.session_ends_at,
        is_enabled: team.as_ref().is_some_and(|(is_enabled, ..)| *is_enabled),
        patient: patient.as_ref(),
        reason: request.reason.as_deref(),
        needs_reason: request.needs_reason,
    };
    let glass = match glass::break_glass(who, &facts, now) {
        Ok(glass) => glass,
        Err(denial) => return Ok(Err(denial)),
    };
    let id = ids.next(now);
    let Glass { session, team: of, user, patient, .. } = glass;
    let (ends_at, reason) = (glass.session_ends_at.map(|end| end.0), request.reason.as_deref());
    tx.execute(ADD, args![id, session, of, user, patient, now.0, ends_at, reason]).await?;
    let about = About { patient: Some(patient), team: Some(of), user: Some(user), ..About::default() };
    let until = rules::calendar::instant(glass.ends_at());
    let detail = match reason {
        Some(reason) => format!("until {until}: {reason}"),
        None => format!("until {until}"),
    };
    tx.append(Outbox::Records, ids, &Line::new(now, Event::GlassBroken, Some(session), about).with_detail(detail));
    let (organisation, team_name) = team.map(|(_, organisation, name)| (organisation, name)).unzip();
    let text = of_glass(name.as_deref().unwrap_or("somebody"), team_name.as_deref().unwrap_or("a team"));
    tell(tx, ids, &glass, (organisation, text, reason), now).await?;
    Ok(Ok(BrokenGlass { id, glass }))
}

/// Tells the patient, the carers and teams who hold a label, and the privacy officers of the team's organisation.
async fn tell(
    tx: &mut Tx<'_>,
    ids: &Ids,
    glass: &Glass,
    (organisation, text, reason): (Option<OrganisationId>, String, Option<&str>),
    now: Moment,
) -> Result<()> {
    let consents: Vec<Consent> =
        consents::load(tx, glass.patient).await?.iter().map(|stored| stored.consent().clone()).collect();
    let state = patients::load_state(tx, glass.patient).await?.unwrap_or(PatientState::normal(glass.patient));
    let mut recipients = notices::circle(glass.patient, carers::told(&state, &consents, now));
    let teams = glass::told(&consents, now).into_iter().filter_map(|grantee| match grantee {
        Grantee::Team(team) => Some(Recipient::Team(team)),
        Grantee::Carer(_) | Grantee::Professional(_) => None,
    });
    recipients.extend(teams);
    recipients.extend(organisation.map(notices::officers));
    for recipient in recipients {
        let notice = NewNotice {
            kind: NoticeKind::GlassBroken,
            recipient,
            patient: glass.patient,
            text: text.clone(),
            by: (Some(glass.user), Some(glass.team)),
            reason: reason.map(str::to_owned),
        };
        notices::add(tx, ids, &notice, now).await?;
    }
    Ok(())
}

/// The glass of this number, with the state of the record that it opens and the FHIR id of its patient.
pub async fn find(store: &Store, id: i64) -> Result<Option<(Glass, PatientState, String)>> {
    let row = |row: &dyn Row| Ok((glass_row(row)?, row.text(7)?));
    let Some((glass, patient)) = store.db.read_one(FIND, args![id], row).await? else { return Ok(None) };
    let state = patients::state(store, glass.patient).await?;
    Ok(state.map(|state| (glass, state, patient)))
}

/// The newest glass that was broken for a patient in this session for this team and not handed back, with its number and the state of
/// the record.
pub async fn newest(
    store: &Store,
    call: &GlassUse,
    patient: &str,
    now: Moment,
) -> Result<Option<(i64, Glass, PatientState)>> {
    let row = |row: &dyn Row| Ok((row.int(7)?, glass_row(row)?));
    let found = store.db.read_one(NEWEST, args![patient, call.session, call.team, now.0], row).await?;
    let Some((id, glass)) = found else { return Ok(None) };
    let state = patients::state(store, glass.patient).await?;
    Ok(state.map(|state| (id, glass, state)))
}

/// The glasses of a patient that a team broke before a moment, the newest first, each with the reason that was given.
pub async fn of_team(
    store: &Store,
    (patient, team): (PatientId, TeamId),
    now: Moment,
    limit: i64,
) -> Result<Vec<(Glass, Option<String>)>> {
    let row = |row: &dyn Row| Ok((glass_row(row)?, row.opt_text(7)?));
    store.db.page(OF_TEAM, args![patient, team, now.0, limit], row).await
}

/// A glass that was broken, as the privacy officers of its team's organisation are told of it.
#[derive(Clone, Debug)]
pub struct GlassUseTold {
    pub id: i64,
    pub glass: Glass,
    pub reason: Option<String>,
    pub team: String,
    /// Who broke it; `None` where the account is gone.
    pub user: Option<String>,
    /// The FHIR id of the patient.
    pub patient: String,
}

/// The glasses that the teams of an organisation broke before one, the newest first.
pub async fn of_organisation(
    store: &Store,
    organisation: OrganisationId,
    before: i64,
    limit: i64,
) -> Result<Vec<GlassUseTold>> {
    let row = |row: &dyn Row| {
        Ok(GlassUseTold {
            id: row.int(7)?,
            glass: glass_row(row)?,
            reason: row.opt_text(8)?,
            team: row.text(9)?,
            user: row.opt_text(10)?,
            patient: row.text(11)?,
        })
    };
    store.db.page(OF_ORGANISATION, args![organisation, before, limit], row).await
}

/// Hands a glass back: from the answer on it opens nothing.
pub async fn mend(store: &Store, id: i64, glass: Glass, now: Moment) -> Result<()> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            if tx.execute(MEND, args![id, now.0]).await? == 1 {
                let (patient, team, user) = (Some(glass.patient), Some(glass.team), Some(glass.user));
                let about = About { patient, team, user, ..About::default() };
                tx.append(Outbox::Records, &ids, &Line::new(now, Event::GlassMended, Some(glass.session), about));
            }
            Ok(())
        })
    });
    write.await
}

fn glass_row(row: &dyn Row) -> Result<Glass> {
    Ok(Glass {
        session: row.id(0)?,
        team: row.id(1)?,
        user: row.id(2)?,
        patient: row.id(3)?,
        broken_at: Moment(row.int(4)?),
        session_ends_at: row.opt_int(5)?.map(Moment),
        mended_at: row.opt_int(6)?.map(Moment),
    })
}
