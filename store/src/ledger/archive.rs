//! Archives: a month that was closed, written into a file of its own, and checked there by its root.

use super::blocks;
use super::roots::roots;
use crate::error::{Error, Result};
use crate::lines::audit::{Audit, Breach};
use crate::lines::block::{Hash, Head};
use crate::lines::month::Month;
use crate::lines::month_audit::{MonthAudit, MonthFault, MonthFaultKind};
use crate::lines::root::{MonthRoot, Notary, SealState};
use crate::sqlite::{ArchiveFile, UnfinishedArchive};
use crate::store::Store;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Blocks that are read at a time.
const BLOCKS: i64 = 64;

/// What is in an archive, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct ArchiveVerdict {
    pub root: MonthRoot,
    pub breaches: Vec<Breach>,
    pub faults: Vec<MonthFault>,
}

impl ArchiveVerdict {
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.breaches.is_empty() && self.faults.is_empty()
    }

    /// Everything that is wrong.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let breaches = self.breaches.iter().map(ToString::to_string);
        breaches.chain(self.faults.iter().map(ToString::to_string)).collect()
    }
}

/// Writes a month into a new file. It has its name only when it is whole, on disk, and what the month was closed with.
pub async fn archive(store: &Store, month: Month, file: &Path) -> Result<MonthRoot> {
    let all = roots(store).await?;
    let place = all.iter().position(|root| root.month == month);
    let Some((root, before)) = place.and_then(|at| Some((all.get(at)?.clone(), at.checked_sub(1)))) else {
        return Err(Error::Setup(format!("{month} is not closed; `recordgate ledger root` tells which months are")));
    };
    if root.removal.is_some() {
        return Err(Error::Setup(format!("the lines of {month} were dropped")));
    }
    let before = before.and_then(|at| all.get(at)).map_or(Head::start().hash, |root| root.hash);
    let target = file.to_path_buf();
    let mut unfinished = blocking(move || UnfinishedArchive::begin(&target)).await?;
    let (mut from, beyond) = root.month.ids();
    loop {
        let blocks = blocks::between(store, from, beyond, BLOCKS).await?;
        let Some(last) = blocks.last() else { break };
        from = last.id.saturating_add(1);
        unfinished = blocking(move || unfinished.add(&blocks).map(|()| unfinished)).await?;
    }
    let finished = root.clone();
    blocking(move || {
        let written = unfinished.complete(&finished, before)?;
        let verdict = judge(&written, None)?;
        if !verdict.is_whole() {
            return Err(Error::Damaged(format!("the ledger, of which {month} is not what it was closed with,")));
        }
        unfinished.name()
    })
    .await?;
    Ok(root)
}

/// Sees to it that a month is in a directory of archives, whole; tells where.
pub(super) async fn keep(store: &Store, root: &MonthRoot, directory: &Path) -> Result<PathBuf> {
    let file = directory.join(format!("ledger-{}.sqlite", root.month));
    fs::create_dir_all(directory).map_err(|error| Error::Io(format!("making {}", directory.display()), error))?;
    if file.symlink_metadata().is_err() {
        archive(store, root.month, &file).await?;
    }
    // Whatever is there under its name, also from before, is looked at as it is on disk.
    let (there, wanted) = (file.clone(), root.clone());
    let verdict = blocking(move || examine(&there, None)).await?;
    let folder = directory.to_path_buf();
    blocking(move || {
        fs::File::open(&folder)
            .and_then(|open| open.sync_all())
            .map_err(|error| Error::Io(format!("writing {}", folder.display()), error))
    })
    .await?;
    let is_same = (verdict.root.month, verdict.root.first, verdict.root.last, verdict.root.hash)
        == (wanted.month, wanted.first, wanted.last, wanted.hash);
    if is_same && verdict.is_whole() {
        return Ok(file);
    }
    Err(Error::Setup(format!(
        "{} is no whole archive of {}; move it away, and the month is archived anew",
        file.display(),
        root.month
    )))
}

/// Looks at an archive by itself; its seal, too, if there is somebody who can tell. Blocks as long as the disk does.
pub fn examine(file: &Path, notary: Option<&dyn Notary>) -> Result<ArchiveVerdict> {
    judge(&ArchiveFile::open(file)?, notary)
}

fn judge(archive: &ArchiveFile, notary: Option<&dyn Notary>) -> Result<ArchiveVerdict> {
    let (root, before): (MonthRoot, Hash) = archive.root()?;
    let mut audit = Audit::new(Head { number: root.first - 1, hash: before, id: 0 }, BTreeMap::new());
    let mut months = MonthAudit::new([root.clone()], before);
    let mut from = 0;
    loop {
        let blocks = archive.blocks(from, BLOCKS)?;
        let Some(last) = blocks.last() else { break };
        from = last.id.saturating_add(1);
        for block in &blocks {
            audit.block(block);
            months.block(block);
        }
    }
    let breaches = audit.end(Head { number: root.last, hash: root.hash, id: 0 });
    let mut faults = months.end();
    let kind = match notary.map(|notary| root.examined(notary)) {
        None | Some(SealState::Good) => None,
        Some(SealState::Broken) => Some(MonthFaultKind::Broken),
        Some(SealState::OtherKey) => Some(MonthFaultKind::OtherKey(root.seal.key.clone())),
    };
    faults.extend(kind.map(|kind| MonthFault { month: root.month, kind }));
    Ok(ArchiveVerdict { root, breaches, faults })
}

/// Runs what waits for the disk where it holds nobody up.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Error::Impossible("writing an archive panicked".into())))
}
