//! The spool: lines of accesses on their way to the ledger, in a file that outlives the process.
//!
//! An access is answered from memory and changes nothing, so it has no transaction that its line could be in. Its line is
//! written here: a killed process leaves it behind, and the next one takes it up. Lines come in groups, each with its length
//! and a check, so that a group that was cut short is known for what it is.

use super::addition;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::lines::encoding;
use crate::lines::line::Line;
use crate::lines::sum::Sums;
use crate::private_files;
use crate::store::Store;
use rules::moment::Moment;
use sha2::{Digest, Sha256};
use std::borrow::Borrow;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How the name of a spool's file ends; before it stands its number.
const ENDING: &str = ".lines";
/// Before the lines of a group: their length in bytes, and the first bytes of their SHA-256.
const LENGTH: usize = 4;
const CHECK: usize = 8;
const HEAD: u64 = (LENGTH + CHECK) as u64;
/// A file that has become so long is left for a new one, and removed once all of it is in the ledger.
const LONG: u64 = 16 << 20;
/// The longest group that is looked for behind one that is damaged.
const FOUND_AGAIN: u32 = 1 << 20;
/// So many lines, put together, are added to the ledger at a time: about 4 MiB of them. Those of many seconds go to the same
/// pages of the index of subjects, so that few large steps write much less than many small ones.
const MOST_LINES: usize = 65_536;
/// Room that is kept, in bytes: a tenth of a second of a busy service.
const MOST_ROOM: usize = 1 << 20;

/// A process's spool. Its file is made when there is something to write.
#[derive(Debug)]
pub struct Spool {
    directory: PathBuf,
    ids: Arc<Ids>,
    open: Mutex<SpoolFiles>,
    /// The room of the group that was written last: the next needs about as much, and to be given it anew ten times a second
    /// takes longer than to fill it.
    room: Mutex<Vec<u8>>,
}

/// The files of a process, of which one is written to.
#[derive(Debug, Default)]
struct SpoolFiles {
    written: Option<OpenFile>,
    /// Those that have become long, and are not in the ledger yet.
    full: Vec<OpenFile>,
}

impl SpoolFiles {
    fn all(&mut self) -> impl Iterator<Item = &mut OpenFile> {
        self.full.iter_mut().chain(self.written.as_mut())
    }

    fn named(&mut self, id: i64) -> Option<&mut OpenFile> {
        self.all().find(|file| file.id == id)
    }

    /// Takes out this file, if all of it is in the ledger and nothing more is written to it, or it is to end here.
    fn over(&mut self, id: i64, is_last: bool) -> Option<OpenFile> {
        let is_over = |file: &mut OpenFile| file.id == id && file.taken >= file.length;
        if is_last && let Some(over) = self.written.take_if(is_over) {
            return Some(over);
        }
        let at = self.full.iter_mut().position(is_over)?;
        Some(self.full.swap_remove(at))
    }
}

/// A file of a spool. It is locked while it is open: nobody else takes it up.
#[derive(Debug)]
struct OpenFile {
    id: i64,
    path: PathBuf,
    file: File,
    length: u64,
    /// How much of it is in the ledger.
    taken: u64,
}

/// What was left behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leftovers {
    pub files: u64,
    /// Bytes of groups that were cut short or damaged, and are no lines.
    pub torn: u64,
}

impl Spool {
    /// Takes up in the ledger what earlier processes left behind in the directory.
    pub async fn start(store: &Store, directory: &Path, now: Moment) -> Result<(Self, Leftovers)> {
        make(directory)?;
        let mut left = Leftovers::default();
        for mut file in OpenFile::all_left(directory)? {
            file.taken = u64::try_from(addition::spooled(store, file.id).await?).unwrap_or_default();
            left.files += u64::from(file.taken < file.length);
            while let Some(chunk) = file.rest(file.length)?.next_chunk().await? {
                left.torn += chunk.torn;
                file.taken = chunk.add(store, now).await?;
            }
            // A machine that lost its power may have kept less of the file than the ledger has taken from it.
            left.torn += file.length.saturating_sub(file.taken);
            file.remove(store).await?;
        }
        let (directory, ids) = (directory.to_path_buf(), store.ids.clone());
        Ok((Self { directory, ids, open: Mutex::default(), room: Mutex::default() }, left))
    }

