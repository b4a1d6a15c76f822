//! Where operations are served, read off the list of routes, and what is said of one that is not.

use super::list::routes;
use fhir::spelling::did_you_mean;
use rules::answers::Refusal;
use rules::params::shown;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The paths that end in an operation, behind `/fhir/`.
static SERVED: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let paths = routes().into_iter().filter_map(|route| route.path.strip_prefix("/fhir/"));
    paths.filter(|path| code(path).is_some()).collect()
});

/// The operation that a path is of, behind `/fhir/`: of a resource, of a type or of everything.
fn code(path: &str) -> Option<&str> {
    let mut parts = path.split('/');
    let last = parts.next_back()?;
    (parts.count() <= 2 && last.len() > 1).then(|| last.strip_prefix('$')).flatten()
}

/// The operation that a path asks for, where the route that the path was found to be of is no operation's.
pub(super) fn unserved<'p>(path: &'p str, found: &str) -> Option<&'p str> {
    let asked = code(path.strip_prefix("/fhir/")?)?;
    found.strip_prefix("/fhir/").and_then(code).is_none().then_some(asked)
}

/// What is said of an operation that is not served, or not where it was asked for.
pub(super) fn not_served(asked: &str) -> Refusal {
    let name = shown(asked);
    let elsewhere: Vec<&str> = SERVED.iter().copied().filter(|path| code(path) == Some(asked)).collect();
    if !elsewhere.is_empty() {
        let paths: Vec<String> = elsewhere.iter().map(|path| format!("/fhir/{path}")).collect();
        return Refusal::NotFound(format!("operation ${name} is not served here; it is at {}", paths.join(", ")));
    }
    let codes: BTreeSet<&str> = SERVED.iter().filter_map(|path| code(path)).collect();
    let all: Vec<String> = codes.iter().map(|code| format!("${code}")).collect();
    let meant = did_you_mean(&format!("${asked}"), all.iter().map(String::as_str));
    Refusal::NotFound(format!("operation ${name} is not served; these are: {}{meant}", all.join(", ")))
}
