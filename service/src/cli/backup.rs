//! `recordgate backup`: a copy of the data as it was at one moment, while the service runs.

use super::context::Context;
use super::failure::Failure;
use super::store_presence::StoreChoice;
use super::{bar, way};
use crate::operator::{Reply, Request};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate backup --to /backups/recordgate-2026-02-01
  recordgate serve --database sqlite:/backups/recordgate-2026-02-01 --keys /secure/keys

The service goes on meanwhile. The copy is written beside its place, under the name with `.unfinished-backup` behind it,
which no start accepts; when it is on disk and SQLite finds it whole, it gets its name. So DIR is a whole backup or is not
there, however the command ended; what was left unfinished, the next backup beside it removes. DIR can be used as a data
directory as it is. `recordgate verify` checks every record in it.
The key ring is not in it: who holds both can make tokens, so keep them apart. Without the ring no token of a restored
database can be opened, and everybody must grant access anew.")]
pub(super) struct BackupArgs {
    /// A new directory for the copy
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

pub(super) async fn run(context: &Context, args: BackupArgs) -> Result<(), Failure> {
    // The server may have another working directory.
    let to = std::path::absolute(&args.to)?;
    let (bar, progress) = bar::progress("copying");
    let reply = context.way(StoreChoice::Existing).await?.ask(Request::Backup { to: to.clone() }, &progress).await;
    bar.finish_and_clear();
    match reply? {
        Reply::BackedUp => {}
        other => return Err(way::unexpected(other)),
    }
    context.out.value(&serde_json::json!({ "database": format!("sqlite:{}", to.display()) }));
    context.out.say(&format!("the data is copied to {}", to.display()));
    context.out.say("the key ring is not in it; keep a copy of that file in another place");
    Ok(())
}
