//! `recordgate accept-files`: going on with files of an embedded store that are not of one moment, knowingly.

use super::context::Context;
use super::failure::Failure;
use store::parts;

#[derive(Debug, clap::Args)]
#[command(
    after_long_help = "The embedded store is three files. Each counts its writes, and knows how far the others had counted. Where one is of an older
backup, or its log was removed, the service does not start and says which: what was acknowledged since is gone with it. Restore
all files of one backup. Where there is none, this command takes the files as they are, and says of each that is behind the
others how far: records that were stored since answer 404, lines of the ledger are gone, sessions have to be granted again.
The service must be stopped. Check the store with `recordgate verify` afterwards."
)]
pub(super) struct AcceptFilesArgs;

pub(super) fn run(context: &Context) -> Result<(), Failure> {
    let accepted = parts::accept(&context.config.database)?;
    let told: Vec<_> = accepted.iter().map(|(file, why)| serde_json::json!({ "file": file, "why": why })).collect();
    context.out.value(&told);
    for (file, why) in &accepted {
        context.out.say(&format!("{file} is taken as it is: {why}"));
    }
    if accepted.is_empty() {
        context.out.say("the files are of one moment; nothing was changed");
    }
    Ok(())
}
