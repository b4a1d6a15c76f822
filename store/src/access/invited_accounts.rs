//! Accounts that patients made by invitation: who invited, for the teams that have the patient to see; and how such an account
//! is ended, by a coordinator of one of these teams or by an operator.

use super::people::{self, PasswordHash, User};
use super::user_sessions;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId};
use rules::invitations::ended_name;
use rules::lifecycle::Revoked;
use rules::moment::Moment;

/// An account that a patient made by invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitedAccount {
    pub user: UserId,
    /// The id of the Patient resource.
    pub patient_id: String,
    /// Who invited.
    pub organisation_name: String,
    pub made_at: Moment,
    pub ended_at: Option<Moment>,
    patient: PatientId,
    organisation: OrganisationId,
}

/// Who ends an account.
#[derive(Clone, Debug)]
pub enum Ender {
    /// A coordinator of these teams. One of them must have the patient.
    Coordinator(UserId, Vec<TeamId>),
    /// The author of the store that is written to.
    Operator,
}

/// Larger than the number of any user.
pub const NEWEST: UserId = UserId(i64::MAX);

macro_rules! accounts {
    ($from:literal) => {
        concat!(
            "SELECT DISTINCT a.user_id, a.patient_id, p.fhir_id, a.organisation_id, o.name, a.made_at, a.ended_at FROM ",
            $from,
            " JOIN patients p ON p.id = a.patient_id JOIN organisations o ON o.id = a.organisation_id "
        )
    };
}

statements! {
    NOTE = "INSERT INTO invited_accounts (user_id, patient_id, organisation_id, made_at) VALUES ($1, $2, $3, $4)";
    OF_USER = concat!(accounts!("invited_accounts a"), "WHERE a.user_id = $1");
    OF_TEAMS = concat!(
        accounts!("registrations g JOIN invited_accounts a ON a.patient_id = g.patient_id"),
        "WHERE g.team_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND a.user_id < $2
        ORDER BY a.user_id DESC LIMIT $3"
    );
    /// The first of these teams that has the patient.
    HAVING_TEAM = "SELECT min(team_id) FROM registrations
    WHERE patient_id = $1 AND team_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2))";
    END = "UPDATE invited_accounts SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL";
    RENAME = "UPDATE users SET username = $2 WHERE id = $1";
}

/// Notes that an account was just made, and by whose invitation.
pub(super) async fn note(
    tx: &mut Tx<'_>,
    user: UserId,
    patient: PatientId,
    organisation: OrganisationId,
    now: Moment,
) -> Result<()> {
    tx.execute(NOTE, args![user, patient, organisation, now.0]).await.map(|_| ())
}

/// By whose invitation this account was made, if it was by one.
pub async fn of_user(store: &Store, user: UserId) -> Result<Option<InvitedAccount>> {
    store.db.read_one(OF_USER, args![user], account).await
}

/// The same, in a transaction that decides by it.
pub(crate) async fn load(tx: &mut Tx<'_>, user: UserId) -> Result<Option<InvitedAccount>> {
    tx.query_one(OF_USER, args![user], account).await
}

/// Those of the patients that these teams have, the newest first: older ones than `before`, `limit` of them at the most.
pub async fn of_teams(store: &Store, teams: &[TeamId], before: UserId, limit: i64) -> Result<Vec<InvitedAccount>> {
    let teams = list(teams.iter().map(|team| team.0));
    store.db.page(OF_TEAMS, args![&teams, before, limit], account).await
}

/// The first of these teams that has the patient now.
pub(super) async fn having_team(tx: &mut Tx<'_>, patient: PatientId, teams: &[TeamId]) -> Result<Option<TeamId>> {
    let teams = list(teams.iter().map(|team| team.0));
    Ok(tx.query_one(HAVING_TEAM, args![patient, &teams], |row| row.opt_id(0)).await?.flatten())
}

/// Ends an account with all its sessions, in one transaction; gives the number of the sessions of apps. `None`: there is no such
/// account to end, or it is not this coordinator's to end. The patient can be invited again, and the user name be taken again.
pub async fn end(store: &Store, user: UserId, by: Ender, now: Moment) -> Result<Option<u64>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let Some(user) = people::load_numbered(tx, user).await? else { return Ok(None) };
            let found = load(tx, user.id).await?.filter(|account| account.ended_at.is_none());
            let Some(account) = found else { return Ok(None) };
            let mut about = About {
                user: Some(user.id),
                organisation: Some(account.organisation),
                patient: Some(account.patient),
                ..About::default()
            };
            let why = match &by {
                Ender::Operator => Revoked::ByOperator,
                Ender::Coordinator(coordinator, teams) => {
                    let Some(team) = having_team(tx, account.patient, teams).await? else { return Ok(None) };
                    (about.user, about.team) = (Some(*coordinator), Some(team));
                    Revoked::ByCoordinator
                }
            };
            let line = Line::new(now, Event::AccountEnded, None, about).with_detail(user.username.clone());
            tx.append(Outbox::Records, &ids, &line);
            close(tx, &ids, &user, why, now).await.map(Some)
        })
    });
    write.await
}

/// Nobody comes in by the account any more, and nothing of it is left to take.
pub(crate) async fn close(tx: &mut Tx<'_>, ids: &Ids, before: &User, why: Revoked, now: Moment) -> Result<u64> {
    let ended = user_sessions::end_every(tx, ids, before.id, why, now).await?;
    let after = User {
        password_hash: PasswordHash(String::new()),
        patient_id: None,
        frozen_at: Some(before.frozen_at.unwrap_or(now)),
        ..before.clone()
    };
    people::put(tx, ids, Some(before), &after, now).await?;
    tx.execute(RENAME, args![before.id, &ended_name(before.id)]).await?;
    tx.execute(END, args![before.id, now.0]).await?;
    Ok(ended)
}

fn account(row: &dyn Row) -> Result<InvitedAccount> {
    Ok(InvitedAccount {
        user: row.id(0)?,
        patient: row.id(1)?,
        patient_id: row.text(2)?,
        organisation: row.id(3)?,
        organisation_name: row.text(4)?,
        made_at: Moment(row.int(5)?),
        ended_at: row.opt_int(6)?.map(Moment),
    })
}
