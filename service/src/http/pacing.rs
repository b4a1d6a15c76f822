//! The pace of refusals. Who is refused because there is too much to do, and asks again at once, would take with refusals alone the
//! processor from everybody else; so these answers come a little later, which costs nothing but time of those who ask.

use axum::http::StatusCode;
use rules::limits::OVERLOAD_ANSWER_MILLISECONDS;
use std::time::Duration;

/// Waits before an answer of this status leaves, if it refuses for want of room.
pub(crate) async fn before(status: StatusCode) {
    if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        tokio::time::sleep(Duration::from_millis(OVERLOAD_ANSWER_MILLISECONDS)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::Instant;

    async fn waited(status: StatusCode) -> Duration {
        let began = Instant::now();
        before(status).await;
        began.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn only_answers_that_refuse_for_want_of_room_wait() {
        let later = Duration::from_millis(OVERLOAD_ANSWER_MILLISECONDS);
        for status in [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE] {
            assert!(waited(status).await >= later, "{status}");
        }
        for status in [StatusCode::OK, StatusCode::NOT_FOUND, StatusCode::FORBIDDEN] {
            assert_eq!(waited(status).await, Duration::ZERO, "{status}");
        }
    }
}
