//! How much a resource may hold. The numbers are rules of the caller; here they are only kept.

/// The limits that a resource is held to.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Levels of nesting.
    pub depth: usize,
    /// Rows of the token index.
    pub tokens: usize,
    /// Bytes of a token's system, and of its value.
    pub token_bytes: usize,
}
