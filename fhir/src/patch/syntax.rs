//! The part of FHIRPath that paths of patches are made of.

use crate::json::Node;

/// Steps from the resource to what is meant.
#[derive(Clone, Debug)]
pub(super) struct ElementPath(pub Vec<PathStep>);

/// One step.
#[derive(Clone, Debug)]
pub(super) enum PathStep {
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
    Where(Vec<Equation>),
}

/// `use = 'official'`: the path from the item that is looked at, and the one value that it must lead to.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    pub path: ElementPath,
    pub value: Node<'static>,
}
