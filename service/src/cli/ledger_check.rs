//! Whether the ledger is whole, and where it ends: roots are kept elsewhere, and tell a ledger that was made anew.

use super::bar;
use super::context::Context;
use super::failure::Failure;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::ledger::{self, Root};
use store::{Budget, Store};

/// Nobody waits for these reads but the one who asked for them.
const BUDGET: Budget = Budget { time: Duration::from_secs(3600), readers: 1, waiting: 8 };

/// A root as it is printed and read.
#[derive(Serialize, Deserialize)]
struct RootText {
    /// The number of the last line.
    line: i64,
    /// Its hash, in hexadecimal digits.
    sha256: String,
}

#[derive(Serialize)]
struct LedgerReport {
    whole: bool,
    lines: i64,
    faults: Vec<String>,
}

/// The store, beside whoever is at work in it.
pub(super) async fn look(context: &Context) -> Result<Store, Failure> {
    Ok(Store::look(&context.config.database, BUDGET).await?)
}

pub(super) async fn root(context: &Context) -> Result<(), Failure> {
    let Root { line, hash } = ledger::root(&look(context).await?).await?;
    let sha256 = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let root = serde_json::to_string(&RootText { line, sha256 });
    context.out.line(&root.map_err(|error| Failure::because(error.to_string()))?);
    Ok(())
}

pub(super) async fn verify(context: &Context, files: &[PathBuf]) -> Result<(), Failure> {
    let roots = files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let store = look(context).await?;
    let bar = bar::bar("checking", "{msg} {bar:40} {pos}/{len}, {eta} left");
    let progress = |done: i64, all: i64| {
        bar.set_length(all.unsigned_abs());
        bar.set_position(done.unsigned_abs());
    };
    let verdict = ledger::verify(&store, &roots, progress).await;
    bar.finish_and_clear();
    let verdict = verdict?;
    let mut faults: Vec<String> = verdict.breaches.iter().map(ToString::to_string).collect();
    faults.extend(verdict.hidden.iter().map(|line| format!("whom line {line} concerns does not find it")));
    faults.iter().for_each(|fault| context.out.say(fault));
    let report = LedgerReport { whole: verdict.is_whole(), lines: verdict.lines, faults };
    context.out.value(&report);
    if report.whole {
        context.out.say(&format!("the ledger is whole: {} lines", report.lines));
        return Ok(());
    }
    Err(Failure::because("the ledger is not what was written"))
}

fn read(file: &Path) -> Result<Root, Failure> {
    let wrong = || Failure::because(format!("{} is no root; `recordgate ledger root` prints one", file.display()));
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::because(format!("{} cannot be read: {error}", file.display())))?;
    let RootText { line, sha256 } = serde_json::from_str(&text).map_err(|_| wrong())?;
    Ok(Root { line, hash: bytes(&sha256).ok_or_else(wrong)? })
}

fn bytes(digits: &str) -> Option<[u8; 32]> {
    let pairs = digits.as_bytes().as_chunks::<2>().0;
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Vec<u8> = pairs.iter().map(byte).collect::<Option<_>>()?;
    bytes.try_into().ok().filter(|_| digits.len() == 64)
}
