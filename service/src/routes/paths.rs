//! What each path answers to: the routes of the list in a tree of paths.

use super::list::{self, FHIR_MISSING, MISSING};
use super::report::method_word;
use super::route::Route;
use crate::app::App;
use crate::app::metrics::RouteMeter;
use crate::http::well_known;
use crate::voices::stop::Voice;
use ::fhir::types::{self, ResourceType};
use axum::http::{HeaderValue, Method};
use matchit::Router;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The routes of a running service, by path.
#[derive(Debug)]
pub(super) struct Paths {
    tree: Router<PathNumber>,
    all: Vec<PathRoutes>,
    /// Where no path fits.
    elsewhere: PathRoutes,
    /// The same below the FHIR API.
    elsewhere_in_fhir: PathRoutes,
}

/// One of the paths of a running service. Whoever keeps it need not borrow from all of them.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathNumber {
    Listed(usize),
    Elsewhere,
    ElsewhereInFhir,
}

/// What a path answers to; a path without routes is not there.
#[derive(Debug)]
pub(super) struct PathRoutes {
    pub voice: Voice,
    pub path: &'static str,
    pub routes: Vec<(Route, Arc<RouteMeter>)>,
    /// Of requests that none of them is for.
    pub meter: Arc<RouteMeter>,
    /// The value of `Allow`.
    pub allowed: HeaderValue,
    /// Whether pages of other origins may call it.
    pub is_open: bool,
    is_of_every_type: bool,
}

/// What a page of another origin may try where nothing is, so that it hears so: every method of the list.
const EVERY_METHOD: HeaderValue = HeaderValue::from_static("GET,HEAD,POST,PUT,PATCH,DELETE");

impl PathRoutes {
    fn missing(app: &App, voice: Voice, path: &'static str) -> Self {
        let meter = app.metrics.meter(voice.label(), "other", path);
        let (is_open, is_of_every_type) = (voice.is_open(), path.contains("{type}"));
        Self { voice, path, routes: Vec::new(), meter, allowed: EVERY_METHOD, is_open, is_of_every_type }
    }

    fn add(&mut self, app: &App, route: Route) {
        self.is_open &= route.is_open;
        let meter = app.metrics.meter(route.voice.label(), method_word(&route.method), route.path);
        self.routes.push((route, meter));
        let methods = self.routes.iter().map(|(route, _)| route.method.as_str());
        let methods = methods.flat_map(|method| [Some(method), (method == "GET").then_some("HEAD")]).flatten();
        let methods = methods.collect::<Vec<_>>().join(",");
        self.allowed = HeaderValue::try_from(methods).unwrap_or(HeaderValue::from_static(""));
    }

    /// What a path has where its routes have a type of FHIR's, if that is none.
    pub(super) fn wrong_type(&self, path: &str) -> Option<String> {
        if !self.is_of_every_type {
            return None;
        }
        // As it is written: what would be a type only when it is decoded could pass by the rows that a type has of its own.
        let at = self.path.split('/').position(|part| part == "{type}")?;
        let name = path.split('/').nth(at).unwrap_or_default();
        types::named(name).is_none().then(|| name.to_owned())
    }

    pub(super) fn route(&self, method: &Method) -> Option<&(Route, Arc<RouteMeter>)> {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        self.routes.iter().find(|(route, _)| route.method == *method)
    }
}

impl Paths {
    /// The routes of this service; those of the sandbox only if it is one.
    pub(super) fn of(app: &App) -> Self {
        let mut by_path: BTreeMap<String, PathRoutes> =
            MISSING.map(|(voice, path)| (path.to_owned(), PathRoutes::missing(app, voice, path))).into();
        for route in list::routes().into_iter().filter(|route| app.settings.sandbox || !route.sandbox_only) {
            let missing = || PathRoutes::missing(app, route.voice, route.path);
            let at = by_path.entry(route.path.to_owned()).or_insert_with(missing);
            at.add(app, route);
        }
        // A path of one type has what it does not do by itself from the path of every type.
        for (path, route) in of_one_type() {
            let at = by_path.entry(path).or_insert_with(|| PathRoutes::missing(app, route.voice, route.path));
            if at.route(&route.method).is_none() {
                at.add(app, route);
            }
        }
        let base_url = &app.settings.base_url;
        let elsewhere = list::routes().into_iter().filter_map(|route| {
            let path = well_known::elsewhere(base_url, route.path)?;
            let mut routes = PathRoutes::missing(app, route.voice, route.path);
            routes.add(app, route);
            Some((literally(&path), routes))
        });
        let (mut tree, mut all) = (Router::new(), Vec::new());
        for (path, routes) in by_path.into_iter().chain(elsewhere) {
            // Two paths of the list that cannot be told apart: the test that walks the list finds one of them missing.
            if let Err(error) = tree.insert(path.as_str(), PathNumber::Listed(all.len())) {
                tracing::error!(path, %error, "a route cannot be reached");
            }
            all.push(routes);
        }
        let elsewhere = PathRoutes::missing(app, Voice::Page, "/{*rest}");
        let elsewhere_in_fhir = PathRoutes::missing(app, Voice::Fhir, FHIR_MISSING.1);
        Self { tree, all, elsewhere, elsewhere_in_fhir }
    }

    /// Which of the paths it is.
    pub(super) fn find(&self, path: &str) -> PathNumber {
        // A slash behind a path of FHIR's says nothing.
        let is_of_fhir = |path: &&str| *path == "/fhir" || (path.starts_with(FHIR_MISSING.0) && !path.ends_with('/'));
        let path = path.strip_suffix('/').filter(is_of_fhir).unwrap_or(path);
        match self.tree.at(path) {
            Ok(found) => *found.value,
            Err(_) if path.starts_with(FHIR_MISSING.0) => PathNumber::ElsewhereInFhir,
            Err(_) => PathNumber::Elsewhere,
        }
    }

    /// What a path answers to.
    pub(super) fn at(&self, number: PathNumber) -> &PathRoutes {
        match number {
            PathNumber::Listed(number) => self.all.get(number).unwrap_or(&self.elsewhere),
            PathNumber::Elsewhere => &self.elsewhere,
            PathNumber::ElsewhereInFhir => &self.elsewhere_in_fhir,
        }
    }
}

/// The routes of every type, at the paths of those types that have routes of their own. The tree of paths would not look
/// for them beside those.
fn of_one_type() -> impl Iterator<Item = (String, Route)> {
    let own = |route: &Route| types::named(route.path.strip_prefix("/fhir/")?.split('/').next()?);
    let own: BTreeSet<&str> = list::routes().iter().filter_map(own).map(ResourceType::name).collect();
    own.into_iter().flat_map(|name| {
        let of_every_type = |route: &Route| route.path.contains("{type}") && !route.except.contains(&name);
        let at = |route: Route| (route.path.replace("{type}", name), route);
        list::routes().into_iter().filter(of_every_type).map(at).collect::<Vec<_>>()
    })
}

/// A path without free parts, as the tree of paths is told it.
fn literally(path: &str) -> String {
    path.replace('{', "{{").replace('}', "}}")
}
