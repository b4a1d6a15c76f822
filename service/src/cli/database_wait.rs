//! A start that waits for its database: after a power cut the two come up side by side, and the database may take longer.

use crate::app::CannotOpen;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long a start waits. Whoever watches over the service starts it again after that.
const LONGEST: Duration = Duration::from_secs(60);
const EVERY: Duration = Duration::from_secs(1);
/// So many tries pass before it is told again that there is still no answer.
const TOLD_EVERY: u32 = 10;

/// What `open` gives, as soon as the database answers it.
pub(super) async fn opened<T>(mut open: impl AsyncFnMut() -> Result<T, CannotOpen>) -> Result<T, CannotOpen> {
    let (began, mut tries) = (Instant::now(), 0);
    loop {
        match open().await {
            Err(CannotOpen::Store(error)) if is_away(&error) && began.elapsed() < LONGEST => {
                if tries % TOLD_EVERY == 0 {
                    let waited_seconds = began.elapsed().as_secs();
                    tracing::warn!(%error, waited_seconds, "the database does not answer yet; the start waits for it");
                }
                tries += 1;
                sleep(EVERY).await;
            }
            done => return done,
        }
    }
}

fn is_away(error: &store::Error) -> bool {
    matches!(error.kind(), store::Error::Unavailable(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn away() -> CannotOpen {
        CannotOpen::Store(store::Error::Unavailable("nobody answers".into()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_database_that_comes_up_late_is_waited_for() {
        let mut tries = 0;
        let open = async || {
            tries += 1;
            if tries < 40 { Err(away()) } else { Ok(tries) }
        };
        assert_eq!(opened(open).await.unwrap(), 40);
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_never_answers_ends_the_start_after_a_minute_and_other_trouble_at_once() {
        let began = Instant::now();
        opened::<()>(async || Err(away())).await.unwrap_err();
        assert_eq!(began.elapsed(), LONGEST);
        let began = Instant::now();
        let damaged = async || Err(CannotOpen::Store(store::Error::Damaged("a row".into())));
        opened::<()>(damaged).await.unwrap_err();
        assert_eq!(began.elapsed(), Duration::ZERO);
    }
}
