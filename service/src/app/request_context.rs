//! What is known of the request that this task answers: its id, its trace, and by and by its client. Whatever is logged on
//! the way says the first two by itself.
//!
//! A span of `tracing` would do the same, and cost each request more than finding its route.

use super::request_id::RequestId;
use crate::formats::trace_parent::TraceParent;
use std::cell::OnceCell;
use std::pin::Pin;
use std::sync::Arc;

/// One request on its way.
#[derive(Debug)]
pub struct RequestContext {
    id: RequestId,
    parent: Option<TraceParent>,
    client: OnceCell<Arc<str>>,
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
    CURRENT.scope(RequestContext { id, parent, client: OnceCell::new() }, answer)
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

/// Notes the Client ID of who calls, and has proven it.
pub fn note_client(client: impl Into<Arc<str>>) {
    // Work that is no request has nobody to note.
    let _no_request = CURRENT.try_with(|current| {
        let _known_already = current.client.set(client.into());
    });
}

/// The Client ID of who calls, where that is known.
#[must_use]
pub fn client() -> Option<Arc<str>> {
    CURRENT.try_with(|current| current.client.get().cloned()).ok().flatten()
}
