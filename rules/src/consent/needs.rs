//! Needs: which labels it takes to see an item by consent, where its own label does not say it alone.

use crate::labels::{Label, Needs};

/// An item, as far as its needs depend on it.
#[derive(Clone, Copy, Debug)]
pub enum NeedySort<'n> {
    /// An item of a type, with its label or without one.
    Item(&'n str, Option<Label>),
    /// A Binary, and the needs of each DocumentReference or Communication that holds it.
    Binary(&'n [Needs]),
    /// A Provenance, and the needs of each of its targets; its own label is ignored.
    Provenance(&'n [Needs]),
}

/// What an item needs. Drafts and private messages need what their label says; that nobody else sees them is a matter of rights.
#[must_use]
pub fn of(sort: NeedySort<'_>) -> Needs {
    match sort {
        NeedySort::Item("Patient", _) => Needs::NONE,
        NeedySort::Item("AuditEvent", _) => Needs::SELF_ONLY,
        NeedySort::Item("Consent", _) => Needs::ALL,
        NeedySort::Item(_, label) => Needs::of(label),
        // Of several that hold one content, whoever sees any opens it: that is asked of each. Asked of all at once, it is the
        // bits of all. One that nothing holds is in nobody's record, so that its source alone sees it.
        NeedySort::Binary(others) | NeedySort::Provenance(others) => together(others),
    }
}

/// The bits of all; of nothing that is known, all four.
fn together(all: &[Needs]) -> Needs {
    if all.is_empty() { Needs::ALL } else { Needs(all.iter().fold(0, |bits, needs| bits | needs.0)) }
}
