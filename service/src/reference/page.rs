//! `GET /docs`: the documentation for people.

use super::content::content;
use super::listing::Listing;
use crate::http::call::Call;
use crate::http::origin;
use crate::views::navigation;
use crate::views::reference::ReferencePage;
use crate::voices::page::{self, PageStop};
use axum::response::Response;

/// Shows what is there: of a service that is no sandbox, nothing of the sandbox. It is made once: it is long, the same for everybody,
/// and anybody may ask for it.
pub async fn show(call: Call, listings: fn() -> Vec<Listing>) -> Result<Response, PageStop> {
    origin::wait_for_document(&call).await;
    let make = || {
        let mut listings = listings();
        listings.retain(|listing| call.app.settings.sandbox || !listing.sandbox_only);
        let frame = page::frame(&call.app, navigation::ANYBODY, "/docs");
        ReferencePage { frame, content: content(&listings) }
    };
    Ok(page::made_once(&call.app.reference_page, make, &call.head.headers))
}
