//! The part of FHIRPath that paths of patches are made of.

use crate::json::Node;

/// Steps from the resource to what is meant.
#[derive(Clone, Debug)]
pub(super) struct Path(pub Vec<Step>);

/// One step.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// `name`; the name of the type itself, at the beginning.
    Member(String),
    /// `[2]`
    Index(usize),
    /// `first()`
    First,
    /// `last()`
    Last,
    /// `ofType(Quantity)`
    OfType(String),
    /// `where(use = 'official' and …)`, and `extension('url')`, which is short for one.
    Where(Vec<Condition>),
}

/// `use = 'official'`: the path from the item that is looked at, and the one value that it must lead to.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub path: Path,
    pub value: Node<'static>,
}
