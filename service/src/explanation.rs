//! Why somebody sees an item, or does not: told to operators (`recordgate why`) and to the patient whose record it is.

pub(crate) mod answer;
pub mod explained;
pub(crate) mod known_viewer;
pub mod viewer_name;
