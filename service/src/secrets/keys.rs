//! The key ring: the sealing keys in a file of their own, never in the database. The last key seals, all of them open.
//! Whoever holds this file and the database can make tokens; either alone cannot.
//!
//! Many processes may share one file. Each keeps the ring in memory and reads it again when the file has changed.

use super::key::Key;
pub use super::key_file::Ring;
use super::key_file::{self as file, Stamp};
pub use super::key_trouble::KeyTrouble;
use aes_siv::siv::IV_SIZE;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rules::moment::Moment;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::UNIX_EPOCH;

/// The ring in use; shared by all requests, replaced as a whole when it changes.
pub struct Keys {
    path: PathBuf,
    ring: RwLock<Rings>,
}

struct Rings {
    /// What seals and opens. It may be without keys where a command works on a ring that is lost.
    in_force: Ring,
    /// Keys of a file that was changed a moment ago and not yet held to what the database knows. They open and do not seal.
    visitors: Vec<Key>,
    /// A file that was looked at and refused.
    refused: Option<Stamp>,
}

/// Held while a ring is changed: one process at a time.
#[derive(Debug)]
pub struct RingLock(#[expect(dead_code, reason = "it is held, not used")] std::fs::File);

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Keys({})", self.path.display())
    }
}

impl Keys {
    /// Opens the ring, or makes it on first start, for the store of this id. A ring that is missing where one is expected,
    /// because sessions exist or the database knows its keys, is not made anew.
    pub fn open(path: &Path, is_expected: bool, store: Option<&str>) -> Result<Self, KeyTrouble> {
        if !path.exists() {
            if is_expected {
                return Err(KeyTrouble::Missing(path.to_path_buf()));
            }
            file::make(path, &Key::new()?, store)?;
        }
        Ok(Self::of(path, file::read(path)?))
    }

    /// Opens the ring if there is one, for a command that puts a lost or refused one right.
    pub fn open_if_there(path: &Path) -> Result<Self, KeyTrouble> {
        match file::read(path) {
            Err(KeyTrouble::Io(_, error)) if error.kind() == ErrorKind::NotFound => Ok(Self::of(path, Ring::none())),
            ring => Ok(Self::of(path, ring?)),
        }
    }

    fn of(path: &Path, in_force: Ring) -> Self {
        let rings = Rings { in_force, visitors: Vec::new(), refused: None };
        Self { path: path.to_path_buf(), ring: RwLock::new(rings) }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The ids of the keys, the sealing one last.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        self.ring().in_force.keys.iter().map(|key| key.id.clone()).collect()
    }

    /// The ring as its file has it.
    pub fn read(&self) -> Result<Ring, KeyTrouble> {
        file::read(&self.path)
    }

    /// When the file was changed last: by a rotation, most likely.
    #[must_use]
    pub fn changed_at(&self) -> Option<Moment> {
        let changed = std::fs::metadata(&self.path).and_then(|file| file.modified()).ok()?;
        let since = changed.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(since.as_millis()).ok().map(Moment)
    }

    /// The ring as its file has it, if that is another than the one in force.
    pub fn changed(&self) -> Result<Option<Ring>, KeyTrouble> {
        if file::stamp(&self.path)? != self.ring().in_force.stamp {
            return self.read().map(Some);
        }
        if self.is_refused() {
            self.rings().refused = None;
        }
        Ok(None)
    }

    /// Puts a ring in force.
    pub fn take(&self, ring: Ring) {
        *self.rings() = Rings { in_force: ring, visitors: Vec::new(), refused: None };
    }

    /// Keeps what is in force, and opens nothing by a file that will not do.
    pub fn refuse(&self) {
        let refused = file::stamp(&self.path).ok();
        let mut rings = self.rings();
        rings.visitors.clear();
        rings.refused = refused;
    }

