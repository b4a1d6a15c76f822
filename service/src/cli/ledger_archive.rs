//! A month of the ledger in a file of its own: written, checked, and read.

use super::context::Context;
use super::failure::Failure;
use super::ledger_store::look;
use super::vouching::Vouching;
use serde::Serialize;
use std::path::{Path, PathBuf};
use store::ledger::{self, KeptMonth, Month, MonthFaultKind, MonthRoot, SealState};

#[derive(Serialize)]
struct ArchiveReport {
    month: String,
    lines: i64,
    whole: bool,
    faults: Vec<String>,
    /// Whether the key ring was there to tell who made the root.
    seal_checked: bool,
    /// Whether the ledger has a root of this month to hold the archive to.
    held_to_the_ledger: bool,
}

pub(super) async fn write(context: &Context, month: Month, file: &Path) -> Result<(), Failure> {
    let root = ledger::archive(&look(context).await?, month, file).await?;
    let report = report(&root, Vec::new(), false, true);
    context.out.value(&report);
    context.out.say(&format!("{month}, {} lines, is in {}", report.lines, file.display()));
    Ok(())
}

/// Checks an archive by itself, by the key ring, and by the root that the ledger keeps of its month: each where it is at
/// hand.
pub(super) async fn verify(context: &Context, file: PathBuf) -> Result<(), Failure> {
    let vouching = Vouching::of(&context.config);
    let ledgers = match look(context).await {
        Ok(store) => Some(ledger::roots(&store).await?),
        Err(_) => None,
    };
    let mut verdict = ledger::examine(&file, vouching.notary())?;
    let own = verdict.root.clone();
    let kept = ledgers.iter().flatten().find(|root| root.month == own.month);
    let is_same = |kept: &MonthRoot| KeptMonth::of(kept) == KeptMonth::of(&own);
    let is_good = |kept: &MonthRoot| vouching.notary().is_some_and(|ring| kept.examined(ring) == SealState::Good);
    if kept.is_some_and(|kept| is_same(kept) && is_good(kept)) {
        // The key of its day was retired; the ledger's own root, which is the same, has a seal of today.
        verdict.faults.retain(|fault| !matches!(fault.kind, MonthFaultKind::OtherKey(_)));
    }
    let mut faults = verdict.words();
    if kept.is_some_and(|kept| !is_same(kept)) {
        faults.push(format!("the root of {} is not the one that the ledger has", own.month));
    }
    let out = context.out;
    faults.iter().for_each(|fault| out.say(fault));
    if let Some(why) = vouching.absence() {
        out.say(&format!("who made the root was not checked: {why}"));
    }
    if kept.is_none() {
        out.say("there is no root of this month in the ledger to hold it to");
    }
    let report = report(&own, faults, vouching.notary().is_some(), kept.is_some());
    out.value(&report);
    if report.whole {
        out.say(&format!("the archive of {} is whole: {} lines", report.month, report.lines));
        return Ok(());
    }
    Err(Failure::because("the archive is not what was written"))
}

fn report(root: &MonthRoot, faults: Vec<String>, seal_checked: bool, held_to_the_ledger: bool) -> ArchiveReport {
    let (month, lines, whole) = (root.month.to_string(), root.lines(), faults.is_empty());
    ArchiveReport { month, lines, whole, faults, seal_checked, held_to_the_ledger }
}
