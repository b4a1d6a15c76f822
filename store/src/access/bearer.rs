//! What a request needs to know of the session behind its access token.

use super::clients;
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
    /// The FHIR id of the patient that it is about, for a PATIENT session.
    pub patient: Option<String>,
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
    pub(crate) FIND = "SELECT s.id, s.salt, s.granted_at, s.ends_at, s.generation, s.rotated_at, s.revoked_at, s.scope,
            s.client_id, c.kind, c.disabled_at, s.user_id, u.frozen_at, u.patient_id, p.fhir_id, s.team_id,
            (SELECT string_agg(CAST(m.team_id AS TEXT), ',') FROM memberships m WHERE m.user_id = s.user_id),
            u.type, c.scopes, p.deceased, c.client_id
        FROM sessions s JOIN clients c ON c.id = s.client_id LEFT JOIN users u ON u.id = s.user_id
            LEFT JOIN patients p ON p.id = u.patient_id
        WHERE s.id = $1";
}

/// The session behind an access token, from memory where that is as good as the database.
pub async fn find(store: &Store, id: SessionId) -> Result<Option<Arc<Bearer>>> {
    let memory = store.cache.as_ref().map(|cache| &cache.sessions);
    through(memory, &id, async || store.db.read_one(FIND, args![id], bearer).await).await
}

fn bearer(row: &dyn Row) -> Result<Bearer> {
    let scope = row.word(7, Scope::named)?;
    let own_team: Option<TeamId> = row.opt_id(15)?;
    let reach = match scope {
        // An account without a patient sees nobody's record: no patient has this number.
        Scope::Patient => Reach::of_patient(row.opt_id(13)?.unwrap_or(PatientId(0))),
        Scope::Clinician | Scope::TeamCoord | Scope::Site => {
            let teams = row.opt_text(16)?.unwrap_or_default();
            let member_of = teams.split(',').filter_map(|id| id.parse().ok()).map(TeamId);
            Reach::of_teams(own_team.into_iter().chain(member_of).collect())
        }
    };
    Ok(Bearer {
        id: row.id(0)?,
        salt: Salt::from_bytes(&row.bytes(1)?)?,
        session: Session {
            granted_at: Moment(row.int(2)?),
            ends_at: row.opt_int(3)?.map(Moment),
            generation: row.int(4)?,
            rotated_at: row.opt_int(5)?.map(Moment),
            revoked_at: row.opt_int(6)?.map(Moment),
            covered: scope::still_covered(scope, row.opt_word(17, UserType::named)?, clients::scopes(&row.text(18)?)),
            frozen: row.opt_int(12)?.is_some() || row.opt_int(19)?.is_some_and(|deceased| deceased != 0),
        },
        scope,
        client: row.id(8)?,
        client_name: row.text(20)?.into(),
        client_kind: row.word(9, ClientKind::named)?,
        client_disabled: row.opt_int(10)?.is_some(),
        user: row.opt_id(11)?,
        patient: row.opt_text(14)?,
        reach,
    })
}