    /// Makes sure that what was written is where the next process will look for it: a file that somebody removed is written anew.
    /// To be asked every second or so.
    pub fn hold(&self) -> Result<()> {
        self.open().all().try_for_each(|file| file.hold(&self.directory))
    }

    /// Adds lines to the ledger that cannot be spooled, for a process that is about to end.
    pub async fn add_unspooled(
        &self,
        store: &Store,
        lines: impl IntoIterator<Item: Borrow<Line>>,
        now: Moment,
    ) -> Result<()> {
        let mut group = Vec::new();
        lines.into_iter().for_each(|line| encoding::write(line.borrow(), &mut group));
        let mut sums = Sums::default();
        sums.add(&group)?;
        let (spool, to) = (self.ids.next(now), u64::try_from(group.len()).unwrap_or_default());
        Chunk { spool, from: 0, to, torn: 0, lines: sums.written() }.add(store, now).await?;
        addition::forget_spool(store, spool).await
    }

    /// Writes lines as one group. When this returns, they survive the process; with `sync`, the machine too. Blocks as long
    /// as the disk does.
    pub fn write(&self, lines: impl IntoIterator<Item: Borrow<Line>>, now: Moment, sync: bool) -> Result<()> {
        let mut group = std::mem::take(&mut *self.room());
        group.clear();
        group.resize(LENGTH + CHECK, 0);
        lines.into_iter().for_each(|line| encoding::write(line.borrow(), &mut group));
        let written = self.write_group(&mut group, now, sync);
        group.shrink_to(MOST_ROOM);
        *self.room() = group;
        written
    }

    fn write_group(&self, group: &mut [u8], now: Moment, sync: bool) -> Result<()> {
        let (head, written) = group.split_at_mut(LENGTH + CHECK);
        if written.is_empty() {
            return Ok(());
        }
        let length = u32::try_from(written.len()).map_err(|_| Error::Impossible("a group of so many lines".into()))?;
        let check = Sha256::digest(&*written);
        for (to, from) in head.iter_mut().zip(length.to_le_bytes().into_iter().chain(check)) {
            *to = from;
        }
        let mut open = self.open();
        let full = open.written.take_if(|file| file.length >= LONG);
        open.full.extend(full);
        open.all().try_for_each(|file| file.hold(&self.directory))?;
        if open.written.is_none() {
            open.written = Some(OpenFile::new(&self.directory, self.ids.next(now))?);
        }
        match open.written.as_mut() {
            Some(file) => file.write(group, sync),
            None => Err(Error::Impossible("a file that was just made".into())),
        }
    }

    /// Adds to the ledger what was written. The files that have become long are then removed.
    pub async fn take(&self, store: &Store, now: Moment) -> Result<()> {
        self.take_all(store, now, false).await
    }

    /// Adds to the ledger what was written, and leaves nothing behind.
    pub async fn close(&self, store: &Store, now: Moment) -> Result<()> {
        self.take_all(store, now, true).await
    }

    async fn take_all(&self, store: &Store, now: Moment, is_last: bool) -> Result<()> {
        // What comes meanwhile is left for the next time: under load something always does.
        let files: Vec<(i64, u64)> = self.open().all().map(|file| (file.id, file.length)).collect();
        for (spool, end) in files {
            self.take_file(store, now, (spool, end)).await?;
            let over = self.open().over(spool, is_last);
            if let Some(over) = over {
                over.remove(store).await?;
            }
        }
        Ok(())
    }

    async fn take_file(&self, store: &Store, now: Moment, (spool, end): (i64, u64)) -> Result<()> {
        while let Some(rest) = self.rest(spool, end)?
            && let Some(chunk) = rest.next_chunk().await?
        {
            let taken = chunk.add(store, now).await?;
            // Another file may have been begun meanwhile, by somebody who adds beside us.
            if let Some(file) = self.open().named(spool) {
                file.taken = taken.max(file.taken);
            }
        }
        Ok(())
    }

    /// What of this spool is not in the ledger yet, up to this place; none where another has been begun.
    fn rest(&self, spool: i64, end: u64) -> Result<Option<SpoolRest>> {
        self.open().named(spool).map(|file| file.rest(end)).transpose()
    }

