//! Asking for both at once: where the database is a round trip away, one statement says who calls and gives the resource
//! that the path names.
//!
//! The database looks within the caller's reach by the same rules (`store/src/within.rs`), so nothing is found that the
//! caller, once known, may not see; and nobody is given it before `caller.rs` has said yes.

use crate::app::App;
use crate::reference;
use axum::http::Method;
use axum::http::request::Parts;
use std::sync::Arc;
use store::organisations::{self, SystemSeen};
use store::records::Resource;
use store::seen::{self, Seen};
use store::{Result, asking};

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
}

/// A session, and what is wanted of it.
pub(crate) async fn session(app: &App, id: i64, wanted: Option<Wanted>) -> Result<Option<(Arc<Seen>, Option<Ahead>)>> {
    let Some(wanted) = wanted else {
        return Ok(seen::see(&app.store, id).await?.map(|seen| (seen, None)));
    };
    let asked = asking::by_session(&app.store, id, &wanted.type_name, &wanted.id).await?;
    Ok(asked.map(|(seen, found)| (Arc::new(seen), Some(Ahead { wanted, found }))))
}

/// A System Client with the grant of an organisation, and what is wanted of that.
pub(crate) async fn system(
    app: &App,
    client: i64,
    organisation: &str,
    wanted: Option<Wanted>,
) -> Result<Option<(SystemSeen, Option<Ahead>)>> {
    let Some(wanted) = wanted else {
        return Ok(organisations::see_system(&app.store, client, organisation).await?.map(|seen| (seen, None)));
    };
    let asked = asking::by_system(&app.store, client, organisation, &wanted.type_name, &wanted.id).await?;
    Ok(asked.map(|(seen, found)| (seen, Some(Ahead { wanted, found }))))
}
