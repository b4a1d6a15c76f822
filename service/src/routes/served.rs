//! What the service does, read off its list of routes: of which FHIR types it serves what.

use super::list::routes;
use super::route::Route;
use axum::http::Method;
use rules::guidance::promises::{Interaction, Served};
use std::sync::LazyLock;

static SERVED: LazyLock<Served> = LazyLock::new(|| routes().iter().filter_map(interaction).collect());

/// What every service of this build does, sandbox or not.
pub(super) fn served() -> &'static Served {
    &SERVED
}

fn interaction(route: &Route) -> Option<(Interaction, &'static str)> {
    let (resource_type, rest) = match route.path.strip_prefix("/fhir/")?.split_once('/') {
        Some((resource_type, rest)) => (resource_type, rest),
        None => (route.path.strip_prefix("/fhir/")?, ""),
    };
    let interaction = match (&route.method, rest) {
        (&Method::GET, "{id}") => Interaction::Read,
        (&Method::POST, "") => Interaction::Create,
        (&Method::POST, "$read-receipt-query") => Interaction::ReadReceipts,
        _ => return None,
    };
    Some((interaction, resource_type))
}
