//! The key ring vouches for months of the ledger, to a store that knows no keys.

use super::state::Shared;
use crate::secrets::keys::Keys;
use store::ledger::{Notary, Seal, SealState};

impl Notary for Keys {
    fn seal(&self, content: &[u8]) -> Option<Seal> {
        self.vouch(content).map(|(key, tag)| Seal { key, tag })
    }

    fn examine(&self, content: &[u8], seal: &Seal) -> SealState {
        match self.has_vouched(&seal.key, content, &seal.tag) {
            Some(true) => SealState::Good,
            Some(false) => SealState::Broken,
            None => SealState::OtherKey,
        }
    }
}

impl Notary for Shared {
    fn seal(&self, content: &[u8]) -> Option<Seal> {
        Notary::seal(&self.keys, content)
    }

    fn examine(&self, content: &[u8], seal: &Seal) -> SealState {
        Notary::examine(&self.keys, content, seal)
    }
}
