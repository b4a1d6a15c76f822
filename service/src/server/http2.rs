//! One HTTP/2 connection, with all of its streams: they are asked in its own task, so that they end with it.

use super::conversation::Conversation;
use crate::http::patience::{WITHIN, with_patience};
use crate::http::streams::{StreamAnswer, Streams};
use crate::routes::dispatch::Dispatch;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use hyper::body::Incoming;
use hyper::rt::{Executor, Read, Write};
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioTimer;
use rules::limits::{HEADER_BLOCK_BYTES, HTTP2_STREAM_WINDOW_BYTES, HTTP2_STREAMS, HTTP2_WINDOW_BYTES};
use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

type StreamTask = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Streams that have begun and are not asked yet.
#[derive(Clone, Default)]
struct BegunStreams(Arc<Mutex<Vec<StreamTask>>>);

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for BegunStreams {
    fn execute(&self, stream: F) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Box::pin(stream));
    }
}

struct Http2<C> {
    connection: Pin<Box<C>>,
    begun: BegunStreams,
    under_way: FuturesUnordered<StreamTask>,
}

/// What hyper makes of a connection.
trait GoingAway: Future<Output = hyper::Result<()>> {
    fn go_away(self: Pin<&mut Self>);
}

impl<I, S> GoingAway for http2::Connection<I, S, BegunStreams>
where
    I: Read + Write + Unpin,
    S: hyper::service::HttpService<Incoming, ResBody = StreamAnswer>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    S::Future: Send + 'static,
{
    fn go_away(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}

impl<C: GoingAway> Future for Http2<C> {
    type Output = hyper::Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<hyper::Result<()>> {
        let this = &mut *self;
        if let Poll::Ready(ended) = this.connection.as_mut().poll(context) {
            return Poll::Ready(ended);
        }
        this.under_way.extend(this.begun.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..));
        // What a stream has to say wakes the connection.
        while let Poll::Ready(Some(())) = this.under_way.poll_next_unpin(context) {}
        Poll::Pending
    }
}

impl<C: GoingAway> Conversation for Http2<C> {
    fn finish(mut self: Pin<&mut Self>) {
        self.connection.as_mut().go_away();
    }
}

/// A connection whose requests are answered by `dispatch`, a few at a time.
pub(super) fn connection<I: Read + Write + Unpin + Send + 'static>(
    dispatch: &Dispatch,
    wire: I,
    peer: IpAddr,
    streams: &Arc<Streams>,
) -> impl Conversation + Send + use<I> {
    let (dispatch, streams) = (Arc::new(dispatch.apart()), streams.clone());
    let answer = service_fn(move |request: Request<Incoming>| {
        let (dispatch, turn) = (dispatch.clone(), streams.clone().turn());
        async move {
            let turn = turn.await;
            let request = with_patience(request, &turn.patience);
            let answer: Response<_> = dispatch.answer(request, peer).await;
            Ok::<_, Infallible>(turn.deliver(answer))
        }
    });
    let begun = BegunStreams::default();
    // Streams that are reset before they are looked at are bounded by h2 itself.
    let connection = http2::Builder::new(begun.clone())
        .timer(TokioTimer::new())
        .keep_alive_interval(WITHIN)
        .keep_alive_timeout(WITHIN)
        .max_concurrent_streams(HTTP2_STREAMS)
        .max_header_list_size(u32::try_from(HEADER_BLOCK_BYTES).unwrap_or(u32::MAX))
        .initial_stream_window_size(HTTP2_STREAM_WINDOW_BYTES)
        .initial_connection_window_size(HTTP2_WINDOW_BYTES)
        .serve_connection(wire, answer);
    Http2 { connection: Box::pin(connection), begun, under_way: FuturesUnordered::new() }
}
