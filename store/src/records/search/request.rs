//! What is wanted of a search, and what it finds.

use super::sort::Cursor;
use crate::records::stored::resource::Resource;
use fhir::search::controls::SortKey;
use fhir::search::query::Query;
use std::sync::Arc;

/// A page to find.
#[derive(Clone, Debug)]
pub struct Search<'q> {
    pub query: &'q Query,
    /// Most important first; without any, the newest is first.
    pub sort: &'q [SortKey],
    pub after: Option<Cursor>,
    /// Without an order of values, only what is newer than this row.
    pub floor: Option<i64>,
    pub limit: i64,
}

/// A resource that was found, and where in the order.
#[derive(Clone, Debug)]
pub struct Match {
    pub resource: Arc<Resource>,
    pub place: Cursor,
}
