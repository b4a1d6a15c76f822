//! `recordgate grant`: the sessions that users and teams have granted to clients.

use super::context::Context;
use super::failure::Failure;
use crate::operator::{GrantToken, Recipient, Reply, Request};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Subcommand)]
pub(super) enum GrantCommand {
    /// List grants: the newest thousand, or the live ones of a user or a team
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
    Issue(Issue),
}

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("who").required(true).args(["user", "users", "team"]))]
#[command(after_long_help = "Examples:
  recordgate grant issue --client sleep-diary --user amina
  recordgate grant issue --client sleep-diary --users usernames.txt --json > tokens.ndjson
  recordgate grant issue --client clinic-link --team a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01 --by coordinator

All sessions are opened in one transaction, or none. With --json: one object per line, in the order asked for.")]
pub(super) struct Issue {
    /// The Client ID
    #[arg(long, value_name = "CLIENT_ID")]
    client: String,
    /// A user of a User Client (may be repeated)
    #[arg(long, value_name = "USERNAME")]
    user: Vec<String>,
    /// A file with one username per line; - reads standard input
    #[arg(long, value_name = "FILE")]
    users: Option<PathBuf>,
    /// A team of a Tethered-Token System Client
    #[arg(long, value_name = "UUID", requires = "by")]
    team: Option<String>,
    /// The Team Coordinator on whose behalf the team's access is granted
    #[arg(long, value_name = "USERNAME", requires = "team")]
    by: Option<String>,
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
        GrantCommand::Issue(args) => issue(context, args).await,
    }
}

async fn issue(context: &Context, args: Issue) -> Result<(), Failure> {
    let who = match (args.team, args.by) {
        (Some(team), Some(by)) => Recipient::Team { team: team.to_lowercase(), by },
        _ => {
            let mut usernames = args.user;
            if let Some(path) = &args.users {
                usernames.extend(lines(path)?);
            }
            Recipient::Users(usernames)
        }
    };
    let pick = |reply| if let Reply::Issued(issued) = reply { Ok(issued) } else { Err(reply) };
    let issued = context.ask(Request::Issue { client_id: args.client, who }, pick).await?;
    for grant in &issued {
        context.out.value(grant);
    }
    context.out.say("Keep these refresh tokens now; they are not shown again:");
    let row = |grant: &GrantToken| {
        let holder = grant.username.clone().or_else(|| grant.team.clone()).unwrap_or_default();
        [holder, grant.grant.clone(), grant.refresh_token.reveal().to_owned()]
    };
    context.out.table(["granted by", "grant", "refresh token"], &issued.iter().map(row).collect::<Vec<_>>());
    Ok(())
}

fn lines(path: &Path) -> Result<Vec<String>, Failure> {
    let text =
        if path.as_os_str() == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(path) };
    let text = text.map_err(|error| Failure::because(format!("{} cannot be read: {error}", path.display())))?;
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(String::from).collect())
}

async fn list(context: &Context, username: Option<String>, team: Option<String>) -> Result<(), Failure> {
    let pick = |reply| if let Reply::Grants(grants) = reply { Ok(grants) } else { Err(reply) };
    let team = team.map(|team| team.to_lowercase());
    let grants = context.ask(Request::Grants { username, team }, pick).await?;
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
