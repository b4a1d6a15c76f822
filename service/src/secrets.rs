//! Secrets, and what is made with them: randomness, the key ring, sealed tokens, passwords, clients' keys and what they sign, and the throttle on guessing.

pub mod assertion;
pub mod dice;
pub mod fetched_key_set;
pub mod id_token_hint;
pub mod invitation;
mod key;
mod key_file;
mod key_line;
pub mod key_proof;
pub mod key_set;
mod key_trouble;
pub mod keys;
pub mod passkey;
pub mod passwords;
pub mod public_key;
pub mod queue;
mod root_seal;
pub mod secret;
mod signatures;
pub mod signing_key;
pub mod throttle;
pub mod tokens;
pub mod totp;
