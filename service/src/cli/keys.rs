//! `recordgate keys`: the key ring that seals all tokens.

use super::bar;
use super::context::Context;
use super::failure::Failure;
use super::way::unexpected;
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
    /// Make the ring in the file this database's own, or a new one where there is none
    #[command(
        after_long_help = "For a key ring that is lost for good, and for a database that was restored from before a key of its ring was made.

A database knows the keys of its ring, and refuses any other ring: with that, every app would hear that its grant is no
good, and throw it away. This command takes the ring in the file (--keys) for the database's own all the same; where
there is no such file, it makes one with a new key. Every token that was sealed by a key that is not in it is void, and
everybody concerned must grant access anew. Stop the other nodes first, and give them the file before they start."
    )]
    Adopt {
        /// Say that you know that every token sealed by another key is void
        #[arg(long, required = true)]
        accept_void_tokens: bool,
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
        KeysCommand::Adopt { .. } => Request::AdoptRing,
    };
    let ids = match context.way_with_any_ring().await?.ask(request, &bar::none()).await? {
        Reply::Keys(ids) => ids,
        other => return Err(unexpected(other)),
    };
    let sealing = ids.len().saturating_sub(1);
    let keys: Vec<KeyLine<'_>> = ids.iter().enumerate().map(|(at, id)| KeyLine { id, seals: at == sealing }).collect();
    let use_of = |key: &KeyLine<'_>| if key.seals { "seals and opens" } else { "opens" };
    let rows: Vec<[String; 2]> = keys.iter().map(|key| [key.id.to_owned(), use_of(key).to_owned()]).collect();
    context.list(["key", "use"], &rows, &keys);
    Ok(())
}
