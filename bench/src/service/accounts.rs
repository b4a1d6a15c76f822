//! Accounts of people who are in a store already, each with a session that an operator opened and an access token of it.

use super::child::Server;
use super::people::{self, APP};
use super::recordgate::Recordgate;
use super::sessions;
use crate::http::scripts::{member, refresh};
use crate::measure::trouble::Trouble;

/// Access tokens of the patients of these ids, in their order, while the service runs.
pub(crate) async fn tokens(service: &Recordgate, server: &Server, ids: &[&str]) -> Result<Vec<String>, Trouble> {
    people::lay_accounts(service, ids).await?;
    let names: Vec<String> = ids.iter().map(|id| people::account(id)).collect();
    let mut tokens = Vec::new();
    for (_, refresh_token) in sessions::open_of(service, APP, &names).await? {
        let (_, answer) = server.sample(&refresh(&server.host(), APP, &refresh_token)).await?;
        tokens.push(member(&answer, "access_token")?.to_owned());
    }
    Ok(tokens)
}
