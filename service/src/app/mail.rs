//! Mail to people: where it goes, what it says, how it is sent.

pub mod letter;
pub mod settings;
pub mod smtp;
