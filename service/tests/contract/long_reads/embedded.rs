//! On the embedded engine: requests whose rows nobody takes hold the one reader.

use super::{PATIENCE, SLOW, a_thousand_identifiers, everything_else_is_answered};
use crate::kit::World;
use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use serde_json::Value;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;
use store::{Budget, Place};

const RECEIPTS: &str = "/fhir/DocumentReference/$read-receipt-query";
const SEARCH: &str = "/fhir/Patient?identifier=9990000018";
/// The same by words, which are asked of all candidates.
const WORDS: &str = "/fhir/Patient?_content=9990000018";

async fn world(budget: Budget) -> World {
    let directory = tempfile::tempdir().unwrap();
    let place = Place::Sqlite(directory.path().join("data"));
    World::within(budget, &place, directory, |_| {}).await
}

type Begun = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Sends a request and takes nothing of what comes of it.
fn begin(w: &World, request: Request<Body>) -> Begun {
    let mut begun: Begun = Box::pin(w.answers(request));
    let polled = begun.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(polled, Poll::Pending), "it was answered at once: {polled:?}");
    begun
}

/// Begins such a request as soon as there is a place to wait: the first leaves its own only when a reader takes it.
async fn begin_when_free(w: &World, request: impl Fn() -> Request<Body>) -> Begun {
    loop {
        match begin_sent(w, request()) {
            Ok(begun) => return begun,
            Err(refused) => assert_eq!(refused.status(), 429),
        }
        tokio::task::yield_now().await;
    }
}

/// Begins a request whose body is so long that it is read on another thread: it goes on to the store when that is done.
fn begin_sent(w: &World, request: Request<Body>) -> Result<Begun, Box<Response>> {
    let mut begun: Begun = Box::pin(w.answers(request));
    let body_is_read = Arc::new(WokenFlag::default());
    let waker = Waker::from(body_is_read.clone());
    match begun.as_mut().poll(&mut Context::from_waker(&waker)) {
        Poll::Ready(answered) => return Err(answered.into()),
        Poll::Pending => {}
    }
    while !body_is_read.0.load(Ordering::Acquire) {
        std::thread::yield_now();
    }
    match begun.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answered) => Err(answered.into()),
        Poll::Pending => Ok(begun),
    }
}

/// Whether a future asked to be polled again.
#[derive(Default)]
struct WokenFlag(AtomicBool);

impl Wake for WokenFlag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

#[tokio::test]
async fn ten_slow_reads_of_one_caller_delay_neither_point_reads_nor_tokens_and_only_that_caller_is_turned_away() {
    let w = world(Budget { time: PATIENCE, readers: 1, waiting: SLOW - 1 }).await;
    let query = a_thousand_identifiers(&w).await;
    let (lab, okafor) = (w.system().await, w.dr_okafor().caller().await);
    let mut slow = Vec::new();
    for _ in 0..SLOW {
        slow.push(begin_when_free(&w, || lab.post_request(RECEIPTS, &query)).await);
    }
    let refused = lab.post(RECEIPTS, &query).await;
    refused.says(429, "TOO_MANY_READS");
    assert_eq!(refused.header("retry-after"), Some("1"));
    // Another caller has a place all the same, and its turn when the one reader is free.
    let other = begin(&w, okafor.get_request(WORDS));
    everything_else_is_answered(&w, &okafor).await;
    assert_eq!(okafor.get(SEARCH).await.found(), ["amina"], "what is found at once needs none of those readers");
    let last = slow.pop().expect("as many as there are").await;
    assert_eq!(last.status(), 429, "it gave its place to the other caller");
    for slow in slow {
        assert_eq!(slow.await.status(), 200, "all others are answered in the end");
    }
    assert_eq!(other.await.status(), 200);
    assert_eq!(okafor.get(WORDS).await.found(), ["amina"]);
}

#[tokio::test]
async fn a_read_over_its_budget_is_too_costly_and_the_next_is_answered() {
    let w = world(Budget { time: Duration::from_secs(1), readers: 1, waiting: 8 }).await;
    let query = a_thousand_identifiers(&w).await;
    let (lab, okafor) = (w.system().await, w.dr_okafor().caller().await);
    let slow = begin_sent(&w, lab.post_request(RECEIPTS, &query));
    let slow = slow.unwrap_or_else(|answered| panic!("it was answered at once: {answered:?}"));
    // It has to wait until the reader gave the slow one up; if it waited longer than a budget, it is turned away.
    let next = okafor.get(WORDS).await;
    assert!([200, 503].contains(&next.status), "{}", next.text());
    let reply = crate::kit::reply::Reply::read(RECEIPTS, slow.await).await;
    reply.says(422, "TOO_COSTLY");
    let outcome: Value = reply.json();
    assert_eq!(outcome["issue"][0]["code"], "too-costly");
    assert_eq!(okafor.get(SEARCH).await.found(), ["amina"]);
}
