//! What became of a resource that was to be stored, as the answer to a write tells of it.

use rules::moment::Moment;

/// What became of one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Stored as this version.
    Version(i64),
    /// The same content was there already.
    Unchanged,
    /// There already, from another source: only the same source may change it.
    OtherSource,
    /// There in another version than the one that was demanded, or not there at all.
    OtherVersion,
    /// A message that was sent, which nobody changes.
    Sent,
    /// It says a label that its writer does not hold.
    LabelNotHeld,
}

/// A stored version, as the answer to a write tells of it.
#[derive(Clone, Debug)]
pub struct Stored {
    pub outcome: Outcome,
    /// The version that is there now, and since when.
    pub version: i64,
    pub updated_at: Moment,
    /// Whether nothing was there before, or only what was deleted.
    pub is_new: bool,
    /// That of a Binary is without its content.
    pub body: String,
}
