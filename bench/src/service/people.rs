//! Who there is in the world that is measured: one organisation, its patients with an account each, its clinicians and clients.

use super::recordgate::Recordgate;
use crate::http::requests;
use crate::measure::progress;
use crate::measure::trouble::Trouble;
use rules::limits::LONGEST_RETRY_SECONDS;
use serde_json::json;
use std::time::Duration;

pub(crate) const ORGANISATION: &str = "5d0a7c1e-6f43-4c55-9e0f-0f2a3c4b5d01";
pub(crate) const TEAM: &str = "5d0a7c1e-6f43-4c55-9e0f-0f2a3c4b5d02";
/// A User Client. Its tokens outlive the run, so that no round ends in expiry.
pub(crate) const APP: &str = "bench-app";
/// Another, which may retry a refresh whose answer it lost, for as long as the rules allow at most.
pub(crate) const RETRYING_APP: &str = "bench-retrying-app";
pub(crate) const RETRY_WINDOW: Duration = Duration::from_secs(LONGEST_RETRY_SECONDS.unsigned_abs());
/// A User Client of clinicians.
pub(crate) const CLINIC_APP: &str = "bench-clinic-app";
/// A System Client and its secret, which guards nothing but this throw-away store.
pub(crate) const SYSTEM: &str = "bench-system";
pub(crate) const SYSTEM_SECRET: &str = "throw-away-secret-of-the-bench-4dYp0wQz7LkR2";
pub(crate) const SIGNERS_PASSWORD: &str = "throw-away-words-of-the-bench";
/// The hash of a password nobody knows: hashing ten thousand would take minutes and nobody signs in here.
const PASSWORD_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$X9WolEOchroQwn0Y8jpgxg$Y8Jyxh7fETSMPkODDoaUY8WWhSQQ9RqYVI96w9JwfnY";

/// Everybody, and no session.
pub(crate) async fn lay(service: &Recordgate, patients: usize) -> Result<(), Trouble> {
    lay_organisation(service).await?;
    progress::say("laying the world: patients");
    let import = ["import", "--organisation", ORGANISATION, "--team", TEAM];
    service.run_over(&import, "patients.ndjson", (0..patients).map(patient).collect()).await?;
    progress::say("laying the world: users");
    service.run_over(&["apply"], "users.toml", (0..patients).map(user).collect()).await?;
    Ok(())
}

/// The organisation, its team and the clients, and nobody else.
pub(crate) async fn lay_organisation(service: &Recordgate) -> Result<(), Trouble> {
    progress::say("laying the world: organisation, clients");
    service.run_over(&["apply"], "clients.toml", clients()).await.map(|_| ())
}

pub(crate) fn patient_id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// The read of a patient's own record.
pub(crate) fn own_record(host: &str, number: usize, access_token: &str) -> Vec<u8> {
    requests::read(host, &format!("/fhir/Patient/{}", patient_id(number)), access_token)
}

/// The search for it by a number that names the patient.
pub(crate) fn own_record_searched(host: &str, number: usize, access_token: &str) -> Vec<u8> {
    let path = format!("/fhir/Patient?identifier=https://fhir.nhs.uk/Id/nhs-number%7C{}", nhs_number(number));
    requests::read(host, &path, access_token)
}

/// The same record, read by the System Client for its organisation.
pub(crate) fn record_for_organisation(host: &str, number: usize, access_token: &str) -> Vec<u8> {
    let path = format!("/fhir/Patient/{}", patient_id(number));
    requests::read_for(host, &path, access_token, ORGANISATION)
}

fn nhs_number(number: usize) -> String {
    format!("9{number:09}")
}

/// People who sign in with their browsers, by a password that guards nothing but this throw-away store.
pub(crate) async fn lay_signers(service: &Recordgate, count: usize) -> Result<(), Trouble> {
    let signer = |number| {
        let name = signer(number);
        format!(
            "[[user]]\nusername = \"{name}\"\npassword = \"{SIGNERS_PASSWORD}\"\ntype = \"CLINICIAN\"\nname = \"{name}\"\n\n"
        )
    };
    service.run_over(&["apply"], "signers.toml", (0..count).map(signer).collect()).await.map(|_| ())
}

/// Clinicians of the team.
pub(crate) async fn lay_clinicians(service: &Recordgate, count: usize) -> Result<(), Trouble> {
    let clinician = |number| {
        let name = clinician(number);
        format!(
            "[[user]]\nusername = \"{name}\"\npassword_hash = \"{PASSWORD_HASH}\"\ntype = \"CLINICIAN\"\nname = \"{name}\"\n\
             teams = [\"{TEAM}\"]\n\n"
        )
    };
    service.run_over(&["apply"], "clinicians.toml", (0..count).map(clinician).collect()).await.map(|_| ())
}

pub(crate) fn clinician(number: usize) -> String {
    format!("clinician-{number:02}")
}

/// Accounts of patients of the team who are there already.
pub(crate) async fn lay_accounts(service: &Recordgate, patients: &[&str]) -> Result<(), Trouble> {
    let account = |id: &&str| {
        format!(
            "[[user]]\nusername = \"{}\"\npassword_hash = \"{PASSWORD_HASH}\"\ntype = \"PATIENT\"\nname = \"{id}\"\n\
             patient = \"{id}\"\nteams = [\"{TEAM}\"]\n\n",
            account(id)
        )
    };
    service.run_over(&["apply"], "accounts.toml", patients.iter().map(account).collect()).await.map(|_| ())
}

pub(crate) fn account(patient: &str) -> String {
    format!("account-{patient}")
}

/// Further System Clients of the organisation, with the secret of the first.
pub(crate) async fn lay_senders(service: &Recordgate, count: usize) -> Result<(), Trouble> {
    let sender = |number| {
        let name = sender(number);
        format!(
            "[[client]]\nclient_id = \"{name}\"\nkind = \"system\"\nowner = \"Bench\"\nproduct = \"{name}\"\n\
             secret = \"{SYSTEM_SECRET}\"\n\n\
             [[organisation_grant]]\norganisation = \"{ORGANISATION}\"\nclient = \"{name}\"\n\n"
        )
    };
    service.run_over(&["apply"], "senders.toml", (0..count).map(sender).collect()).await.map(|_| ())
}

pub(crate) fn sender(number: usize) -> String {
    format!("sender-{number:02}")
}

pub(crate) fn signer(number: usize) -> String {
    format!("signer-{number:02}")
}

pub(crate) fn username(number: usize) -> String {
    format!("patient-{number:05}")
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
client_id = "{CLINIC_APP}"
kind = "user"
owner = "Bench"
product = "Load Driver for Clinics"
redirect_uris = ["https://app.example/callback"]
scopes = ["CLINICIAN"]
session = "90d"
access_token = "1h"

[[client]]
client_id = "{SYSTEM}"
kind = "system"
owner = "Bench"
product = "Load Driver"
secret = "{SYSTEM_SECRET}"
may_introspect = true

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
            { "use": "official", "system": "https://fhir.nhs.uk/Id/nhs-number", "value": nhs_number(number) },
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
