//! The key ring: the sealing keys in a file of their own, never in the database. The last key seals, all of them open.
//! Whoever holds this file and the database can make tokens; either alone cannot.
//!
//! Many processes may share one file. Each keeps the ring in memory and reads it again when the file has changed.

use super::key::Key;
pub use super::key_file::KeyTrouble;
use super::key_file::{self as file, Ring};
use aes_siv::siv::IV_SIZE;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rules::moment::Moment;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::UNIX_EPOCH;

/// The ring in use; shared by all requests, replaced as a whole when it changes.
pub struct Keys {
    path: PathBuf,
    ring: RwLock<Ring>,
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
            file::make(path, &Key::new()?)?;
        }
        let ring = file::read(path)?;
        Ok(Self { path: path.to_path_buf(), ring: RwLock::new(ring) })
    }

    /// The ids of the keys, the sealing one last.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        self.ring().keys.iter().map(|key| key.id.clone()).collect()
    }

    /// When the file was changed last: by a rotation, most likely.
    #[must_use]
    pub fn changed_at(&self) -> Option<Moment> {
        let changed = std::fs::metadata(&self.path).and_then(|file| file.modified()).ok()?;
        let since = changed.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(since.as_millis()).ok().map(Moment)
    }

    /// Adds a new key, which seals from now on; the others still open what they sealed.
    pub fn rotate(&self) -> Result<String, KeyTrouble> {
        let mut keys = file::read(&self.path)?.keys;
        let key = Key::new()?;
        let id = key.id.clone();
        keys.push(key);
        self.write(&keys)?;
        Ok(id)
    }

    /// Removes a key: what it sealed can no longer be opened.
    pub fn retire(&self, id: &str) -> Result<(), KeyTrouble> {
        let mut keys = file::read(&self.path)?.keys;
        if keys.last().is_some_and(|key| key.id == id) {
            return Err(KeyTrouble::InUse(id.into()));
        }
        let before = keys.len();
        keys.retain(|key| key.id != id);
        if keys.len() == before {
            return Err(KeyTrouble::NoSuchKey(id.into()));
        }
        self.write(&keys)
    }

    /// Reads the file again if it has changed, and tells whether it had. A file that will not do leaves the ring as it is.
    pub fn reread(&self) -> Result<bool, KeyTrouble> {
        if file::stamp(&self.path)? == self.ring().stamp {
            return Ok(false);
        }
        self.take(file::read(&self.path)?);
        Ok(true)
    }

    fn write(&self, keys: &[Key]) -> Result<(), KeyTrouble> {
        file::write(&self.path, keys)?;
        self.take(file::read(&self.path)?);
        Ok(())
    }

    fn take(&self, ring: Ring) {
        *self.ring.write().unwrap_or_else(PoisonError::into_inner) = ring;
    }

    fn ring(&self) -> RwLockReadGuard<'_, Ring> {
        self.ring.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Seals `content` as `<prefix><key id>_<base64url>`. The same content gives the same text.
    #[must_use]
    pub fn seal(&self, prefix: &str, content: &[u8]) -> Option<String> {
        let ring = self.ring();
        let key = ring.keys.last()?;
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
        if !ring.keys.iter().any(|key| key.id == id) {
            drop(ring);
            self.reread().ok().filter(|changed| *changed)?;
            ring = self.ring();
        }
        let key = ring.keys.iter().find(|key| key.id == id)?;
        let head = text.get(..text.len().checked_sub(sealed.len())?)?;
        let mut content = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        key.cipher()?.decrypt_in_place([head.as_bytes()], &mut content).ok()?;
        Some(content)
    }
}

/// Whether the ring `from` can be used, and `to` is free for it or the same ring already.
pub fn fits(from: &Path, to: &Path) -> Result<(), KeyTrouble> {
    let here = file::read(from)?.keys;
    if !to.exists() {
        return Ok(());
    }
    let there = file::read(to)?.keys;
    let same = here.len() == there.len() && here.iter().zip(&there).all(|(a, b)| a.id == b.id && a.bytes == b.bytes);
    if same { Ok(()) } else { Err(KeyTrouble::Another(to.to_path_buf(), from.to_path_buf())) }
}

/// Copies the ring `from` to the place `to`, unless it is there already.
pub fn copy(from: &Path, to: &Path) -> Result<(), KeyTrouble> {
    fits(from, to)?;
    if to.exists() { Ok(()) } else { file::write(to, &file::read(from)?.keys) }
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
