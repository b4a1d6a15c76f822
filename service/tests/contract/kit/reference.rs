//! The documentation as a witness of every test: an answer that it does not tell of fails the test that received it.

use super::reply::Reply;
use axum::http::Method;
use service::reference::listing::{Listing, Payload};
use service::routes::{Route, routes};
use std::sync::LazyLock;

static LISTINGS: LazyLock<Vec<Listing>> = LazyLock::new(|| routes().iter().map(Route::listing).collect());

/// Holds an answer to what the documentation says of its route; where there is no route, there is nothing to hold it to.
pub fn hold(method: &Method, path: &str, reply: &Reply) {
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    let fitting = LISTINGS.iter().filter(|listing| fits(listing.path, path));
    // A path that is named in full comes before one with free parts.
    let nearest = fitting.min_by_key(|listing| listing.path.matches('{').count());
    let at_path = |listing: &&Listing| nearest.is_some_and(|nearest| nearest.path == listing.path);
    let Some(listing) = LISTINGS.iter().filter(at_path).find(|listing| listing.method == *method) else { return };
    if listing.sandbox_only && reply.status == 404 {
        return;
    }
    let outputs = listing.outputs();
    let output = outputs.iter().find(|output| output.status == reply.status);
    let output = output.unwrap_or_else(|| panic!("{method} {path}: no {} among {outputs:?}", reply.status));
    let told = output.payload.media_type().filter(|_| !reply.body.is_empty());
    let sent = reply.header("content-type").and_then(|sent| sent.split(';').next());
    let is_told = told.is_none() || sent == told || (sent.is_some() && sent == output.payload.other_media_type());
    assert!(is_told, "{method} {path}: {} is {sent:?}, not {told:?}", reply.status);
    assert!(
        output.payload != Payload::Nothing || reply.body.is_empty(),
        "{method} {path}: {} is not empty",
        reply.status
    );
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