    /// Whether the file in the ring's place was refused.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.ring().refused.is_some()
    }

    /// Writes a ring to the file, and puts it in force here.
    pub fn write(&self, ring: &Ring) -> Result<(), KeyTrouble> {
        file::write(&self.path, &ring.keys, ring.store.as_deref())?;
        self.take(self.read()?);
        Ok(())
    }

    fn ring(&self) -> RwLockReadGuard<'_, Rings> {
        self.ring.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn rings(&self) -> RwLockWriteGuard<'_, Rings> {
        self.ring.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the key that seals to whoever makes something of it.
    pub(super) fn with_sealing<T>(&self, make: impl FnOnce(&Key) -> T) -> Option<T> {
        self.ring().in_force.keys.last().map(make)
    }

    /// Gives the key of this id, where the ring has it.
    pub(super) fn with_key<T>(&self, id: &str, make: impl FnOnce(&Key) -> T) -> Option<T> {
        self.ring().find(id).map(make)
    }

    /// Whether a key that is not known is one that another process has just added to the file. What is in force must all
    /// be in it still: a file that is another ring altogether is not opened by.
    fn visit(&self, id: &str) -> bool {
        let stamp = file::stamp(&self.path).ok();
        if stamp.is_none() || stamp == self.ring().refused {
            return false;
        }
        let Ok(Some(file)) = self.changed() else { return false };
        let mut rings = self.rings();
        let is_more = rings.in_force.keys.iter().all(|key| file.keys.iter().any(|other| key.is(other)));
        if is_more {
            rings.visitors = file.keys;
        }
        rings.visitors.iter().any(|key| key.id == id)
    }

    /// Seals `content` as `<prefix><key id>_<base64url>`. The same content gives the same text.
    #[must_use]
    pub fn seal(&self, prefix: &str, content: &[u8]) -> Option<String> {
        let ring = self.ring();
        let key = ring.in_force.keys.last()?;
        let encoded = base64::encoded_len(content.len() + IV_SIZE, false)?;
        let mut text = String::with_capacity(prefix.len() + key.id.len() + "_".len() + encoded);
        text.extend([prefix, &key.id, "_"]);
        let sealed = key.cipher()?.encrypt([text.as_bytes()], content).ok()?;
        URL_SAFE_NO_PAD.encode_string(sealed, &mut text);
        Some(text)
    }

    /// Opens what `seal` made with the same prefix; `None` for anything else. A key that is not known yet may be one that
    /// another process has just added to the file.
    #[must_use]
    pub fn open_sealed(&self, prefix: &str, text: &str) -> Option<Vec<u8>> {
        let (id, sealed) = text.strip_prefix(prefix)?.split_once('_')?;
        let mut ring = self.ring();
        if ring.find(id).is_none() {
            drop(ring);
            if !self.visit(id) {
                return None;
            }
            ring = self.ring();
        }
        let key = ring.find(id)?;
        let head = text.get(..text.len().checked_sub(sealed.len())?)?;
        let mut content = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        key.cipher()?.decrypt_in_place([head.as_bytes()], &mut content).ok()?;
        Some(content)
    }
}

impl Rings {
    fn find(&self, id: &str) -> Option<&Key> {
        self.in_force.keys.iter().chain(&self.visitors).find(|key| key.id == id)
    }
}

/// Holds the ring in this file against other processes that would change it. Waits for them, so call it from a thread
/// that may.
pub fn lock(path: &Path) -> Result<RingLock, KeyTrouble> {
    file::lock(path).map(RingLock)
}

/// Whether the ring `from` can be used, and `to` is free for it or the same ring already.
pub fn fits(from: &Path, to: &Path) -> Result<(), KeyTrouble> {
    let here = file::read(from)?.keys;
    if !to.exists() {
        return Ok(());
    }
    let there = file::read(to)?.keys;
    let same = here.len() == there.len() && here.iter().zip(&there).all(|(a, b)| a.is(b));
    if same { Ok(()) } else { Err(KeyTrouble::Another(to.to_path_buf(), from.to_path_buf())) }
}

/// Copies the ring `from` to the place `to`, unless it is there already.
pub fn copy(from: &Path, to: &Path) -> Result<(), KeyTrouble> {
    fits(from, to)?;
    if to.exists() {
        return Ok(());
    }
    let ring = file::read(from)?;
    file::write(to, &ring.keys, ring.store.as_deref())
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
