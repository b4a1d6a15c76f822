//! What a create stores, written before its transaction: while that is under way, everybody else's writes wait for it.

use super::{origin, packing};
use crate::error::Result;
use crate::store::Store;
use fhir::preparation::Preparation;
use rules::reach::Source;
use std::borrow::Cow;

/// The version that a draft is of.
pub(super) const FIRST: i64 = 1;

/// A resource as its first version will be stored, should it come to that.
pub(super) struct Draft {
    /// The source, as `meta.source` says it.
    pub origin: String,
    pub body: String,
    /// The body as it is stored, where that is not as it is.
    packed: Option<String>,
}

impl Draft {
    /// Of what this source stores at this moment, if the source is known already.
    pub(super) async fn of(store: &Store, content: &Preparation, source: Source, at: &str) -> Result<Option<Self>> {
        let Some(origin) = origin::known(store, source).await? else { return Ok(None) };
        let body = content.body.joined(FIRST, at, &origin);
        let packed = match packing::pack(&body) {
            Cow::Owned(packed) => Some(packed),
            Cow::Borrowed(_) => None,
        };
        Ok(Some(Self { origin, body, packed }))
    }

    /// The body as it is stored.
    pub(super) fn packed(&self) -> &str {
        self.packed.as_deref().unwrap_or(&self.body)
    }
}
