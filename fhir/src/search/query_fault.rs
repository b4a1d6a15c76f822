//! Why a parameter of a query cannot be answered.

/// What is wrong with a parameter, in words for whoever sent it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {words}")]
pub struct QueryFault {
    /// The parameter as it was sent, without its value.
    pub name: String,
    pub words: String,
}
