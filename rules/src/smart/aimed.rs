//! A lens as one interaction looks through it.

use crate::ids::PatientId;
use crate::smart::lens::{Lens, Opened};
use crate::smart::permissions::Permissions;
use crate::smart::query::ItemCode;
use alloc::sync::Arc;

/// A lens, and what is needed of the scopes that open an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AimedLens {
    lens: Arc<Lens>,
    needed: Permissions,
}

/// What a lens needs to know of an item.
#[derive(Clone, Copy, Debug)]
pub struct LensedItem<'i> {
    /// The name of its type.
    pub of: &'i str,
    pub patients: &'i [PatientId],
    pub is_directory: bool,
    /// By which the queries of scopes find it.
    pub codes: &'i [ItemCode],
}

impl AimedLens {
    /// Whoever says nothing of an interaction sees what may be read and found.
    #[must_use]
    pub const fn new(lens: Arc<Lens>) -> Self {
        Self { lens, needed: Permissions::READ }
    }

    /// The same lens for what needs these permissions.
    #[must_use]
    pub fn to(&self, needed: Permissions) -> Self {
        Self { lens: self.lens.clone(), needed }
    }

    #[must_use]
    pub fn lens(&self) -> &Lens {
        &self.lens
    }

    /// What is needed.
    #[must_use]
    pub const fn needed(&self) -> Permissions {
        self.needed
    }

    #[must_use]
    pub fn opens(&self, of: &str) -> Opened<'_> {
        self.lens.opens(of, self.needed)
    }

    /// Whether it opens an item. Whoever sees an item by reach sees it through the lens only if this holds as well.
    #[must_use]
    pub fn shows(&self, item: LensedItem<'_>) -> bool {
        let ways = match self.opens(item.of) {
            Opened::Nothing => return false,
            Opened::All => return true,
            Opened::Some(ways) => ways,
        };
        let is_everybodys = item.patients.is_empty() && item.is_directory;
        ways.iter().any(|way| {
            way.patient.is_none_or(|patient| is_everybodys || item.patients.contains(&patient))
                && way.query.is_none_or(|query| query.finds(item.codes))
        })
    }
}
