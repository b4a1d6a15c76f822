//! `recordgate keys`: the key ring that seals all tokens, and the keys that sign id_tokens.

use super::bar;
use super::context::Context;
use super::failure::Failure;
use super::store_presence::StoreChoice;
use super::way::unexpected;
use crate::operator::summaries::SigningKeySummary;
use crate::operator::{Reply, Request};
use serde::Serialize;

#[derive(Debug, clap::Subcommand)]
pub(super) enum KeysCommand {
    /// List the keys by their ids, never the keys themselves
    List {
        /// The keys that sign id_tokens instead, with those that did and are still published
        #[arg(long)]
        signing: bool,
    },
    /// Add a new key, which seals from now on; the others still open what they sealed
    #[command(
        after_long_help = "With --signing: the keys that sign id_tokens (OpenID Connect), one of each algorithm. They are in the database, sealed by
the key ring, and every node signs with the new ones at once. The old ones stay published (/.well-known/jwks.json) until
nothing that they signed is valid, which takes 11 minutes; apps read the new ones when they first meet them."
    )]
    Rotate {
        /// Make new keys that sign id_tokens instead
        #[arg(long)]
        signing: bool,
    },
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
        KeysCommand::List { signing: true } => return run_signing(context, Request::SigningKeys).await,
        KeysCommand::Rotate { signing: true } => return run_signing(context, Request::RotateSigningKeys).await,
        KeysCommand::List { signing: false } => Request::Keys,
        KeysCommand::Rotate { signing: false } => Request::RotateKey,
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

/// What has to do with the keys that sign: they need a ring that is right, to be opened by.
async fn run_signing(context: &Context, request: Request) -> Result<(), Failure> {
    let keys = match context.way(StoreChoice::Existing).await?.ask(request, &bar::none()).await? {
        Reply::SigningKeys(keys) => keys,
        other => return Err(unexpected(other)),
    };
    let use_of = |key: &SigningKeySummary| match &key.replaced_at {
        None => "signs".to_owned(),
        Some(at) => format!("published, replaced {at}"),
    };
    let row = |key: &SigningKeySummary| [key.id.clone(), key.algorithm.clone(), key.made_at.clone(), use_of(key)];
    let rows: Vec<[String; 4]> = keys.iter().map(row).collect();
    context.list(["key", "algorithm", "made", "use"], &rows, &keys);
    Ok(())
}
