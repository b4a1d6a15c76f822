//! Futures that are begun and then let wait.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Polls once: enough to begin, too little to take what comes.
pub fn begin<T>(future: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Option<T> {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(ended) => Some(ended),
        Poll::Pending => None,
    }
}
