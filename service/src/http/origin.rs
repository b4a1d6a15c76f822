//! Where a request comes from: the address behind it, and whether a browser sent it from one of our own pages.

use super::call::Call;
use crate::app::App;
use crate::secrets::throttle::network;
use axum::http::{HeaderMap, header};
use std::net::IpAddr;

/// The address that failures are counted against. Behind a trusted proxy it is the one the proxy added last.
#[must_use]
pub fn address(app: &App, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
    if !app.settings.trust_forwarded_for {
        return peer;
    }
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
    forwarded.and_then(|list| list.rsplit(',').next()?.trim().parse().ok()).unwrap_or(peer)
}

/// Waits for the turn of this call's network to be given a document that anybody may ask for.
pub(crate) fn wait_for_document(call: &Call) -> impl Future<Output = ()> + Send + use<> {
    let app = call.app.clone();
    let network = network(address(&app, &call.head.headers, call.peer));
    async move { app.document_pace.wait(network).await }
}

/// Whether a POST may come from one of our own pages. Browsers say where a request was made: `Sec-Fetch-Site` where
/// they know it, else `Origin` (which our `no-referrer` policy turns into `null` for our own forms). A client that
/// says neither is no browser and holds nobody's cookies.
#[must_use]
pub fn is_our_own(app: &App, headers: &HeaderMap) -> bool {
    let value_of = |name| headers.get(name).and_then(|value| value.to_str().ok());
    match (value_of("sec-fetch-site"), value_of(header::ORIGIN.as_str())) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some("null") | None) => true,
        (None, Some(origin)) => origin == of_url(&app.settings.base_url),
    }
}

/// Whether a browser says that a page of somebody else sent a request. Stricter than `is_our_own`: this is for what no page
/// of ours sends as a form, so that an unknown origin (`null`) is foreign, too.
#[must_use]
pub fn is_foreign(app: &App, headers: &HeaderMap) -> bool {
    let is =
        |name, ours: &dyn Fn(&str) -> bool| headers.get_all(name).iter().any(|value| !value.to_str().is_ok_and(ours));
    is("sec-fetch-site", &|site| matches!(site, "same-origin" | "none"))
        || is("origin", &|origin| origin == of_url(&app.settings.base_url))
}

/// Scheme, host and port of a URL.
#[must_use]
pub fn of_url(url: &str) -> &str {
    let after = url.find("://").map_or(0, |at| at + 3);
    let end = url.get(after..).and_then(|rest| rest.find(['/', '?', '#'])).map_or(url.len(), |at| after + at);
    url.get(..end).unwrap_or(url)
}

/// What `form-action` must admit for the redirect that follows the form: an origin, or the scheme where the policy's
/// grammar has no way to write the host.
#[must_use]
pub fn form_target(uri: &str) -> String {
    let scheme = uri.split(':').next().unwrap_or_default();
    match scheme {
        "http" | "https" if !uri.contains('[') => of_url(uri).into(),
        scheme => format!("{scheme}:"),
    }
}
