//! The world that is measured: one organisation, its patients with an account and an open session each, three clients.

use crate::Trouble;
use crate::service::Recordgate;
use crate::{progress, requests};
use rules::limits::LONGEST_RETRY_SECONDS;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

const ORGANISATION: &str = "5d0a7c1e-6f43-4c55-9e0f-0f2a3c4b5d01";
const TEAM: &str = "5d0a7c1e-6f43-4c55-9e0f-0f2a3c4b5d02";
/// A User Client. Its tokens outlive the run, so that no round ends in expiry.
pub(crate) const APP: &str = "bench-app";
/// Another, which may retry a refresh whose answer it lost, for as long as the rules allow at most.
pub(crate) const RETRYING_APP: &str = "bench-retrying-app";
pub(crate) const RETRY_WINDOW: Duration = Duration::from_secs(LONGEST_RETRY_SECONDS.unsigned_abs());
/// A System Client and its secret, which guards nothing but this throw-away store.
pub(crate) const SYSTEM: &str = "bench-system";
pub(crate) const SYSTEM_SECRET: &str = "throw-away-secret-of-the-bench-4dYp0wQz7LkR2";
/// The hash of a password nobody knows: hashing ten thousand would take minutes and nobody signs in here.
const PASSWORD_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$X9WolEOchroQwn0Y8jpgxg$Y8Jyxh7fETSMPkODDoaUY8WWhSQQ9RqYVI96w9JwfnY";

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
    pub(crate) refreshing: Vec<String>,
    pub(crate) refreshing_beside_reads: Vec<String>,
    pub(crate) raced: Vec<(usize, String)>,
    pub(crate) total: usize,
}

/// Fills the store through the operator's commands.
pub(crate) async fn lay(service: &Recordgate, directory: &Path, patients: usize) -> Result<Sessions, Trouble> {
    people(service, directory, patients).await?;
    let lines = session_owners(patients);
    let owners: Vec<usize> = lines.iter().map(|(number, _)| *number).collect();
    Ok(sort(&lines, open_sessions(service, directory, APP, &owners).await?))
}

/// Everybody, and no session.
pub(crate) async fn people(service: &Recordgate, directory: &Path, patients: usize) -> Result<(), Trouble> {
    progress::say("laying the world: organisation, clients");
    service.run(&["apply"], file(directory, "clients.toml", clients())?).await?;
    progress::say("laying the world: patients");
    let import = ["import", "--organisation", ORGANISATION, "--team", TEAM];
    service.run(&import, file(directory, "patients.ndjson", (0..patients).map(patient).collect())?).await?;
    progress::say("laying the world: users");
    service.run(&["apply"], file(directory, "users.toml", (0..patients).map(user).collect())?).await?;
    Ok(())
}

/// A session that an operator opened.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The patient's number.
    pub(crate) patient: usize,
    pub(crate) grant: String,
    pub(crate) refresh_token: String,
}

/// Opens a session of one client for each of these patients, in their order.
pub(crate) async fn open_sessions(
    service: &Recordgate,
    directory: &Path,
    client: &str,
    patients: &[usize],
) -> Result<Vec<Opened>, Trouble> {
    progress::say("laying the world: sessions");
    let names = patients.iter().fold(String::new(), |text, number| text + &username(*number) + "\n");
    let issue = ["grant", "issue", "--client", client, "--json", "--users"];
    let printed = service.run(&issue, file(directory, "usernames", names)?).await?;
    let mut printed = printed.lines();
    patients.iter().map(|patient| opened(*patient, printed.next().unwrap_or_default())).collect()
}

/// One of the JSON objects that `grant issue` printed, a line each in the order asked for.
fn opened(patient: usize, line: &str) -> Result<Opened, Trouble> {
    let line: Value = serde_json::from_str(line).map_err(|_| "`grant issue` opened too few sessions")?;
    let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
    if text("username") != Some(username(patient)) {
        return Err("`grant issue` opened the sessions in another order than asked for".into());
    }
    let (grant, refresh_token) = text("grant").zip(text("refresh_token")).ok_or("`grant issue` printed no token")?;
    Ok(Opened { patient, grant, refresh_token })
}

