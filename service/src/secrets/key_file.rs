//! The key ring's file: each line is `<key id> <64 bytes in base64url>`.

use super::dice::NoRandomness;
use super::key::{KEY_BYTES, Key};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

const FIRST_LINE: &str =
    "# recordgate key ring: keep this file secret, and keep it apart from backups of the database\n";

/// What is wrong with a key ring; each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum KeyTrouble {
    #[error(
        "the key ring {0} is missing while sessions exist; without it no token can be opened. Put the file back, or restore it from its backup"
    )]
    Missing(PathBuf),
    #[error("the key ring {0} can be read by others (mode {1:o}); make it yours alone: chmod 600 {0}")]
    ReadableByOthers(PathBuf, u32),
    #[error("the key ring {0} cannot be used: {1}")]
    Io(PathBuf, std::io::Error),
    #[error("line {1} of the key ring {0} is not a key id and a key")]
    Malformed(PathBuf, usize),
    #[error("the key ring {0} holds no key")]
    Empty(PathBuf),
    #[error(
        "{0} is another key ring, and no token sealed by {1} could be opened with it; put it elsewhere, or name the ring to use with --keys"
    )]
    Another(PathBuf, PathBuf),
    #[error("there is no key {0} in the ring")]
    NoSuchKey(String),
    #[error("{0} is the key that seals; rotate first, then retire it")]
    InUse(String),
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}

/// What is different about a file that has been replaced or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp([i128; 4]);

impl Stamp {
    fn of(file: &Metadata) -> Self {
        Self([file.ino().into(), file.len().into(), file.mtime().into(), file.mtime_nsec().into()])
    }
}

/// The keys of a file as it was at one time.
pub(super) struct Ring {
    pub(super) keys: Vec<Key>,
    pub(super) stamp: Stamp,
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
    let mut keys = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let malformed = || KeyTrouble::Malformed(path.to_path_buf(), number + 1);
        let (id, key) = line.split_once(' ').ok_or_else(malformed)?;
        let bytes = Zeroizing::new(URL_SAFE_NO_PAD.decode(key.trim()).map_err(|_| malformed())?);
        let bytes: [u8; KEY_BYTES] = bytes.as_slice().try_into().map_err(|_| malformed())?;
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(malformed());
        }
        keys.push(Key::of(id.to_owned(), Zeroizing::new(bytes)));
    }
    if keys.is_empty() {
        return Err(KeyTrouble::Empty(path.to_path_buf()));
    }
    Ok(Ring { keys, stamp: Stamp::of(&metadata) })
}

/// Makes a ring of one key where there is none. Of several processes that start at once, one makes it for all.
pub(super) fn make(path: &Path, key: &Key) -> Result<(), KeyTrouble> {
    let io = |error| KeyTrouble::Io(path.to_path_buf(), error);
    let beside = path.with_extension(format!("new-{}", key.id));
    fill(&beside, std::slice::from_ref(key)).map_err(io)?;
    // Unlike moving it there, this never puts a ring in the place of another.
    let linked = match std::fs::hard_link(&beside, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    };
    std::fs::remove_file(&beside).and(linked).and_then(|()| sync_folder(path)).map_err(io)
}

/// Writes the ring beside its place and moves it there, so that a crash leaves the old ring or the new one.
pub(super) fn write(path: &Path, keys: &[Key]) -> Result<(), KeyTrouble> {
    let beside = path.with_extension("new");
    let written = fill(&beside, keys).and_then(|()| std::fs::rename(&beside, path)).and_then(|()| sync_folder(path));
    written.map_err(|error| KeyTrouble::Io(path.to_path_buf(), error))
}

fn fill(path: &Path, keys: &[Key]) -> std::io::Result<()> {
    let mut text = Zeroizing::new(String::from(FIRST_LINE));
    for key in keys {
        text.push_str(&key.id);
        text.push(' ');
        URL_SAFE_NO_PAD.encode_string(*key.bytes, &mut text);
        text.push('\n');
    }
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all())
}

fn sync_folder(of: &Path) -> std::io::Result<()> {
    let folder = of.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}
