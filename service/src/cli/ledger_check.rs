//! Whether the ledger is whole, by itself, by the key ring, and by what was kept of it elsewhere.

use super::bar;
use super::context::Context;
use super::failure::Failure;
use super::ledger_root::{self, MonthText};
use super::ledger_store::look;
use super::vouching::Vouching;
use crate::formats::when;
use serde::Serialize;
use std::path::PathBuf;
use store::ledger::{self, Evidence, MonthRoot, Verdict};

#[derive(Serialize)]
struct LedgerReport {
    whole: bool,
    lines: i64,
    faults: Vec<String>,
    /// Whether the key ring was there to tell who made the roots.
    seals_checked: bool,
    months: Vec<MonthText>,
}

pub(super) async fn verify(context: &Context, files: &[PathBuf]) -> Result<(), Failure> {
    let vouching = Vouching::of(&context.config);
    let mut evidence = Evidence { notary: vouching.notary(), ..Evidence::default() };
    for file in files {
        ledger_root::read(file, &mut evidence)?;
    }
    let store = look(context).await?;
    let bar = bar::bar("checking", "{msg} {bar:40} {pos}/{len}, {eta} left");
    let progress = |done: i64, all: i64| {
        bar.set_length(all.unsigned_abs());
        bar.set_position(done.unsigned_abs());
    };
    let verdict = ledger::verify(&store, &evidence, progress).await;
    bar.finish_and_clear();
    let verdict = verdict?;
    tell(context, &verdict, &vouching);
    if verdict.is_whole() { Ok(()) } else { Err(Failure::because("the ledger is not what was written")) }
}

fn tell(context: &Context, verdict: &Verdict, vouching: &Vouching) {
    let out = context.out;
    let faults: Vec<String> = verdict.words().into_iter().map(|(_, words)| words).collect();
    faults.iter().for_each(|fault| out.say(fault));
    verdict.months.iter().filter_map(dropping).for_each(|words| out.say(&words));
    for line in &verdict.beyond_check {
        out.say(&format!("line {line} was dropped, and nothing is left to hold its root to"));
    }
    if !verdict.months.is_empty()
        && let Some(why) = vouching.absence()
    {
        out.say(&format!("who made the roots of the months was not checked: {why}"));
    }
    if verdict.is_whole() {
        out.say(&format!("the ledger is whole: {} lines", verdict.lines));
    }
    out.value(&LedgerReport {
        whole: verdict.is_whole(),
        lines: verdict.lines,
        faults,
        seals_checked: vouching.notary().is_some(),
        months: verdict.months.iter().map(MonthText::of).collect(),
    });
}

/// That a month was dropped, and by what.
fn dropping(root: &MonthRoot) -> Option<String> {
    let removal = root.removal.as_ref()?;
    let (month, at, by) = (root.month, when::rfc3339(removal.at), &removal.by);
    Some(format!("{month}, lines {} to {}, was dropped at {at} by {by}", root.first, root.last))
}
