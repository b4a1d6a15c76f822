//! `recordgate keys`: the key ring that seals all tokens.

use super::context::Context;
use super::failure::Failure;
use crate::operator::{Reply, Request};
use serde::Serialize;

#[derive(Debug, clap::Subcommand)]
pub(super) enum KeysCommand {
    /// List the keys by their ids, never the keys themselves
    List,
    /// Add a new key, which seals from now on; the others still open what they sealed
    Rotate,
    /// Remove a key: every token that it sealed is void at once
    #[command(after_long_help = "Refresh tokens live as long as their session and are sealed by the key of the day.
Retire a key when the last session of its days is over, or at once if it was stolen: then access must be granted anew.")]
    Retire {
        /// The id of the key, as `recordgate keys list` shows it
        #[arg(value_name = "KEY")]
        id: String,
    },
}

#[derive(Serialize)]
struct KeyLine<'a> {
    id: &'a str,
    seals: bool,
}

pub(super) async fn run(context: &Context, command: KeysCommand) -> Result<(), Failure> {
    let request = match command {
        KeysCommand::List => Request::Keys,
        KeysCommand::Rotate => Request::RotateKey,
        KeysCommand::Retire { id } => Request::RetireKey { id },
    };
    let pick = |reply| if let Reply::Keys(keys) = reply { Ok(keys) } else { Err(reply) };
    let ids = context.ask(request, pick).await?;
    let sealing = ids.len().saturating_sub(1);
    let keys: Vec<KeyLine<'_>> = ids.iter().enumerate().map(|(at, id)| KeyLine { id, seals: at == sealing }).collect();
    let use_of = |key: &KeyLine<'_>| if key.seals { "seals and opens" } else { "opens" };
    let rows: Vec<[String; 2]> = keys.iter().map(|key| [key.id.to_owned(), use_of(key).to_owned()]).collect();
    context.list(["key", "use"], &rows, &keys);
    Ok(())
}
