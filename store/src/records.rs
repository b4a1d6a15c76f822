//! The records: reading, searching and writing resources, always within a caller's reach.

pub mod documents;
pub mod export;
pub mod history;
pub mod identities;
pub mod index;
pub mod messages;
pub mod ownership;
pub mod presence;
pub mod reach;
pub mod read;
pub mod search;
pub mod sharing;
pub mod stored;
pub mod write;
