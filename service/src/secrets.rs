//! Secrets, and what is made with them: randomness, the key ring, sealed tokens, passwords, and the throttle on guessing.

pub mod dice;
mod key;
mod key_file;
pub mod keys;
pub mod passwords;
pub mod secret;
pub mod throttle;
pub mod tokens;
