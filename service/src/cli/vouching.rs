//! The key ring, for commands that check who made the roots of the ledger's months, where it is at hand.

use crate::app::config::Config;
use crate::secrets::keys::Keys;
use store::ledger::Notary;

/// The ring, or why there is none.
pub(super) struct Vouching(Result<Keys, String>);

impl Vouching {
    pub(super) fn of(config: &Config) -> Self {
        let keys = Keys::open_if_there(&config.keys).map_err(|trouble| trouble.to_string());
        Self(keys.and_then(|keys| match keys.ids().is_empty() {
            true => Err(format!("there is no key ring in {}", config.keys.display())),
            false => Ok(keys),
        }))
    }

    pub(super) fn notary(&self) -> Option<&dyn Notary> {
        self.0.as_ref().ok().map(|keys| keys as &dyn Notary)
    }

    pub(super) fn absence(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }
}
