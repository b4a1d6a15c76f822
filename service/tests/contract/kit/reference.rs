//! The documentation as a witness of every test: an answer that it does not tell of fails the test that received it.

use axum::http::Method;
use service::reference::listing::Listing;
use service::routes::{Route, routes};
use std::sync::LazyLock;

static LISTINGS: LazyLock<Vec<Listing>> = LazyLock::new(|| routes().iter().map(Route::listing).collect());

/// Holds an answer to what the documentation says of its route; where there is no route, there is nothing to hold it to.
pub fn hold(method: &Method, path: &str, status: u16) {
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    let fitting = LISTINGS.iter().filter(|listing| listing.method == *method && fits(listing.path, path));
    // A path that is named in full comes before one with free parts.
    let Some(listing) = fitting.min_by_key(|listing| listing.path.matches('{').count()) else { return };
    let is_absent = listing.sandbox_only && status == 404;
    let known = listing.every_status();
    assert!(is_absent || known.contains(&status), "{} {}: {status} is not among {known:?}", method, listing.path);
}

fn fits(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut found) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), found.next()) {
            (None, None) => return true,
            (Some(free), Some(part)) if free.starts_with('{') && !part.is_empty() => {}
            (Some(name), Some(part)) if name == part => {}
            _ => return false,
        }
    }
}
