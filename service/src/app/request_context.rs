//! What is known of the request that this task answers: its id, its trace, and by and by its client. Whatever is logged on
//! the way says the first two by itself.
//!
//! A span of `tracing` would do the same, and cost each request more than finding its route.

use super::request_id::RequestId;
use crate::formats::trace_parent::TraceParent;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::pin::Pin;
use std::sync::Arc;
use store::bearer::Bearer;
use store::clients::Client;
use store::organisations::SystemStanding;

/// One request on its way.
#[derive(Debug)]
pub struct RequestContext {
    id: RequestId,
    parent: Option<TraceParent>,
    client: OnceCell<Arc<dyn ClientName>>,
    record_view: OnceCell<Cow<'static, str>>,
    /// Whether its access token goes with a proof of a key, or should.
    is_proven: Cell<bool>,
}

/// What is known of who calls, by which its Client ID is told.
pub trait ClientName: std::fmt::Debug + Send + Sync {
    fn client_name(&self) -> &str;
}

impl ClientName for Bearer {
    fn client_name(&self) -> &str {
        &self.client_name
    }
}

impl ClientName for SystemStanding {
    fn client_name(&self) -> &str {
        &self.client_name
    }
}

impl ClientName for Client {
    fn client_name(&self) -> &str {
        &self.client_id
    }
}

tokio::task_local! {
    static CURRENT: RequestContext;
}

/// Runs `answer` as the work of a request. It stays where it is: to move it here would copy what every route may need.
pub fn within<A: Future>(
    id: RequestId,
    parent: Option<TraceParent>,
    answer: Pin<&mut A>,
) -> impl Future<Output = A::Output> {
    let (client, record_view) = (OnceCell::new(), OnceCell::new());
    CURRENT.scope(RequestContext { id, parent, client, record_view, is_proven: Cell::new(false) }, answer)
}

/// The id of the request that this task answers, if it answers one.
#[must_use]
pub fn id() -> Option<RequestId> {
    CURRENT.try_with(|current| current.id.clone()).ok()
}

/// The trace that the request is a part of.
#[must_use]
pub fn parent() -> Option<TraceParent> {
    CURRENT.try_with(|current| current.parent).ok().flatten()
}

/// Notes who calls, and has proven it. What is known of them is taken as it is: their name alone is one text for all of a
/// client's requests, and those who hold it would be counted on every core in turn.
pub fn note_client(client: Arc<dyn ClientName>) {
    // Work that is no request has nobody to note.
    let _no_request = CURRENT.try_with(|current| {
        let _known_already = current.client.set(client);
    });
}

/// The Client ID of who calls, where that is known.
#[must_use]
pub fn client() -> Option<String> {
    CURRENT.try_with(|current| current.client.get().map(|client| client.client_name().to_owned())).ok().flatten()
}

/// Notes that the access token of the request goes with a proof of a key, or should.
pub fn note_proof() {
    let _no_request = CURRENT.try_with(|current| current.is_proven.set(true));
}

/// Whether what is wrong with the access token is said to somebody who proves a key.
#[must_use]
pub fn is_proven() -> bool {
    CURRENT.try_with(|current| current.is_proven.get()).unwrap_or(false)
}

/// Notes what the caller gets of the record that the call names: the first that is named.
pub fn note_record_view(view: Cow<'static, str>) {
    let _no_request = CURRENT.try_with(|current| {
        let _known_already = current.record_view.set(view);
    });
}

/// What the caller gets of the record that the call names, where it names one.
#[must_use]
pub fn record_view() -> Option<Cow<'static, str>> {
    CURRENT.try_with(|current| current.record_view.get().cloned()).ok().flatten()
}
