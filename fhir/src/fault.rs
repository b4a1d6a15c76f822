//! Why a text is no resource that can be stored.

/// What is wrong, in words for whoever sent the text.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("{0}")]
    NotJson(String),
    #[error("{0}")]
    BreaksRule(String),
}
