//! What a request needs to know of the session behind its access token.

use crate::db::Row;
use crate::error::Result;
use crate::memory;
use crate::salt::Salt;
use crate::store::Store;
use rules::clients::ClientKind;
use rules::lifecycle::Session;
use rules::moment::Moment;
use rules::reach::Reach;
use rules::scope::Scope;
use std::sync::Arc;

/// A session with everything that an API call asks about it.
#[derive(Debug)]
pub struct Seen {
    pub id: i64,
    pub salt: Salt,
    pub session: Session,
    pub scope: Scope,
    pub client: i64,
    pub client_kind: ClientKind,
    pub client_disabled: bool,
    /// The user who granted it; `None` for a team's grant.
    pub user: Option<i64>,
    pub user_frozen: bool,
    pub reach: Reach,
}

pub(crate) const COLUMNS_OF_SEEN: usize = 16;

/// Looks at the session `$1`, and at what is joined to it.
macro_rules! seen_with {
    ($further:expr, $joined:expr) => {
        concat!(
            "SELECT s.id, s.salt, s.granted_at, s.ends_at, s.generation, s.rotated_at, s.revoked_at, s.scope,
                s.client_id, c.kind, c.disabled_at, s.user_id, u.frozen_at, u.patient_id, s.team_id,
                (SELECT string_agg(CAST(m.team_id AS TEXT), ',') FROM memberships m WHERE m.user_id = s.user_id)",
            $further,
            " FROM sessions s JOIN clients c ON c.id = s.client_id LEFT JOIN users u ON u.id = s.user_id",
            $joined,
            " WHERE s.id = $1"
        )
    };
}
pub(crate) use seen_with;

const SEE: &str = seen_with!("", "");

pub const STATEMENTS: &[&str] = &[SEE];

/// Looks at a session, from memory where that is as good as the database.
pub async fn see(store: &Store, id: i64) -> Result<Option<Arc<Seen>>> {
    let memory = store.db.remembered().map(|remembered| &remembered.sessions);
    memory::through(memory, id, async || store.db.read_one(SEE, crate::db::args![id], row).await).await
}

pub(crate) fn row(row: &Row<'_>) -> Result<Seen> {
    let scope = row.word(7, Scope::named)?;
    let own_team = row.opt_int(14)?;
    let reach = match scope {
        Scope::Patient => Reach::Patient(row.opt_text(13)?.unwrap_or_default()),
        Scope::Clinician | Scope::TeamCoord | Scope::Site => {
            let teams = row.opt_text(15)?.unwrap_or_default();
            Reach::Teams(own_team.into_iter().chain(teams.split(',').filter_map(|id| id.parse().ok())).collect())
        }
    };
    Ok(Seen {
        id: row.int(0)?,
        salt: Salt::from_bytes(&row.bytes(1)?)?,
        session: Session {
            granted_at: Moment(row.int(2)?),
            ends_at: row.opt_int(3)?.map(Moment),
            generation: row.int(4)?,
            rotated_at: row.opt_int(5)?.map(Moment),
            revoked_at: row.opt_int(6)?.map(Moment),
        },
        scope,
        client: row.int(8)?,
        client_kind: row.word(9, ClientKind::named)?,
        client_disabled: row.opt_int(10)?.is_some(),
        user: row.opt_int(11)?,
        user_frozen: row.opt_int(12)?.is_some(),
        reach,
    })
}
