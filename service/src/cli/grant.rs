//! `recordgate grant`: the sessions that users and teams have granted to clients.

use super::context::Context;
use super::failure::Failure;
use super::grant_issue::{self, IssueArgs};
use super::store_presence::StoreChoice;
use super::{bar, way};
use crate::operator::{GrantSummary, Reply, Request};

#[derive(Debug, clap::Subcommand)]
pub(super) enum GrantCommand {
    /// List grants, newest first: all of them, or the live ones of a user or a team
    List {
        /// The live grants of this user
        #[arg(long, value_name = "USERNAME")]
        user: Option<String>,
        /// The live grants of this team
        #[arg(long, value_name = "UUID", conflicts_with = "user")]
        team: Option<String>,
    },
    /// Revoke grants; no token of theirs works from then on
    Revoke {
        /// The grants, as `recordgate grant list` shows them
        #[arg(required = true, value_name = "GRANT")]
        grants: Vec<i64>,
    },
    /// Open sessions as an operator, and print a refresh token for each this once
    Issue(IssueArgs),
}

pub(super) async fn run(context: &Context, command: GrantCommand) -> Result<(), Failure> {
    match command {
        GrantCommand::List { user, team } => list(context, user, team).await,
        GrantCommand::Revoke { grants } => {
            let done = match grants.as_slice() {
                [one] => format!("grant {one} is revoked"),
                many => format!("{} grants are revoked", many.len()),
            };
            context.change(Request::Revoke { grants }, &done, "").await
        }
        GrantCommand::Issue(args) => grant_issue::run(context, args).await,
    }
}

async fn list(context: &Context, username: Option<String>, team: Option<String>) -> Result<(), Failure> {
    let team = team.map(|team| team.to_lowercase());
    let mut way = context.way(StoreChoice::Existing).await?;
    let mut grants: Vec<GrantSummary> = Vec::new();
    loop {
        let before = grants.last().and_then(|last| last.grant.parse().ok());
        let request = Request::Grants { username: username.clone(), team: team.clone(), before };
        match way.ask(request, &bar::none()).await? {
            Reply::Grants(page) if page.is_empty() => break,
            Reply::Grants(page) => grants.extend(page),
            other => return Err(way::unexpected(other)),
        }
    }
    let rows: Vec<[String; 7]> = grants
        .iter()
        .map(|grant| {
            let team = || match (&grant.team, &grant.granter, grant.granter_has_left) {
                (Some(team), Some(granter), Some(true)) => Some(format!("{team} ({granter}, who has left)")),
                (Some(team), Some(granter), _) => Some(format!("{team} ({granter})")),
                (team, ..) => team.clone(),
            };
            let holder = grant.username.clone().or_else(team).unwrap_or_default();
            let state = grant.revoked_why.as_ref().map_or_else(|| "-".into(), |why| format!("revoked: {why}"));
            [
                grant.grant.clone(),
                grant.client_id.clone(),
                grant.scope.clone(),
                holder,
                to_the_minute(&grant.granted_at),
                grant.ends_at.as_deref().map_or_else(|| "never".into(), to_the_minute),
                state,
            ]
        })
        .collect();
    context.list(["grant", "client id", "scope", "granted by", "since", "ends", "state"], &rows, &grants);
    Ok(())
}

/// A time as a table has room for.
fn to_the_minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}
