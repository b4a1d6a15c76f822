//! Asking early: where the database is a round trip away, the resource that a path names is looked for together with
//! who calls.
//!
//! The database looks within the caller's reach by the same rules (`store/src/within.rs`), so nothing is found that the
//! caller, once known, may not see; and nobody is given it before `caller.rs` has said yes.

use crate::app::App;
use crate::reference;
use axum::http::Method;
use axum::http::request::Parts;
use std::sync::Arc;
use store::records::{self, Asker, Resource};

/// A resource that was looked for before the caller was known.
#[derive(Debug)]
pub(crate) struct Ahead {
    wanted: Wanted,
    pub(crate) found: Option<Arc<Resource>>,
}

impl Ahead {
    pub(crate) fn is_of(&self, type_name: &str, id: &str) -> bool {
        self.wanted.type_name == type_name && self.wanted.id == id
    }
}

/// A resource that a request's path names.
#[derive(Debug)]
pub(crate) struct Wanted {
    type_name: String,
    id: String,
}

impl Wanted {
    /// What a read over FHIR asks for; `None` where asking early would save nothing.
    pub(crate) fn by(app: &App, parts: &Parts) -> Option<Self> {
        let reads = app.store.is_far() && matches!(parts.method, Method::GET | Method::HEAD);
        let path = reads.then(|| parts.uri.path().strip_prefix("/fhir/"))??;
        let (type_name, id) = path.split_once('/')?;
        reference::is_id(id).then(|| Self { type_name: type_name.into(), id: id.into() })
    }

    /// Trouble here is not lost: whoever then wants the resource asks again.
    pub(crate) async fn find(wanted: Option<Self>, app: &App, asker: Asker<'_>) -> Option<Ahead> {
        let wanted = wanted?;
        let found = records::read_ahead(&app.store, asker, &wanted.type_name, &wanted.id).await.ok()?;
        Some(Ahead { wanted, found })
    }
}
