//! Bodies under way: what may be received and not answered yet, of one caller and in all; and shapes that are refused as they are
//! read.

use crate::kit::World;
use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, letter};
use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::Frame;
use rules::limits::{API_BODY_BYTES, BODY_BYTES, BODY_BYTES_PER_CALLER, RESOURCE_VALUES, SMALL_BODY_BYTES};
use serde_json::{Value, json};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const VALIDATE: &str = "/fhir/DocumentReference/$validate";

/// A body of which so many bytes come, and then nothing more.
struct Unfinished {
    bytes: usize,
    /// Told when they were taken.
    taken: Option<oneshot::Sender<()>>,
}

impl HttpBody for Unfinished {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match std::mem::take(&mut self.bytes) {
            0 => {
                self.taken.take().map(|taken| taken.send(()));
                Poll::Pending
            }
            bytes => Poll::Ready(Some(Ok(Frame::data(vec![b' '; bytes].into())))),
        }
    }
}

/// A request that goes on until it is let go of, with so many bytes of its body received.
async fn holds(w: &World, caller: &Caller<'_>, bytes: usize) -> JoinHandle<Response> {
    let (taken, comes) = oneshot::channel();
    let request = caller.post_request(VALIDATE, &json!({}));
    let request = request.map(|_| Body::new(Unfinished { bytes, taken: Some(taken) }));
    let answer = tokio::spawn(w.answers(request));
    comes.await.expect("it was refused");
    answer
}

async fn lets_go(held: JoinHandle<Response>) {
    held.abort();
    assert!(held.await.unwrap_err().is_cancelled());
}

/// A letter that is no small body.
fn large_letter() -> Value {
    let mut large = letter(AMINA);
    large["description"] = json!("D".repeat(2 * SMALL_BODY_BYTES));
    large
}

/// Whoever has as much under way as one caller may have is asked to wait; small bodies, and others, are not.
// gaps: The two APIs > Bodies under way
#[tokio::test]
async fn a_caller_with_as_much_under_way_as_one_may_have_hears_503_and_nobody_else_does() {
    let w = World::new().await;
    let (amina, okafor) = (w.amina().caller().await, w.dr_okafor().caller().await);
    let first = holds(&w, &amina, API_BODY_BYTES).await;
    let second = holds(&w, &amina, BODY_BYTES_PER_CALLER - API_BODY_BYTES - SMALL_BODY_BYTES).await;
    let refused = amina.post(VALIDATE, &large_letter()).await;
    refused.says(503, "TOO_MUCH_SENT");
    assert_eq!(refused.header("retry-after"), Some("1"));
    amina.post(VALIDATE, &letter(AMINA)).await.opened();
    amina.creates(&letter(AMINA)).await;
    okafor.post(VALIDATE, &large_letter()).await.opened();
    lets_go(first).await;
    amina.post(VALIDATE, &large_letter()).await.opened();
    amina.creates(&large_letter()).await;
    lets_go(second).await;
}

/// All callers together have so much under way; then a large body is asked to come back, and small ones go on.
// gaps: The two APIs > Bodies under way
#[tokio::test]
async fn when_too_much_is_under_way_in_all_large_bodies_hear_503_and_small_ones_go_on() {
    let w = World::new().await;
    let (mut held, mut left) = (Vec::new(), BODY_BYTES - SMALL_BODY_BYTES);
    while left > SMALL_BODY_BYTES {
        let bytes = left.min(API_BODY_BYTES);
        held.push(holds(&w, &w.amina().caller().await, bytes).await);
        left -= bytes;
    }
    let okafor = w.dr_okafor().caller().await;
    let refused = okafor.post(VALIDATE, &large_letter()).await;
    refused.says(503, "UNAVAILABLE");
    assert_eq!(refused.header("retry-after"), Some("1"));
    okafor.post(VALIDATE, &letter(AMINA)).await.opened();
    for held in held {
        lets_go(held).await;
    }
    okafor.post(VALIDATE, &large_letter()).await.opened();
}

/// A body of very many values is refused as it is read, whatever they are and wherever they stand.
// gaps: The two APIs > Limits
#[tokio::test]
async fn a_body_of_more_values_than_a_resource_may_have_is_400_and_says_how_many() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let mut many = letter(AMINA);
    many["extension"] = vec![1; RESOURCE_VALUES].into();
    let words = format!("more than {RESOURCE_VALUES} values");
    let told = amina.post("/fhir/DocumentReference", &many).await.words(400, "BAD_REQUEST");
    assert!(told.contains(&words), "{told}");
    let patch = json!([{ "op": "add", "path": "/extension", "value": many["extension"] }]);
    let stored = amina.creates(&letter(AMINA)).await;
    let told = amina.patch(&stored, "application/json-patch+json", &patch).await;
    assert!(told.words(400, "BAD_REQUEST").contains(&words));
}
