//! A sealing key, with the ciphers made from it.

use super::dice::{self, NoRandomness};
use aes_siv::KeyInit;
use aes_siv::siv::Aes256Siv;
use ring::hmac;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

pub(super) const KEY_BYTES: usize = 64;

/// One sealing key.
pub(super) struct Key {
    pub(super) id: String,
    pub(super) bytes: Zeroizing<[u8; KEY_BYTES]>,
    /// Made from the bytes once, because spreading a key out costs as much as sealing with it; a few of them, because
    /// each is used by one request at a time.
    ciphers: Vec<Mutex<Aes256Siv>>,
}

/// More threads than this hardly seal at one moment; those that do wait a microsecond.
const CIPHERS: usize = 8;

thread_local! {
    /// Which of a key's ciphers this thread uses: one that no other thread does, while there are enough.
    static PLACE: usize = {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        NEXT.fetch_add(1, Ordering::Relaxed) % CIPHERS
    };
}

impl Key {
    /// A key of random bytes under a random id.
    pub(super) fn new() -> Result<Self, NoRandomness> {
        let id: String = dice::bytes::<3>()?.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self::of(id, Zeroizing::new(dice::bytes()?)))
    }

    pub(super) fn of(id: String, bytes: Zeroizing<[u8; KEY_BYTES]>) -> Self {
        let ciphers = (0..CIPHERS).map(|_| Mutex::new(Aes256Siv::new((&*bytes).into()))).collect();
        Self { id, bytes, ciphers }
    }

    /// Whether both are the same key under the same id.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.id == other.id && bool::from(self.bytes.ct_eq(&*other.bytes))
    }

    /// What a database knows the key by: made with the key and a name that nothing else is made with, so that it neither
    /// helps to find the key nor is good for anything else.
    pub(super) fn fingerprint(&self) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &*self.bytes);
        let tag = hmac::sign(&key, format!("recordgate key ring fingerprint\0{}", self.id).as_bytes());
        tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(super) fn cipher(&self) -> Option<MutexGuard<'_, Aes256Siv>> {
        let cipher = PLACE.with(|place| self.ciphers.get(*place));
        cipher.map(|cipher| cipher.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
