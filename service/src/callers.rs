//! Who calls: bearers of tokens and signed-in people. Building one is the authorisation.

pub mod caller;
pub(crate) mod cookies;
pub mod sign_in;
