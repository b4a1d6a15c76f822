//! What a request needs to know of the session behind its access token.

use super::clients;
use super::online::{self, sign_in_of_session};
use super::salt::Salt;
use crate::cache::{Entry, through};
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::sql::touched::Touched;
use crate::store::Store;
use rules::clients::ClientKind;
use rules::ids::{ClientId, PatientId, SessionId, TeamId, UserId};
use rules::lifecycle::Session;
use rules::moment::Moment;
use rules::reach::Reach;
use rules::scope::{self, Scope, UserType};
use rules::smart::grant;
use rules::smart::request::SmartScopes;
use std::sync::Arc;

/// A session with everything that an API call asks about it.
#[derive(Debug)]
pub struct Bearer {
    pub id: SessionId,
    pub salt: Salt,
    pub session: Session,
    pub scope: Scope,
    pub client: ClientId,
    /// Its Client ID.
    pub client_name: Arc<str>,
    pub client_kind: ClientKind,
    pub client_disabled: bool,
    /// The user who granted it; `None` for a team's grant.
    pub user: Option<UserId>,
    /// The FHIR id of the patient whose record it is about, for a PATIENT session: the own, or one cared for.
    pub patient: Option<String>,
    /// The FHIR id of the patient in context: whom it is about, or whom a CLINICIAN has picked.
    pub context: Option<String>,
    /// The SMART scopes that it was granted; `None` where it was asked for in the contract's words alone.
    pub smart_scopes: Option<String>,
    pub reach: Reach,
}

impl Entry for Bearer {
    fn weight(&self) -> usize {
        1
    }

    fn rests_on(&self, touched: &Touched) -> bool {
        touched.clients.contains(&self.client) || self.user.is_some_and(|user| touched.users.contains(&user))
    }
}

statements! {
    pub(crate) FIND = concat!("SELECT s.id, s.salt, s.granted_at, s.ends_at, s.generation, s.rotated_at, s.revoked_at, s.scope,
            s.client_id, c.kind, c.disabled_at, s.user_id, u.frozen_at, u.patient_id, p.fhir_id, s.team_id,
            (SELECT string_agg(CAST(m.team_id AS TEXT), ',') FROM memberships m WHERE m.user_id = s.user_id),
            u.type, c.scopes, p.deceased, c.client_id, p.frozen_at, s.record_id, q.fhir_id, s.for_team_id,
            s.smart_scopes, c.user_types, c.smart_scopes, s.sign_in_id, ", sign_in_of_session!(), "
        FROM sessions s JOIN clients c ON c.id = s.client_id LEFT JOIN users u ON u.id = s.user_id
            LEFT JOIN patients p ON p.id = u.patient_id LEFT JOIN patients q ON q.id = s.record_id
        WHERE s.id = $1");
}

/// The session behind an access token, from memory where that is as good as the database.
pub async fn find(store: &Store, id: SessionId) -> Result<Option<Arc<Bearer>>> {
    let memory = store.cache.as_ref().map(|cache| &cache.sessions);
    let found = through(memory, &id, async || store.db.read_one(FIND, args![id], bearer).await).await?;
    match found {
        // Whether somebody is still signed in is asked each time.
        Some(found) if found.session.online_until.is_some() => {
            Ok(store.db.read_one(FIND, args![id], bearer).await?.map(Arc::new))
        }
        found => Ok(found),
    }
}

fn bearer(row: &dyn Row) -> Result<Bearer> {
    let scope = row.word(7, Scope::named)?;
    let (user, own): (Option<UserId>, Option<PatientId>) = (row.opt_id(11)?, row.opt_id(13)?);
    let record: Option<PatientId> = row.opt_id(22)?;
    let reach = match (scope, user, record) {
        (Scope::Patient, Some(user), Some(record)) if Some(record) != own => Reach::of_carer(user, record),
        // An account without a patient sees nobody's record: no patient has this number.
        (Scope::Patient, ..) => Reach::of_patient(own.unwrap_or(PatientId(0))),
        (Scope::Clinician | Scope::TeamCoord | Scope::Site, user, _) => of_teams(row, scope, user)?,
    };
    let smart_scopes = row.opt_text(25)?;
    // A PATIENT session has its record in context; a CLINICIAN has picked a patient, or none.
    let granted = smart_scopes.as_deref().map(SmartScopes::kept);
    let lens = granted.as_ref().and_then(|granted| match (reach.record(), reach.person()) {
        (Some(own), None) => granted.own_lens(own),
        (about, _) => granted.lens(about.or(record)),
    });
    let reach = match lens {
        Some(lens) => reach.through_lens(lens),
        None => reach,
    };
    let registered = clients::covered(&row.text(18)?, &row.text(26)?);
    let is_registered_for_all = match &granted {
        Some(granted) => grant::is_still_registered(&granted.scopes, &SmartScopes::kept(&row.text(27)?).scopes),
        None => true,
    };
    let context = row.opt_text(23)?.or(row.opt_text(14)?);
    Ok(Bearer {
        id: row.id(0)?,
        salt: Salt::from_bytes(&row.bytes(1)?)?,
        session: Session {
            granted_at: Moment(row.int(2)?),
            ends_at: row.opt_int(3)?.map(Moment),
            generation: row.int(4)?,
            rotated_at: row.opt_int(5)?.map(Moment),
            revoked_at: row.opt_int(6)?.map(Moment),
            covered: is_registered_for_all
                && scope::still_covered(scope, row.opt_word(17, UserType::named)?, registered),
            frozen: row.opt_int(12)?.is_some()
                || row.opt_int(19)?.is_some_and(|deceased| deceased != 0)
                || row.opt_int(21)?.is_some(),
            online_until: online::until(row, (28, 29))?,
        },
        scope,
        client: row.id(8)?,
        client_name: row.text(20)?.into(),
        client_kind: row.word(9, ClientKind::named)?,
        client_disabled: row.opt_int(10)?.is_some(),
        user,
        patient: context.clone().filter(|_| scope == Scope::Patient),
        context,
        smart_scopes,
        reach,
    })
}

/// What a team's session sees, or a member's: of the team that was chosen, while the user is one of it. A CLINICIAN without a team
/// looks with their own eyes.
fn of_teams(row: &dyn Row, scope: Scope, user: Option<UserId>) -> Result<Reach> {
    let (own_team, chosen): (Option<TeamId>, Option<TeamId>) = (row.opt_id(15)?, row.opt_id(24)?);
    let teams = row.opt_text(16)?.unwrap_or_default();
    let member_of = teams.split(',').filter_map(|id| id.parse().ok()).map(TeamId);
    let Some(user) = user else { return Ok(Reach::of_teams(own_team.into_iter().collect())) };
    let teams: Vec<TeamId> = member_of.filter(|team| chosen.is_none_or(|chosen| chosen == *team)).collect();
    match (scope, chosen) {
        (Scope::Clinician, None) if teams.is_empty() => Ok(Reach::of_individual(user)),
        _ => Ok(Reach::of_member(user, teams)),
    }
}