fn file(directory: &Path, name: &str, text: String) -> Result<PathBuf, Trouble> {
    let path = directory.join(name);
    std::fs::write(&path, text)?;
    Ok(path)
}

pub(crate) fn patient_id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// The read of a patient's own record.
pub(crate) fn own_record(host: &str, number: usize, access_token: &str) -> Vec<u8> {
    requests::read(host, &format!("/fhir/Patient/{}", patient_id(number)), access_token)
}

fn username(number: usize) -> String {
    format!("patient-{number:05}")
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
fn sort(lines: &[(usize, bool)], opened: Vec<Opened>) -> Sessions {
    let mut of_patients = Vec::new();
    let mut spare = Vec::new();
    for ((number, is_spare), opened) in lines.iter().zip(opened) {
        let list = if *is_spare { &mut spare } else { &mut of_patients };
        list.push((*number, opened.refresh_token));
    }
    let mut spare = spare.into_iter();
    Sessions {
        of_patients,
        raced: spare.by_ref().take(RACES).collect(),
        refreshing_beside_reads: spare.by_ref().take(MIXED_REFRESHERS).map(|(_, token)| token).collect(),
        refreshing: spare.map(|(_, token)| token).collect(),
        total: lines.len(),
    }
}

fn clients() -> String {
    format!(
        r#"
[[organisation]]
public_id = "{ORGANISATION}"
name = "Bench Hospital"

[[team]]
public_id = "{TEAM}"
organisation = "{ORGANISATION}"
name = "Bench Clinic"

[[client]]
client_id = "{APP}"
kind = "user"
owner = "Bench"
product = "Load Driver"
redirect_uris = ["https://app.example/callback"]
scopes = ["PATIENT"]
session = "90d"
access_token = "1h"

[[client]]
client_id = "{RETRYING_APP}"
kind = "user"
owner = "Bench"
product = "Load Driver"
redirect_uris = ["https://app.example/callback"]
scopes = ["PATIENT"]
session = "90d"
access_token = "1h"
refresh_retry_seconds = {LONGEST_RETRY_SECONDS}

[[client]]
client_id = "{SYSTEM}"
kind = "system"
owner = "Bench"
product = "Load Driver"
secret = "{SYSTEM_SECRET}"

[[organisation_grant]]
organisation = "{ORGANISATION}"
client = "{SYSTEM}"
"#
    )
}

fn user(number: usize) -> String {
    let (username, patient) = (username(number), patient_id(number));
    format!(
        "[[user]]\nusername = \"{username}\"\npassword_hash = \"{PASSWORD_HASH}\"\ntype = \"PATIENT\"\n\
         name = \"Patient {number:05}\"\npatient = \"{patient}\"\nteams = [\"{TEAM}\"]\n\n"
    )
}

/// A Patient as a hospital would send it, the same length for each number.
fn patient(number: usize) -> String {
    let mut line = json!({
        "resourceType": "Patient",
        "id": patient_id(number),
        "identifier": [
            { "use": "official", "system": "https://fhir.nhs.uk/Id/nhs-number", "value": format!("9{number:09}") },
            { "system": "https://hospital.example/mrn", "value": format!("MRN-{number:07}") },
        ],
        "active": true,
        "name": [{ "use": "official", "family": format!("Family{number:05}"), "given": ["Amina", "Grace"] }],
        "telecom": [
            { "system": "phone", "value": format!("+44 7700 9{number:05}"), "use": "mobile" },
            { "system": "email", "value": format!("patient-{number:05}@mail.example") },
        ],
        "gender": "female",
        "birthDate": "1980-04-12",
        "address": [{
            "use": "home", "line": [format!("{number:05} Harbour Street")], "city": "Bristol",
            "postalCode": "BS1 4TR", "country": "GB",
        }],
    })
    .to_string();
    line.push('\n');
    line
}
