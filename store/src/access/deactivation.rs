//! Deactivating the account of a patient, whoever made it: for a team that has the patient in its care, if nobody's of another
//! organisation has.

use super::invited_accounts::{close, having_team};
use super::people;
use crate::error::Result;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::{PatientId, TeamId, UserId};
use rules::lifecycle::Revoked;
use rules::moment::Moment;

statements! {
    ACCOUNTS = "SELECT u.id FROM users u WHERE u.patient_id = $1 ORDER BY u.id";
    /// Teams of other organisations than this team's that have the patient.
    OTHERS = "SELECT min(g.team_id) FROM registrations g JOIN teams t ON t.id = g.team_id
        WHERE g.patient_id = $1 AND t.organisation_id <> (SELECT o.organisation_id FROM teams o WHERE o.id = $2)";
}

/// Whose account, for whom, and why.
#[derive(Clone, Debug)]
pub struct DeactivationOrder {
    pub patient: PatientId,
    /// The teams for which it is done. One of them must have the patient.
    pub teams: Vec<TeamId>,
    /// The coordinator; none where a team does it itself.
    pub by: Option<UserId>,
    pub reason: Option<String>,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deactivation {
    /// There is no account, any more or at all.
    Done,
    /// None of the teams has the patient.
    NotInCare,
    /// Another organisation has the patient, too.
    OfSeveral,
}

/// Ends the account of a patient with all its sessions, in one transaction. The record and its consents stay, and the patient can be
/// invited again.
pub async fn deactivate(store: &Store, order: DeactivationOrder, now: Moment) -> Result<Deactivation> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let DeactivationOrder { patient, teams, by, reason } = order;
            let Some(team) = having_team(tx, patient, &teams).await? else { return Ok(Deactivation::NotInCare) };
            for id in tx.query(ACCOUNTS, args![patient], |row| row.id::<UserId>(0)).await? {
                let Some(user) = people::load_numbered(tx, id).await? else { continue };
                let other: Option<Option<TeamId>> =
                    tx.query_one(OTHERS, args![patient, team], |row| row.opt_id(0)).await?;
                if other.flatten().is_some() {
                    return Ok(Deactivation::OfSeveral);
                }
                let about = About { user: by, team: Some(team), patient: Some(patient), ..About::default() };
                let detail = match &reason {
                    Some(reason) => format!("{}: {reason}", user.username),
                    None => user.username.clone(),
                };
                let line = Line::new(now, Event::AccountEnded, None, about).with_detail(detail);
                tx.append(Outbox::Records, &ids, &line);
                close(tx, &ids, &user, Revoked::ByCoordinator, now).await?;
            }
            Ok(Deactivation::Done)
        })
    });
    write.await
}
