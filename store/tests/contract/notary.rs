//! Somebody who vouches for months of the ledger, with a key that the database does not have.

use sha2::{Digest, Sha256};
use std::sync::Arc;
use store::ledger::{Notary, Seal, SealState};

/// The name of a key is all there is to it.
#[derive(Debug)]
pub struct Clerk(pub &'static str);

impl Clerk {
    pub fn shared() -> Arc<dyn Notary> {
        Arc::new(Self("key"))
    }
}

impl Notary for Clerk {
    fn seal(&self, content: &[u8]) -> Option<Seal> {
        let tag = Sha256::new().chain_update(self.0).chain_update(content).finalize().to_vec();
        (!self.0.is_empty()).then(|| Seal { key: self.0.into(), tag })
    }

    fn examine(&self, content: &[u8], seal: &Seal) -> SealState {
        match self.seal(content) {
            Some(own) if own.key != seal.key => SealState::OtherKey,
            Some(own) if own.tag == seal.tag => SealState::Good,
            _ => SealState::Broken,
        }
    }
}
