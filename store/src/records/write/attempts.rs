//! Attempts at a write that others may be quicker with.

use crate::error::Result;
use rules::limits::WRITE_TRIES;

/// Makes a write again where somebody else wrote the same row first: the next attempt comes after them, and finds it there. Each
/// is told whether it is the last.
pub(crate) async fn anew_if_taken<T, F>(attempt: impl Fn(bool) -> F + Send) -> Result<T>
where
    F: Future<Output = Result<T>> + Send,
    T: Send,
{
    for _ in 1..WRITE_TRIES {
        match attempt(false).await {
            Err(error) if error.is_taken() => {}
            outcome => return outcome,
        }
    }
    attempt(true).await
}
