//! What a developer is told beside the words of a refusal.

/// What a refusal means, and what its receiver can do. One sentence each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    pub meaning: &'static str,
    pub remedy: &'static str,
}

impl Guidance {
    pub(super) const fn new(meaning: &'static str, remedy: &'static str) -> Self {
        Self { meaning, remedy }
    }
}

/// What stands in a specimen where the words vary with the request.
pub(super) const VARIES: &str = "…";
