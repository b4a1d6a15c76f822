//! One thing that is wrong with a store, in words.

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The row or the file: `Patient/123`, `records.sqlite`.
    pub at: String,
    pub problem: String,
}

impl Fault {
    pub(crate) fn new(at: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { at: at.into(), problem: problem.into() }
    }
}
