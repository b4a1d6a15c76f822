//! What the service does, read off its list of routes: of which FHIR types it serves what.

use super::list::routes;
use super::route::Route;
use crate::interactions::write::request::{NOT_STORED, NOT_WRITTEN};
use crate::reference::inputs;
use axum::http::Method;
use fhir::types::{self, ResourceType};
use rules::guidance::served::{Interaction, Level, Served};
use std::collections::HashSet;
use std::sync::LazyLock;

static SERVED: LazyLock<Served> = LazyLock::new(|| {
    let routes = routes();
    let every = types::all()
        .flat_map(|of| routes.iter().flat_map(move |route| interactions(route, of).map(move |what| (what, of.name()))));
    let of_system = routes.iter().flat_map(of_system).map(|what| (what, Served::SYSTEM));
    let mut known: HashSet<(Interaction, &str)> = HashSet::new();
    let all: Served = every.chain(of_system).filter(|one| known.insert(*one)).collect();
    all.with_directories(types::all().filter(|of| of.is_public()).map(ResourceType::name))
});

/// What a route does that is of no type, or of every type at once.
fn of_system(route: &Route) -> Vec<Interaction> {
    match (&route.method, route.path) {
        (&Method::GET, "/fhir") => vec![Interaction::SystemSearch],
        (&Method::GET, "/fhir/_history") => vec![Interaction::SystemHistory],
        (&Method::POST, "/fhir") => vec![Interaction::Batch, Interaction::Transaction],
        (_, path) => {
            let name = path.strip_prefix("/fhir/$").filter(|name| !name.contains('/'));
            name.map(|name| Interaction::Operation(name, Level::System)).into_iter().collect()
        }
    }
}

/// What every service of this build does, sandbox or not.
pub(super) fn served() -> &'static Served {
    &SERVED
}

/// What a route does with a type, if it does anything with it; a create that takes criteria does two things.
fn interactions(route: &Route, of: ResourceType) -> impl Iterator<Item = Interaction> + use<> {
    let plain = interaction(route, of);
    let takes_criteria = plain == Some(Interaction::Create) && route.takes_header(inputs::IF_NONE_EXIST);
    plain.into_iter().chain(takes_criteria.then_some(Interaction::ConditionalCreate))
}

fn interaction(route: &Route, of: ResourceType) -> Option<Interaction> {
    let path = route.path.strip_prefix("/fhir/")?;
    let (named, rest) = path.split_once('/').unwrap_or((path, ""));
    let is_of = named == of.name() || (named == "{type}" && !route.except.contains(&of.name()));
    let interaction = match (&route.method, rest) {
        (&Method::GET, "{id}") => Interaction::Read,
        (&Method::GET, "{id}/_history/{version}") => Interaction::VersionRead,
        (&Method::GET, "{id}/_history") => Interaction::History,
        (&Method::GET, "_history") => Interaction::TypeHistory,
        (&Method::POST, "") => Interaction::Create,
        (&Method::PUT, "{id}") => Interaction::Update,
        (&Method::PATCH, "{id}") => Interaction::Patch,
        (&Method::DELETE, "{id}") => Interaction::Delete,
        (&Method::PUT, "") => Interaction::ConditionalUpdate,
        (&Method::PATCH, "") => Interaction::ConditionalPatch,
        (&Method::DELETE, "") => Interaction::ConditionalDelete,
        (&Method::GET, "") => Interaction::Search,
        _ => operation(rest)?,
    };
    let is_done = !interaction.is_write() || !NOT_WRITTEN.contains(&of.name());
    let is_done = is_done && (!is_storing(interaction) || !NOT_STORED.contains(&of.name()));
    (is_of && is_done).then_some(interaction)
}

/// Whether something is stored by it.
const fn is_storing(interaction: Interaction) -> bool {
    use Interaction::{ConditionalCreate, ConditionalPatch, ConditionalUpdate, Create, Patch, Update};
    matches!(interaction, Create | Update | Patch)
        || matches!(interaction, ConditionalCreate | ConditionalUpdate | ConditionalPatch)
}

/// An operation of a type or of an instance, by what its path has behind the type.
fn operation(rest: &'static str) -> Option<Interaction> {
    let (level, name) = match rest.strip_prefix("{id}/") {
        Some(name) => (Level::Instance, name),
        None => (Level::Type, rest),
    };
    Some(Interaction::Operation(name.strip_prefix('$')?, level))
}
