//! What somebody has granted to one client and not taken back: the ground on which it may be answered without asking them again.

use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::{ClientId, PatientId, SignInId, TeamId, UserId};
use rules::moment::Moment;
use rules::scope::Scope;

/// A live session of a client, asked for in SMART's words.
#[derive(Clone, Debug)]
pub struct StandingGrant {
    pub scope: Scope,
    pub smart_scopes: String,
    /// The record that it is about, or the patient in context, where that is not the user's own.
    pub record: Option<PatientId>,
    pub team: Option<TeamId>,
    /// `None`: it never ends by the clock.
    pub ends_at: Option<Moment>,
}

statements! {
    /// Of those that end with a sign-in only those of this one.
    LIVE = "SELECT scope, smart_scopes, record_id, for_team_id, ends_at FROM sessions
    WHERE user_id = $1 AND client_id = $2 AND generation > 0 AND revoked_at IS NULL AND smart_scopes IS NOT NULL
        AND (ends_at IS NULL OR ends_at > $3) AND (sign_in_id IS NULL OR sign_in_id = $4)
    ORDER BY id DESC LIMIT $5";
}

/// The newest that are looked at.
const LOOKED_AT: i64 = 100;

/// The live sessions of a client for a user who is signed in in this browser, the newest first.
pub async fn of(
    store: &Store,
    (user, client): (UserId, ClientId),
    sign_in: SignInId,
    now: Moment,
) -> Result<Vec<StandingGrant>> {
    store.db.page(LIVE, args![user, client, now.0, sign_in, LOOKED_AT], standing).await
}

fn standing(row: &dyn Row) -> Result<StandingGrant> {
    Ok(StandingGrant {
        scope: row.word(0, Scope::named)?,
        smart_scopes: row.text(1)?,
        record: row.opt_id(2)?,
        team: row.opt_id(3)?,
        ends_at: row.opt_int(4)?.map(Moment),
    })
}
