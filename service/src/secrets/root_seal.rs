//! Seals of the ledger's months: authenticated values, made with a key of the ring that is derived for this alone.

use super::key::Key;
use super::keys::Keys;
use ring::hmac;

impl Key {
    /// Derived, so that what seals tokens and what seals months never meet.
    fn for_roots(&self) -> hmac::Key {
        let own = hmac::Key::new(hmac::HMAC_SHA256, &*self.bytes);
        hmac::Key::new(hmac::HMAC_SHA256, hmac::sign(&own, b"recordgate ledger roots").as_ref())
    }
}

impl Keys {
    /// Vouches for a content: the id of the key that seals now, and the seal.
    #[must_use]
    pub fn vouch(&self, content: &[u8]) -> Option<(String, Vec<u8>)> {
        self.with_sealing(|key| (key.id.clone(), hmac::sign(&key.for_roots(), content).as_ref().to_vec()))
    }

    /// Whether the key of this id vouched for the content; none, where the ring has no such key. Takes the same time for
    /// every wrong seal.
    #[must_use]
    pub fn has_vouched(&self, id: &str, content: &[u8], seal: &[u8]) -> Option<bool> {
        self.with_key(id, |key| hmac::verify(&key.for_roots(), content, seal).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use crate::secrets::keys::{Keys, Ring};

    fn keys(directory: &tempfile::TempDir, name: &str) -> Keys {
        Keys::open(&directory.path().join(name), false, Some("store")).unwrap()
    }

    #[test]
    fn a_ring_vouches_for_what_it_sealed_and_for_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let (own, other) = (keys(&directory, "own"), keys(&directory, "other"));
        let (id, seal) = own.vouch(b"a month").unwrap();
        assert_eq!(own.has_vouched(&id, b"a month", &seal), Some(true));
        assert_eq!(own.has_vouched(&id, b"another", &seal), Some(false));
        assert_eq!(own.has_vouched(&id, b"a month", &seal[1..]), Some(false));
        assert_eq!(other.has_vouched(&id, b"a month", &seal), None, "it has no such key");
    }

    #[test]
    fn what_was_sealed_before_a_rotation_is_vouched_for_as_long_as_its_key_is_in_the_ring() {
        let directory = tempfile::tempdir().unwrap();
        let keys = keys(&directory, "keys");
        let (id, seal) = keys.vouch(b"a month").unwrap();
        let mut ring: Ring = keys.read().unwrap();
        let (new, _) = ring.add().unwrap();
        keys.write(&ring).unwrap();
        assert_eq!(keys.vouch(b"a month").unwrap().0, new);
        assert_eq!(keys.has_vouched(&id, b"a month", &seal), Some(true));
        ring = keys.read().unwrap();
        ring.remove(std::slice::from_ref(&id));
        keys.write(&ring).unwrap();
        assert_eq!(keys.has_vouched(&id, b"a month", &seal), None);
    }
}
