//! How much a resource may hold. The numbers are rules of the caller; here they are only kept.

/// The shape that a JSON text may have. Both numbers bound what its tree takes: a value of one byte is a node of many.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Levels of nesting.
    pub depth: usize,
    /// Values of all sorts, at all levels.
    pub values: usize,
}

/// The limits that a resource is held to.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub shape: Shape,
    /// Rows of the token index.
    pub tokens: usize,
    /// Bytes of a token's system, and of its value.
    pub token_bytes: usize,
}
