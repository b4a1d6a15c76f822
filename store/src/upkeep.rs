//! What keeps a store in order: sweeping, settings, the declared world, backup, moving, and reading rows of the release
//! before anew.

pub mod backup;
mod comparison;
pub mod content;
pub mod filling;
pub mod journeys;
pub mod moving;
pub mod parts;
pub mod rehearsal;
pub mod reindex;
pub mod release;
pub mod relocation;
pub mod ring;
pub mod settings;
pub mod signing_keys;
pub mod sweep;
pub mod world;
