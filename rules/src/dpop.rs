//! Proofs that a client holds a key (DPoP, RFC 9449): what one must say, which URL it may name, and what is wrong with others.

pub mod fault;
pub mod proof;
pub mod target;
