//! Attempts at a write that others may be quicker with.

use crate::error::Result;
use rules::limits::WRITE_TRIES;

/// Which attempt it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    First,
    /// One before came to nothing.
    Further,
    Last,
}

/// Makes a write again where somebody else wrote the same row first: the next attempt comes after them, and finds it there.
pub(crate) async fn anew_if_taken<T, F>(attempt: impl Fn(Attempt) -> F + Send) -> Result<T>
where
    F: Future<Output = Result<T>> + Send,
    T: Send,
{
    for number in 1..WRITE_TRIES {
        match attempt(if number == 1 { Attempt::First } else { Attempt::Further }).await {
            Err(error) if error.is_taken() => {}
            outcome => return outcome,
        }
    }
    attempt(Attempt::Last).await
}
