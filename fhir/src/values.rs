//! Values that can be compared: folded text, spans of time, numbers with their precision, quantities in canonical units.

pub mod date;
pub mod folding;
pub mod magnitude;
pub mod span;
pub mod unit;
pub mod unit_atoms;
