//! The key ring: the sealing keys in a file of their own, never in the database.
//!
//! Each line is `<key id> <64 bytes in base64url>`; the last one seals, all of them open. Whoever holds this file and
//! the database can make tokens; either alone cannot.

use crate::dice::{self, NoRandomness};
use aes_siv::KeyInit;
use aes_siv::siv::Aes256Siv;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use zeroize::Zeroizing;

const FIRST_LINE: &str =
    "# recordgate key ring: keep this file secret, and keep it apart from backups of the database\n";
const KEY_BYTES: usize = 64;

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

struct Key {
    id: String,
    bytes: Zeroizing<[u8; KEY_BYTES]>,
}

/// The ring in use; shared by all requests, replaced as a whole when it changes.
pub struct Keys {
    path: PathBuf,
    ring: RwLock<Arc<Vec<Key>>>,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Keys({})", self.path.display())
    }
}

impl Keys {
    /// Opens the ring, or makes it on first start. A ring that is missing while sessions exist is not made anew.
    pub fn open(path: &Path, sessions_exist: bool) -> Result<Self, KeyTrouble> {
        if !path.exists() {
            if sessions_exist {
                return Err(KeyTrouble::Missing(path.to_path_buf()));
            }
            write(path, &[new_key()?])?;
        }
        let ring = read(path)?;
        Ok(Self { path: path.to_path_buf(), ring: RwLock::new(Arc::new(ring)) })
    }

    /// The ids of the keys, the sealing one last.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        self.ring().iter().map(|key| key.id.clone()).collect()
    }

    /// Adds a new key, which seals from now on; the others still open what they sealed.
    pub fn rotate(&self) -> Result<String, KeyTrouble> {
        let mut keys = read(&self.path)?;
        let key = new_key()?;
        let id = key.id.clone();
        keys.push(key);
        self.replace(keys)?;
        Ok(id)
    }

    /// Removes a key: what it sealed can no longer be opened.
    pub fn retire(&self, id: &str) -> Result<(), KeyTrouble> {
        let mut keys = read(&self.path)?;
        if keys.last().is_some_and(|key| key.id == id) {
            return Err(KeyTrouble::InUse(id.into()));
        }
        let before = keys.len();
        keys.retain(|key| key.id != id);
        if keys.len() == before {
            return Err(KeyTrouble::NoSuchKey(id.into()));
        }
        self.replace(keys)
    }

    fn replace(&self, keys: Vec<Key>) -> Result<(), KeyTrouble> {
        write(&self.path, &keys)?;
        *self.ring.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
        Ok(())
    }

    fn ring(&self) -> Arc<Vec<Key>> {
        self.ring.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Seals `content` as `<prefix><key id>_<base64url>`. The same content gives the same text.
    #[must_use]
    pub fn seal(&self, prefix: &str, content: &[u8]) -> Option<String> {
        let ring = self.ring();
        let key = ring.last()?;
        let head = format!("{prefix}{}_", key.id);
        let sealed = Aes256Siv::new((&*key.bytes).into()).encrypt([head.as_bytes()], content).ok()?;
        let mut text = head;
        URL_SAFE_NO_PAD.encode_string(sealed, &mut text);
        Some(text)
    }

    /// Opens what `seal` made with the same prefix; `None` for anything else.
    #[must_use]
    pub fn open_sealed(&self, prefix: &str, text: &str) -> Option<Vec<u8>> {
        let (id, sealed) = text.strip_prefix(prefix)?.split_once('_')?;
        let ring = self.ring();
        let key = ring.iter().find(|key| key.id == id)?;
        let head = text.get(..text.len().checked_sub(sealed.len())?)?;
        let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        Aes256Siv::new((&*key.bytes).into()).decrypt([head.as_bytes()], &sealed).ok()
    }
}

/// Whether the ring `from` can be used, and `to` is free for it or the same ring already.
pub fn fits(from: &Path, to: &Path) -> Result<(), KeyTrouble> {
    let here = read(from)?;
    if !to.exists() {
        return Ok(());
    }
    let there = read(to)?;
    let same = here.len() == there.len() && here.iter().zip(&there).all(|(a, b)| a.id == b.id && a.bytes == b.bytes);
    if same { Ok(()) } else { Err(KeyTrouble::Another(to.to_path_buf(), from.to_path_buf())) }
}

/// Copies the ring `from` to the place `to`, unless it is there already.
pub fn copy(from: &Path, to: &Path) -> Result<(), KeyTrouble> {
    fits(from, to)?;
    if to.exists() { Ok(()) } else { write(to, &read(from)?) }
}

fn new_key() -> Result<Key, NoRandomness> {
    let id: String = dice::bytes::<3>()?.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Key { id, bytes: Zeroizing::new(dice::bytes()?) })
}

fn read(path: &Path) -> Result<Vec<Key>, KeyTrouble> {
    let io = |error| KeyTrouble::Io(path.to_path_buf(), error);
    let mut file = File::open(path).map_err(io)?;
    let mode = file.metadata().map_err(io)?.permissions().mode() & 0o777;
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
        keys.push(Key { id: id.to_owned(), bytes: Zeroizing::new(bytes) });
    }
    if keys.is_empty() { Err(KeyTrouble::Empty(path.to_path_buf())) } else { Ok(keys) }
}

/// Writes the ring beside its place and moves it there, so that a crash leaves the old ring or the new one.
fn write(path: &Path, keys: &[Key]) -> Result<(), KeyTrouble> {
    let io = |error| KeyTrouble::Io(path.to_path_buf(), error);
    let mut text = Zeroizing::new(String::from(FIRST_LINE));
    for key in keys {
        text.push_str(&key.id);
        text.push(' ');
        URL_SAFE_NO_PAD.encode_string(*key.bytes, &mut text);
        text.push('\n');
    }
    let beside = path.with_extension("new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside).map_err(io)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(io)?;
    std::fs::rename(&beside, path).map_err(io)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)
}