    fn room(&self) -> MutexGuard<'_, Vec<u8>> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> MutexGuard<'_, SpoolFiles> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What of a spool is not in the ledger yet.
struct SpoolRest {
    spool: i64,
    path: PathBuf,
    file: File,
    from: u64,
    to: u64,
}

impl SpoolRest {
    /// The next of it, if there is any. Putting lines together takes too long for a thread on which requests are answered.
    async fn next_chunk(self) -> Result<Option<Chunk>> {
        let read = tokio::task::spawn_blocking(move || self.read());
        read.await.map_err(|_| Error::Impossible("reading the spool panicked".into()))?
    }

    fn read(self) -> Result<Option<Chunk>> {
        let (mut to, mut sums, mut torn) = (self.from, Sums::default(), 0);
        let failed = |error| io("reading", &self.path, error);
        while sums.len() < MOST_LINES {
            let Some(group) = group(&self.file, (to, self.to)).map_err(failed)? else {
                // Each group has a check of its own: what is damaged costs none of those behind it.
                let Some(next) = next_group(&self.file, (to, self.to)).map_err(failed)? else { break };
                torn += next - to;
                to = next;
                continue;
            };
            to += u64::try_from(LENGTH + CHECK + group.len()).unwrap_or_default();
            sums.add(&group)?;
        }
        let Self { spool, from, .. } = self;
        Ok((to > from).then(|| Chunk { spool, from, to, torn, lines: sums.written() }))
    }
}

/// Some groups of a spool, their lines put together.
struct Chunk {
    spool: i64,
    from: u64,
    to: u64,
    /// How many bytes among them are no lines.
    torn: u64,
    lines: Vec<u8>,
}

impl Chunk {
    /// Adds them, unless that was done already; tells how far the spool is added now. Somebody may add beside us, or have been cut
    /// short while adding: then these groups, or the first of them, are in the ledger, and what is behind them is not.
    async fn add(self, store: &Store, now: Moment) -> Result<u64> {
        let place = |at: u64| i64::try_from(at).unwrap_or(i64::MAX);
        let span = (place(self.from), place(self.to));
        let taken = addition::add_spooled(store, self.spool, span, self.lines, now).await?;
        Ok(u64::try_from(taken).unwrap_or_default())
    }
}

impl OpenFile {
    fn new(directory: &Path, id: i64) -> Result<Self> {
        make(directory)?;
        let path = directory.join(format!("{id}{ENDING}"));
        let file = private_files::options().create_new(true).read(true).append(true).open(&path);
        let file = file.map_err(|error| io("making", &path, error))?;
        // A file that its directory forgets in a power cut is lost with all that was synced in it.
        sync_directory(directory)?;
        file.try_lock().map_err(|error| io("locking", &path, error.into()))?;
        Ok(Self { id, path, file, length: 0, taken: 0 })
    }

    /// The files whose processes are gone.
    fn all_left(directory: &Path) -> Result<Vec<Self>> {
        let mut left = Vec::new();
        for entry in fs::read_dir(directory).map_err(|error| io("reading", directory, error))? {
            let path = entry.map_err(|error| io("reading", directory, error))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(ENDING));
            let Some(id) = name.and_then(|id| id.parse().ok()) else { continue };
            let opened = File::options().read(true).append(true).open(&path);
            let file = opened.map_err(|error| io("opening", &path, error))?;
            // Whoever holds it is at work.
            if file.try_lock().is_ok() {
                let length = file.metadata().map_err(|error| io("reading", &path, error))?.len();
                left.push(Self { id, path, file, length, taken: 0 });
            }
        }
        left.sort_by_key(|file| file.id);
        Ok(left)
    }

    /// Writes the file anew if it is gone from its place. What was written to it is still there for who has it open.
    fn hold(&mut self, directory: &Path) -> Result<()> {
        let held = self.file.metadata().map_err(|error| io("reading", &self.path, error))?;
        if fs::metadata(&self.path).is_ok_and(|there| (there.dev(), there.ino()) == (held.dev(), held.ino())) {
            return Ok(());
        }
        make(directory)?;
        let mut all = vec![0; usize::try_from(self.length).unwrap_or_default()];
        self.file.read_exact_at(&mut all, 0).map_err(|error| io("reading", &self.path, error))?;
        let anew = private_files::options().create(true).read(true).append(true).open(&self.path);
        let mut anew = anew.map_err(|error| io("making", &self.path, error))?;
        let written = anew.set_len(0).and_then(|()| anew.write_all(&all)).and_then(|()| anew.sync_data());
        written.map_err(|error| io("writing", &self.path, error))?;
        sync_directory(directory)?;
        anew.try_lock().map_err(|error| io("locking", &self.path, error.into()))?;
        self.file = anew;
        Ok(())
    }

