//! Why the service cannot open its data; each says what to do.

use crate::secrets::dice::NoRandomness;
use crate::secrets::keys::KeyTrouble;
use crate::secrets::passwords::CannotHash;

#[derive(Debug, thiserror::Error)]
pub enum CannotOpen {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Keys(#[from] KeyTrouble),
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
    #[error(transparent)]
    Passwords(#[from] CannotHash),
}
