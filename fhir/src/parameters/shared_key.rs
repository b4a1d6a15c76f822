//! How the values of a parameter are kept: by itself, or by others that find the same.

use crate::parameters::branch::Branch;
use crate::types::ResourceType;

/// Where values are kept: by which parameter, and among which of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedKey {
    pub number: u32,
    /// The component of a composite, or [`APART`].
    pub facet: u8,
}

/// Values that composites have no part in are kept apart from the others.
pub const APART: u8 = 3;

/// How the values of a parameter are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedKeys {
    /// Its values are those of all these places. A place is a keeper; for a composite, one for each component.
    pub places: Vec<Vec<SharedKey>>,
    /// References to this type are kept by the parameter of this number instead, which has the same element.
    pub instead: Option<(u32, ResourceType)>,
    /// The branches whose values composites have a part in, where there are others too.
    pub shared: Vec<Branch>,
}

impl SharedKeys {
    /// A parameter that keeps its own values.
    pub(crate) fn own(number: u32, components: usize) -> Self {
        let place = (0..).take(components.max(1)).map(|facet| SharedKey { number, facet }).collect();
        Self { places: vec![place], instead: None, shared: Vec::new() }
    }
}
