//! How a wake_guard rings.

use super::*;
use futures_util::task::noop_waker;
use std::future::poll_fn;
use std::sync::atomic::AtomicUsize;
use tokio::sync::Notify;

#[test]
fn a_future_is_asked_once_until_it_rings_and_then_once_more() {
    let (asked, door) = (AtomicUsize::new(0), Notify::new());
    let mut ringing = Box::pin(door.notified());
    let mut wake_guard = WakeGuard::new(poll_fn(|context| {
        asked.fetch_add(1, Ordering::Relaxed);
        ringing.as_mut().poll(context)
    }));
    let task = noop_waker();
    let mut look = || Pin::new(&mut wake_guard).poll(&mut Context::from_waker(&task));
    assert!((0..5).all(|_| look().is_pending()));
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    door.notify_one();
    assert_eq!(look(), Poll::Ready(()));
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn whoever_waits_is_woken_by_it_wherever_it_is_waited_for() {
    let door = Arc::new(Notify::new());
    let opened = door.clone();
    let mut wake_guard = WakeGuard::new(async move { opened.notified().await });
    // Asked here first, and waited for by another task after that.
    let first = poll_fn(|context| Poll::Ready(Pin::new(&mut wake_guard).poll(context).is_pending())).await;
    assert!(first);
    let (began, waiting) = tokio::sync::oneshot::channel();
    let mut began = Some(began);
    let waits = tokio::spawn(async move {
        poll_fn(|context| {
            let looked = Pin::new(&mut wake_guard).poll(context);
            began.take().map(|began| began.send(()));
            looked
        })
        .await;
    });
    waiting.await.unwrap();
    door.notify_one();
    waits.await.unwrap();
}

#[tokio::test]
async fn one_that_rings_while_it_is_asked_is_asked_again() {
    let mut left = 3;
    let ringing = poll_fn(move |context| {
        left -= 1;
        context.waker().wake_by_ref();
        if left == 0 { Poll::Ready("rung out") } else { Poll::Pending }
    });
    assert_eq!(WakeGuard::new(ringing).await, "rung out");
}