    fn write(&mut self, group: &[u8], sync: bool) -> Result<()> {
        let written = self.file.write_all(group).and_then(|()| if sync { self.file.sync_data() } else { Ok(()) });
        if let Err(error) = written {
            // A half of a group must not stand before the next.
            let _as_it_was = self.file.set_len(self.length);
            return Err(io("writing", &self.path, error));
        }
        self.length += u64::try_from(group.len()).unwrap_or_default();
        Ok(())
    }

    /// What of it is not in the ledger yet, up to this place.
    fn rest(&self, end: u64) -> Result<SpoolRest> {
        let file = self.file.try_clone().map_err(|error| io("reading", &self.path, error))?;
        Ok(SpoolRest { spool: self.id, path: self.path.clone(), file, from: self.taken, to: end })
    }

    /// Removes the file first: a spool that is forgotten while its file is there would be taken up a second time.
    async fn remove(self, store: &Store) -> Result<()> {
        fs::remove_file(&self.path).map_err(|error| io("removing", &self.path, error))?;
        addition::forget_spool(store, self.id).await
    }
}

impl Drop for OpenFile {
    /// A child that is just being made has the file open as well until it becomes another program, and would keep it locked.
    fn drop(&mut self) {
        let _closing_does_it_too = self.file.unlock();
    }
}

/// The group at a place, in a file that is so long; none, where there is none or it is torn.
fn group(file: &File, (at, end): (u64, u64)) -> std::io::Result<Option<Vec<u8>>> {
    let mut head = [0; LENGTH + CHECK];
    let lines_at = at + u64::try_from(head.len()).unwrap_or_default();
    let Some(rest) = end.checked_sub(lines_at) else { return Ok(None) };
    file.read_exact_at(&mut head, at)?;
    let Some((length, check)) = head.split_first_chunk::<LENGTH>() else { return Ok(None) };
    let length = u32::from_le_bytes(*length);
    if u64::from(length) > rest || length == 0 {
        return Ok(None);
    }
    let mut lines = vec![0; usize::try_from(length).unwrap_or_default()];
    file.read_exact_at(&mut lines, lines_at)?;
    Ok(Sha256::digest(&lines).starts_with(check).then_some(lines))
}

/// Where the next group begins that is whole, behind one that is not.
fn next_group(file: &File, (at, end): (u64, u64)) -> std::io::Result<Option<u64>> {
    let mut rest = vec![0; usize::try_from(end.saturating_sub(at)).unwrap_or_default()];
    file.read_exact_at(&mut rest, at)?;
    // Behind as many bytes as the damaged one says that it has, most likely.
    let said = head(&rest).map_or(0, |(length, _)| u64::from(length) + HEAD);
    let is_whole = |from: u64| {
        let there = usize::try_from(from).ok().and_then(|from| rest.get(from..)).unwrap_or_default();
        head(there).is_some_and(|(length, check)| {
            let lines =
                usize::try_from(length).ok().and_then(|length| there.get(LENGTH + CHECK..LENGTH + CHECK + length));
            (1..=FOUND_AGAIN).contains(&length) && lines.is_some_and(|lines| Sha256::digest(lines).starts_with(check))
        })
    };
    let last = end.saturating_sub(at).saturating_sub(HEAD);
    let mut places = std::iter::once(said).filter(|said| *said > 0).chain(1..last);
    Ok(places.find(|from| is_whole(*from)).map(|from| at + from))
}

/// The length and the check that a group begins with.
fn head(group: &[u8]) -> Option<(u32, &[u8])> {
    let (length, rest) = group.split_first_chunk::<LENGTH>()?;
    Some((u32::from_le_bytes(*length), rest.get(..CHECK)?))
}

/// Makes the directory of a spool, unless it is there.
fn make(directory: &Path) -> Result<()> {
    private_files::make_directory(directory).map_err(|error| io("making the spool", directory, error))?;
    private_files::restrict_directory(directory).map_err(|error| io("restricting", directory, error))
}

fn sync_directory(directory: &Path) -> Result<()> {
    let synced = File::open(directory).and_then(|directory| directory.sync_all());
    synced.map_err(|error| io("syncing", directory, error))
}

fn io(doing: &str, path: &Path, error: std::io::Error) -> Error {
    Error::Io(format!("{doing} {}", path.display()), error)
}
