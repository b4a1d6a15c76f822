//! `recordgate grant issue`: sessions that an operator opens, piece by piece, each with a refresh token that is told once.

use super::bar;
use super::context::Context;
use super::failure::Failure;
use super::store_presence::StoreChoice;
use super::way::{Way, unexpected};
use crate::operator::{ChosenNames, GrantToken, IssueReport, Recipient, Reply, Request};
use std::path::{Path, PathBuf};

/// Users that are asked for at a time: their tokens are printed before the next are.
const AT_A_TIME: usize = 500;

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("who").required(true).args(["user", "users", "team"]))]
#[command(after_long_help = "Examples:
  recordgate grant issue --client sleep-diary --user amina
  recordgate grant issue --client sleep-diary --users usernames.txt --json > tokens.ndjson
  recordgate grant issue --client sleep-diary --user chen --record bryn-hale
  recordgate grant issue --client clinic-link --team a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01 --by coordinator

All are checked first: if one will not do, no session is opened. Then sessions are opened in the order asked for, at most
500 at a time, and the tokens of each such part are printed before the next is begun; the service goes on meanwhile.

If it ends early, the sessions whose tokens were printed are open, and nobody after them has one, but for at most one
part that was opened and not yet printed. The command says how many were printed; go on behind them:
  tail -n +5001 usernames.txt | recordgate grant issue --client sleep-diary --users - --json >> tokens.ndjson
Tokens that were not printed cannot be had again: find such sessions with `recordgate grant list`, and revoke them.

With --json: one object per line, in the order asked for.")]
pub(super) struct IssueArgs {
    /// The Client ID
    #[arg(long, value_name = "CLIENT_ID")]
    client: String,
    /// A user of a User Client (may be repeated)
    #[arg(long, value_name = "USERNAME")]
    user: Vec<String>,
    /// A file with one username per line; - reads standard input
    #[arg(long, value_name = "FILE")]
    users: Option<PathBuf>,
    /// The id of the Patient resource of somebody whom the users care for; left out, each session is about the user's own record
    #[arg(long, value_name = "PATIENT", conflicts_with = "team")]
    record: Option<String>,
    /// The team for which the sessions are, of those that the users are members of; left out, they read through all and write nothing
    /// where there are several
    #[arg(long, value_name = "UUID", conflicts_with_all = ["team", "record"])]
    for_team: Option<String>,
    /// A team of a Tethered-Token System Client
    #[arg(long, value_name = "UUID", requires = "by")]
    team: Option<String>,
    /// The Team Coordinator on whose behalf the team's access is granted
    #[arg(long, value_name = "USERNAME", requires = "team")]
    by: Option<String>,
}

pub(super) async fn run(context: &Context, args: IssueArgs) -> Result<(), Failure> {
    let mut way = context.way(StoreChoice::Existing).await?;
    let choice = ChosenNames { record: args.record, team: args.for_team.map(|team| team.to_lowercase()) };
    let asked = (args.client.as_str(), &choice);
    if let (Some(team), Some(by)) = (args.team, args.by) {
        let report = ask(&mut way, asked, Recipient::Team { team: team.to_lowercase(), by }).await?;
        return tell(context, &report, 0, 1);
    }
    let mut usernames = args.user;
    if let Some(path) = &args.users {
        usernames.extend(lines(path)?);
    }
    check(&mut way, asked, &usernames).await?;
    let (bar, progress) = bar::progress("issuing");
    let mut issued = 0;
    for part in usernames.chunks(AT_A_TIME) {
        let done = match ask(&mut way, asked, Recipient::Users(part.to_vec())).await {
            Ok(report) => bar.suspend(|| tell(context, &report, issued, usernames.len())),
            Err(failure) if issued == 0 => Err(failure),
            Err(failure) => Err(failure.so(behind(issued, usernames.len()))),
        };
        done?;
        issued += part.len();
        progress(count(issued), count(usernames.len()));
    }
    bar.finish_and_clear();
    Ok(())
}

/// Whether all of them will do, before a session is opened for anyone.
async fn check(way: &mut Way, asked: (&str, &ChosenNames), usernames: &[String]) -> Result<(), Failure> {
    let mut problems = Vec::new();
    for part in usernames.chunks(AT_A_TIME) {
        let request = request(asked, Recipient::Users(part.to_vec()), true);
        match way.ask_or_hear_no(request, &bar::none()).await? {
            Reply::Refused(why) => problems.extend(why),
            Reply::Issued(_) => {}
            other => return Err(unexpected(other)),
        }
    }
    // What is wrong with the client is wrong with every part.
    problems.dedup();
    if problems.is_empty() { Ok(()) } else { Err(Failure::all(problems)) }
}

async fn ask(way: &mut Way, asked: (&str, &ChosenNames), who: Recipient) -> Result<IssueReport, Failure> {
    match way.ask(request(asked, who, false), &bar::none()).await? {
        Reply::Issued(report) => Ok(report),
        other => Err(unexpected(other)),
    }
}

fn request((client_id, choice): (&str, &ChosenNames), who: Recipient, check_only: bool) -> Request {
    Request::Issue { client_id: client_id.to_owned(), who, choice: choice.clone(), check_only }
}

/// Prints the tokens of one part. Those of `before` were printed before, of `all` that were asked for.
fn tell(context: &Context, report: &IssueReport, before: usize, all: usize) -> Result<(), Failure> {
    for grant in &report.tokens {
        context.out.value(grant);
    }
    if before == 0 && !report.tokens.is_empty() {
        context.out.say("Keep these refresh tokens now; they are not shown again:");
    }
    let row = |grant: &GrantToken| {
        let holder = grant.username.clone().or_else(|| grant.team.clone()).unwrap_or_default();
        [holder, grant.grant.clone(), grant.refresh_token.reveal().to_owned()]
    };
    context.out.table(["granted by", "grant", "refresh token"], &report.tokens.iter().map(row).collect::<Vec<_>>());
    match &report.problem {
        None => Ok(()),
        Some(problem) => Err(Failure::because(problem).so(behind(before + report.tokens.len(), all))),
    }
}

/// What an operator has to know who goes on.
fn behind(printed: usize, all: usize) -> String {
    format!("{printed} of {all} tokens were printed, in the order asked for; go on behind them")
}

fn lines(path: &Path) -> Result<Vec<String>, Failure> {
    let text =
        if path.as_os_str() == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(path) };
    let text = text.map_err(|error| Failure::because(format!("{} cannot be read: {error}", path.display())))?;
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(String::from).collect())
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
