//! Roots as they are printed, to be kept elsewhere, and read again.

use super::context::Context;
use super::failure::Failure;
use super::ledger_store::look;
use crate::formats::when;
use serde::{Deserialize, Serialize};
use std::path::Path;
use store::ledger::{self, Evidence, KeptMonth, Month, MonthRoot, Root};

/// Where the ledger ended, and what its months were closed with. Roots of earlier releases have no months.
#[derive(Serialize, Deserialize)]
struct RootText {
    /// The number of the last line.
    line: i64,
    /// Its hash, in hexadecimal digits.
    sha256: String,
    #[serde(default)]
    months: Vec<MonthText>,
}

/// A month as it is printed and read.
#[derive(Serialize, Deserialize)]
pub(super) struct MonthText {
    month: String,
    first: i64,
    last: i64,
    sha256: String,
    #[serde(default)]
    closed_at: String,
    /// The key that sealed it, and the seal.
    #[serde(default)]
    key: String,
    #[serde(default)]
    seal: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dropped_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dropped_by: Option<String>,
}

impl MonthText {
    pub(super) fn of(root: &MonthRoot) -> Self {
        Self {
            month: root.month.to_string(),
            first: root.first,
            last: root.last,
            sha256: digits(&root.hash),
            closed_at: when::rfc3339(root.closed_at),
            key: root.seal.key.clone(),
            seal: digits(&root.seal.tag),
            dropped_at: root.removal.as_ref().map(|removal| when::rfc3339(removal.at)),
            dropped_by: root.removal.as_ref().map(|removal| removal.by.clone()),
        }
    }

    fn kept(&self) -> Option<KeptMonth> {
        let (month, hash) = (Month::named(&self.month)?, bytes(&self.sha256)?);
        Some(KeptMonth { month, first: self.first, last: self.last, hash })
    }
}

pub(super) async fn print(context: &Context) -> Result<(), Failure> {
    let store = look(context).await?;
    // The months first: what is closed meanwhile is told of the next time.
    let months = ledger::roots(&store).await?.iter().map(MonthText::of).collect();
    let Root { line, hash } = ledger::root(&store).await?;
    let root = serde_json::to_string(&RootText { line, sha256: digits(&hash), months });
    context.out.line(&root.map_err(|error| Failure::because(error.to_string()))?);
    Ok(())
}

/// Adds what a file says to the evidence.
pub(super) fn read(file: &Path, evidence: &mut Evidence<'_>) -> Result<(), Failure> {
    let wrong = || Failure::because(format!("{} is no root; `recordgate ledger root` prints one", file.display()));
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::because(format!("{} cannot be read: {error}", file.display())))?;
    let RootText { line, sha256, months } = serde_json::from_str(&text).map_err(|_| wrong())?;
    evidence.roots.push(Root { line, hash: bytes(&sha256).ok_or_else(wrong)? });
    for month in &months {
        evidence.months.push(month.kept().ok_or_else(wrong)?);
    }
    Ok(())
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(digits: &str) -> Option<[u8; 32]> {
    let pairs = digits.as_bytes().as_chunks::<2>().0;
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Vec<u8> = pairs.iter().map(byte).collect::<Option<_>>()?;
    bytes.try_into().ok().filter(|_| digits.len() == 64)
}
