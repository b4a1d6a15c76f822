//! The sessions of the world that is measured, opened by an operator: one per patient, and some that are refreshed and raced.

use super::people::{self, APP, username};
use super::recordgate::Recordgate;
use crate::measure::progress;
use crate::measure::trouble::Trouble;
use serde_json::Value;

/// Refreshing clients: 64 of their own figure, 32 beside the reads, and one per shot of the race.
pub(crate) const REFRESHERS: usize = 64;
pub(crate) const MIXED_REFRESHERS: usize = 32;
pub(crate) const RACES: usize = 5;
const SPARE: usize = REFRESHERS + MIXED_REFRESHERS + RACES;

/// The refresh tokens of the sessions that were opened, none of them used yet.
#[derive(Debug)]
pub(crate) struct Sessions {
    /// One per patient, by the patient's number.
    pub(crate) of_patients: Vec<(usize, String)>,
    pub(crate) of_refreshers: Vec<String>,
    pub(crate) of_refreshers_beside_reads: Vec<String>,
    pub(crate) of_races: Vec<(usize, String)>,
    pub(crate) total: usize,
}

/// Fills the store through the operator's commands.
pub(crate) async fn lay(service: &Recordgate, patients: usize) -> Result<Sessions, Trouble> {
    people::lay(service, patients).await?;
    let lines = session_owners(patients);
    let owners: Vec<usize> = lines.iter().map(|(number, _)| *number).collect();
    Ok(sort(&lines, open(service, APP, &owners).await?))
}

/// A session that an operator opened.
#[derive(Debug)]
pub(crate) struct NewSession {
    /// The patient's number.
    pub(crate) patient: usize,
    pub(crate) grant: String,
    pub(crate) refresh_token: String,
}

/// Opens a session of one client for each of these patients, in their order.
pub(crate) async fn open(service: &Recordgate, client: &str, patients: &[usize]) -> Result<Vec<NewSession>, Trouble> {
    let names: Vec<String> = patients.iter().map(|number| username(*number)).collect();
    let opened = patients.iter().zip(open_of(service, client, &names).await?);
    Ok(opened.map(|(patient, (grant, refresh_token))| NewSession { patient: *patient, grant, refresh_token }).collect())
}

/// Opens a session of one client for each of these users, in their order: grant and refresh token.
pub(crate) async fn open_of(
    service: &Recordgate,
    client: &str,
    usernames: &[String],
) -> Result<Vec<(String, String)>, Trouble> {
    progress::say("laying the world: sessions");
    let names = usernames.iter().fold(String::new(), |text, name| text + name + "\n");
    let issue = ["grant", "issue", "--client", client, "--json", "--users"];
    let output = service.run_over(&issue, "usernames", names).await?;
    let mut lines = output.lines();
    usernames.iter().map(|name| opened(name, lines.next().unwrap_or_default())).collect()
}

/// One of the JSON objects that `grant issue` printed, a line each in the order asked for.
fn opened(name: &str, line: &str) -> Result<(String, String), Trouble> {
    let line: Value = serde_json::from_str(line).map_err(|_| "`grant issue` opened too few sessions")?;
    let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
    if text("username").as_deref() != Some(name) {
        return Err("`grant issue` opened the sessions in another order than asked for".into());
    }
    text("grant").zip(text("refresh_token")).ok_or_else(|| "`grant issue` printed no token".into())
}

/// Whose session each line opens, and whether it is a spare one. The spare ones lie scattered among the others, as
/// those of whoever happens to be active would: side by side they would share pages of the store.
fn session_owners(patients: usize) -> Vec<(usize, bool)> {
    let every = (patients / SPARE).max(1);
    (0..patients)
        .flat_map(|number| {
            let spare = number % every == 0 && number / every < SPARE;
            [Some((number, false)), spare.then_some((number, true))].into_iter().flatten()
        })
        .collect()
}

/// Puts the tokens where they belong.
fn sort(lines: &[(usize, bool)], sessions: Vec<NewSession>) -> Sessions {
    let mut of_patients = Vec::new();
    let mut spare = Vec::new();
    for ((number, is_spare), session) in lines.iter().zip(sessions) {
        let list = if *is_spare { &mut spare } else { &mut of_patients };
        list.push((*number, session.refresh_token));
    }
    let mut spare = spare.into_iter();
    Sessions {
        of_patients,
        of_races: spare.by_ref().take(RACES).collect(),
        of_refreshers_beside_reads: spare.by_ref().take(MIXED_REFRESHERS).map(|(_, token)| token).collect(),
        of_refreshers: spare.map(|(_, token)| token).collect(),
        total: lines.len(),
    }
}
