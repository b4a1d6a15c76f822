//! Clinicians of the team, each with a session that an operator opened and an access token of it.

use super::child::Server;
use super::people::{self, CLINIC_APP, clinician};
use super::recordgate::Recordgate;
use super::sessions;
use crate::http::scripts::{member, refresh};
use crate::measure::trouble::Trouble;

/// Access tokens of so many, each of another one, while the service runs.
pub(crate) async fn tokens(service: &Recordgate, server: &Server, count: usize) -> Result<Vec<String>, Trouble> {
    people::lay_clinicians(service, count).await?;
    let names: Vec<String> = (0..count).map(clinician).collect();
    let mut tokens = Vec::new();
    for (_, refresh_token) in sessions::open_of(service, CLINIC_APP, &names).await? {
        let (_, answer) = server.sample(&refresh(&server.host(), CLINIC_APP, &refresh_token)).await?;
        tokens.push(member(&answer, "access_token")?.to_owned());
    }
    Ok(tokens)
}
