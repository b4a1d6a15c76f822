//! Asking for both at once: where the database is a round trip away, the same one says who calls and brings what the path
//! and the query name: a resource by the same statement, the finds of a search or a profile by another beside it.
//!
//! The database looks within the caller's reach by the same rules (`store/src/within.rs`), so nothing is found that the
//! caller, once known, may not see; and nobody is given it before `caller.rs` has said yes.

use crate::app::App;
use crate::fhir::patient;
use crate::fhir::search::Search;
use axum::http::Method;
use axum::http::request::Parts;
use fhir::reference;
use std::sync::Arc;
use store::organisations::{self, SystemSeen};
use store::profile::{self, Profile};
use store::records::Resource;
use store::seen::{self, Seen};
use store::{Result, asking, searching};

/// What was looked for before the caller was known.
#[derive(Debug)]
pub(crate) enum Ahead {
    Resource { wanted: Named, found: Option<Arc<Resource>> },
    Matches(Vec<Arc<Resource>>),
    Profile(Profile),
}

/// What a request asks for.
#[derive(Debug)]
pub(crate) enum Wanted {
    Resource(Named),
    Matches(Search),
    /// Of the session itself.
    Profile,
}

/// A resource that a request's path names.
#[derive(Debug)]
pub(crate) struct Named {
    type_name: String,
    id: String,
}

impl PartialEq<(&str, &str)> for Named {
    fn eq(&self, (type_name, id): &(&str, &str)) -> bool {
        self.type_name == *type_name && self.id == *id
    }
}

impl Wanted {
    /// What a read or a search asks for; `None` where asking early would save nothing.
    pub(crate) fn by(app: &App, parts: &Parts) -> Option<Self> {
        let reads = app.store.is_far() && matches!(parts.method, Method::GET | Method::HEAD);
        let path = reads.then(|| parts.uri.path())?;
        if path.starts_with("/json/") {
            return path.ends_with("/users/self").then_some(Self::Profile);
        }
        let path = path.strip_prefix("/fhir/")?;
        if path == patient::TYPE {
            return patient::asked_by_anyone(app, parts.uri.query()).map(Self::Matches);
        }
        let (type_name, id) = path.split_once('/')?;
        reference::is_id(id).then(|| Self::Resource(Named { type_name: type_name.into(), id: id.into() }))
    }
}

/// A session, and what is wanted of it.
pub(crate) async fn session(app: &App, id: i64, wanted: Option<Wanted>) -> Result<Option<(Arc<Seen>, Option<Ahead>)>> {
    let see = seen::see(&app.store, id);
    match wanted {
        Some(Wanted::Resource(wanted)) => {
            let asked = asking::by_session(&app.store, id, &wanted.type_name, &wanted.id).await?;
            Ok(asked.map(|(seen, found)| (Arc::new(seen), Some(Ahead::Resource { wanted, found }))))
        }
        Some(Wanted::Matches(search)) => {
            let sought = search.sought();
            let (seen, found) = tokio::try_join!(see, searching::of_session(&app.store, id, &sought))?;
            Ok(seen.map(|seen| (seen, Some(Ahead::Matches(found)))))
        }
        Some(Wanted::Profile) => {
            let (seen, profile) = tokio::try_join!(see, profile::of_session(&app.store, id))?;
            Ok(seen.map(|seen| (seen, Some(Ahead::Profile(profile)))))
        }
        None => Ok(see.await?.map(|seen| (seen, None))),
    }
}

/// A System Client with the grant of an organisation, and what is wanted of that.
pub(crate) async fn system(
    app: &App,
    client: i64,
    organisation: &str,
    wanted: Option<Wanted>,
) -> Result<Option<(SystemSeen, Option<Ahead>)>> {
    let see = organisations::see_system(&app.store, client, organisation);
    match wanted {
        Some(Wanted::Resource(wanted)) => {
            let asked = asking::by_system(&app.store, client, organisation, &wanted.type_name, &wanted.id).await?;
            Ok(asked.map(|(seen, found)| (seen, Some(Ahead::Resource { wanted, found }))))
        }
        Some(Wanted::Matches(search)) => {
            let sought = search.sought();
            let find = searching::of_system(&app.store, client, organisation, &sought);
            let (seen, found) = tokio::try_join!(see, find)?;
            Ok(seen.map(|seen| (seen, Some(Ahead::Matches(found)))))
        }
        // A System Client has no session.
        Some(Wanted::Profile) | None => Ok(see.await?.map(|seen| (seen, None))),
    }
}
