//! One HTTP/1.1 connection: with a bounded header block (431 beyond it) and its peer known to every request.

use super::conversation::Conversation;
use crate::http::patience::{self, Heads, Patience, with_patience};
use crate::routes::dispatch::Dispatch;
use axum::body::Body;
use futures_util::FutureExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::rt::{Read, Write};
use hyper::server::conn::http1;
use hyper::service::{HttpService, service_fn};
use hyper_util::rt::TokioIo;
use rules::limits::HEADER_BLOCK_BYTES;
use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

impl<I, S> Conversation for http1::Connection<I, S>
where
    I: Read + Write + Unpin + 'static,
    S: HttpService<Incoming, ResBody = Body>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    fn finish(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}

/// A connection whose requests are answered by `dispatch`, one after the other.
pub(super) fn connection<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    dispatch: &Dispatch,
    wire: S,
    peer: IpAddr,
    patience: &Arc<Patience>,
) -> impl Conversation + Send + use<S> {
    let (dispatch, waiting) = (Arc::new(dispatch.apart()), patience.clone());
    let answer = service_fn(move |request: Request<Incoming>| {
        let request = with_patience(request, &waiting);
        dispatch.clone().answer(request, peer).map(Ok::<_, Infallible>)
    });
    http1::Builder::new()
        .timer(Heads(patience.clone()))
        .header_read_timeout(patience::WITHIN)
        .max_buf_size(HEADER_BLOCK_BYTES)
        .serve_connection(TokioIo::new(wire), answer)
}
