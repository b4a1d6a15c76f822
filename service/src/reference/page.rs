//! `GET /docs`: the documentation for people.

use super::content::content;
use super::listing::Listing;
use crate::http::call::Call;
use crate::views::navigation;
use crate::views::reference::ReferencePage;
use crate::voices::page::{self, PageStop};
use axum::http::StatusCode;
use axum::response::Response;

/// Shows what is there: of a service that is no sandbox, nothing of the sandbox.
pub async fn show(call: Call, mut listings: Vec<Listing>) -> Result<Response, PageStop> {
    listings.retain(|listing| call.app.settings.sandbox || !listing.sandbox_only);
    let page =
        ReferencePage { frame: page::frame(&call.app, navigation::ANYBODY, "/docs"), content: content(&listings) };
    Ok(page::html(StatusCode::OK, &page))
}
