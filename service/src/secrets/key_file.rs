//! The key ring's file: a line for each key, and one that says whose ring it is.

use super::dice::NoRandomness;
use super::key::Key;
use super::key_line::{self, LineFault};
use super::key_trouble::KeyTrouble;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use zeroize::Zeroizing;

const FIRST_LINE: &str =
    "# recordgate key ring: keep this file secret, and keep it apart from backups of the database\n";

/// What is different about a file that has been replaced or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp([i128; 5]);

impl Stamp {
    fn of(file: &Metadata) -> Self {
        // The mode too: a ring that was opened to others must be noticed.
        Self([file.ino().into(), file.len().into(), file.mtime().into(), file.mtime_nsec().into(), file.mode().into()])
    }
}

/// The keys of a file as it was at one time.
pub struct Ring {
    pub(super) keys: Vec<Key>,
    /// The store whose ring it is; a ring of an earlier release does not say.
    pub(super) store: Option<String>,
    pub(super) stamp: Stamp,
}

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ring of {} keys", self.keys.len())
    }
}

impl Ring {
    pub(super) const fn none() -> Self {
        Self { keys: Vec::new(), store: None, stamp: Stamp([0; 5]) }
    }

    /// A ring of one new key, in no file yet.
    pub fn new() -> Result<Self, NoRandomness> {
        let mut ring = Self::none();
        ring.add().map(|_| ring)
    }

    /// The store whose ring it says it is.
    #[must_use]
    pub fn store(&self) -> Option<&str> {
        self.store.as_deref()
    }

    pub fn set_store(&mut self, id: String) {
        self.store = Some(id);
    }

    /// The id and the fingerprint of each key, the sealing one last.
    #[must_use]
    pub fn names(&self) -> Vec<(String, String)> {
        self.keys.iter().map(|key| (key.id.clone(), key.fingerprint())).collect()
    }

    /// Adds a new key, which seals, and gives its id and fingerprint.
    pub fn add(&mut self) -> Result<(String, String), NoRandomness> {
        let key = Key::new()?;
        let name = (key.id.clone(), key.fingerprint());
        self.keys.push(key);
        Ok(name)
    }

    /// Removes the keys of these ids, and tells whether there were any.
    pub fn remove(&mut self, ids: &[String]) -> bool {
        let before = self.keys.len();
        self.keys.retain(|key| !ids.contains(&key.id));
        self.keys.len() < before
    }
}

pub(super) fn stamp(path: &Path) -> Result<Stamp, KeyTrouble> {
    let metadata = std::fs::metadata(path).map_err(|error| KeyTrouble::Io(path.to_path_buf(), error))?;
    Ok(Stamp::of(&metadata))
}

pub(super) fn read(path: &Path) -> Result<Ring, KeyTrouble> {
    let io = |error| KeyTrouble::Io(path.to_path_buf(), error);
    let mut file = File::open(path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    let mode = metadata.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(KeyTrouble::ReadableByOthers(path.to_path_buf(), mode));
    }
    let mut text = Zeroizing::new(String::new());
    file.read_to_string(&mut text).map_err(io)?;
    let store = text.lines().find_map(key_line::store).map(String::from);
    let mut keys = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let path = || path.to_path_buf();
        keys.push(key_line::parse(line, store.is_some()).map_err(|fault| match fault {
            LineFault::Malformed => KeyTrouble::Malformed(path(), number + 1),
            LineFault::Changed => KeyTrouble::Changed(path(), number + 1),
        })?);
    }
    if keys.is_empty() {
        return Err(KeyTrouble::Empty(path.to_path_buf()));
    }
    Ok(Ring { keys, store, stamp: Stamp::of(&metadata) })
}

/// Makes a ring of one key where there is none. Of several processes that start at once, one makes it for all.
pub(super) fn make(path: &Path, key: &Key, store: Option<&str>) -> Result<(), KeyTrouble> {
    let io = |error| KeyTrouble::Io(path.to_path_buf(), error);
    let beside = path.with_extension(format!("new-{}", key.id));
    fill(&beside, std::slice::from_ref(key), store).map_err(io)?;
    // Unlike moving it there, this never puts a ring in the place of another.
    let linked = match std::fs::hard_link(&beside, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    };
    std::fs::remove_file(&beside).and(linked).and_then(|()| sync_folder(path)).map_err(io)
}

/// Writes the ring beside its place and moves it there, so that a crash leaves the old ring or the new one.
pub(super) fn write(path: &Path, keys: &[Key], store: Option<&str>) -> Result<(), KeyTrouble> {
    let beside = path.with_extension("new");
    let written =
        fill(&beside, keys, store).and_then(|()| std::fs::rename(&beside, path)).and_then(|()| sync_folder(path));
    written.map_err(|error| KeyTrouble::Io(path.to_path_buf(), error))
}

/// Waits until nobody else changes the ring, and holds it until it is dropped. A ring that is changed is another file
/// under the same name: whoever waited for the old one waits again.
pub(super) fn lock(path: &Path) -> Result<File, KeyTrouble> {
    let io = |error| KeyTrouble::Io(path.to_path_buf(), error);
    loop {
        let file = File::open(path).map_err(io)?;
        file.lock().map_err(io)?;
        if std::fs::metadata(path).map_err(io)?.ino() == file.metadata().map_err(io)?.ino() {
            return Ok(file);
        }
    }
}

fn fill(path: &Path, keys: &[Key], store: Option<&str>) -> std::io::Result<()> {
    let mut text = Zeroizing::new(String::from(FIRST_LINE));
    text.extend(store.map(key_line::store_line));
    for key in keys {
        key_line::write(key, &mut text);
    }
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all())
}

fn sync_folder(of: &Path) -> std::io::Result<()> {
    let folder = of.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}
