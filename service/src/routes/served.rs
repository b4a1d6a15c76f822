//! What the service does, read off its list of routes: of which FHIR types it serves what.

use super::list::routes;
use super::route::Route;
use axum::http::Method;
use fhir::types::{self, ResourceType};
use rules::guidance::promises::{Interaction, Level, Served};
use std::sync::LazyLock;

static SERVED: LazyLock<Served> = LazyLock::new(|| {
    let routes = routes();
    let every =
        types::all().flat_map(|of| routes.iter().filter_map(move |route| Some((interaction(route, of)?, of.name()))));
    let system = routes.iter().filter_map(|route| Some((system_operation(route)?, "")));
    let mut served: Vec<(Interaction, &str)> = Vec::new();
    for one in every.chain(system) {
        if !served.contains(&one) {
            served.push(one);
        }
    }
    served.into_iter().collect()
});

/// What every service of this build does, sandbox or not.
pub(super) fn served() -> &'static Served {
    &SERVED
}

/// What a route does with a type, if it does anything with it.
fn interaction(route: &Route, of: ResourceType) -> Option<Interaction> {
    let path = route.path.strip_prefix("/fhir/")?;
    let (named, rest) = path.split_once('/').unwrap_or((path, ""));
    let is_of = named == of.name() || (named == "{type}" && !route.except.contains(&of.name()));
    let interaction = match (&route.method, rest) {
        (&Method::GET, "{id}") => Interaction::Read,
        (&Method::GET, "{id}/_history/{version}") => Interaction::VersionRead,
        (&Method::GET, "{id}/_history") => Interaction::History,
        (&Method::POST, "") => Interaction::Create,
        (&Method::PUT, "{id}") => Interaction::Update,
        (&Method::PATCH, "{id}") => Interaction::Patch,
        (&Method::DELETE, "{id}") => Interaction::Delete,
        (&Method::GET, "") => Interaction::Search,
        _ => operation(rest)?,
    };
    is_of.then_some(interaction)
}

/// An operation of a type or of an instance, by what its path has behind the type.
fn operation(rest: &'static str) -> Option<Interaction> {
    let (level, name) = match rest.strip_prefix("{id}/") {
        Some(name) => (Level::Instance, name),
        None => (Level::Type, rest),
    };
    Some(Interaction::Operation(name.strip_prefix('$')?, level))
}

/// An operation of the service itself.
fn system_operation(route: &Route) -> Option<Interaction> {
    Some(Interaction::Operation(route.path.strip_prefix("/fhir/$")?, Level::System))
}
