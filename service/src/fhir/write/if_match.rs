//! What a request demands of what is there before it is done: `If-Match`.

use crate::interactions::write::version_demand::demand;
use axum::http::{HeaderMap, header};
use rules::answers::Refusal;
use store::write::resource_write::Demand;

/// The version that `If-Match` demands, as an `ETag` of ours names it: `W/"3"`; `*` is any.
pub(crate) fn if_match(headers: &HeaderMap) -> Result<Demand, Refusal> {
    let mut all = headers.get_all(header::IF_MATCH).iter();
    let Some(first) = all.next() else { return Ok(Demand::Nothing) };
    let demand = first.to_str().ok().filter(|_| all.next().is_none()).and_then(demand);
    demand.ok_or_else(|| Refusal::Invalid("If-Match must be one ETag of a version, for example W/\"3\", or *".into()))
}

/// Refuses conditions that this interaction does not know, so that nobody takes them for heeded.
pub(crate) fn refuse(headers: &HeaderMap, unknown: &[&'static str]) -> Result<(), Refusal> {
    match unknown.iter().find(|name| headers.contains_key(**name)) {
        Some(name) => Err(Refusal::Invalid(format!("this is not done on the condition {name}; leave it out"))),
        None => Ok(()),
    }
}
