//! The pace of refusals. Who is refused because there is too much to do, and asks again at once, would take with refusals alone the
//! processor from everybody else; so these answers come a little later, which costs nothing but time of those who ask.

use axum::http::StatusCode;
use rules::limits::OVERLOAD_ANSWER_MILLISECONDS;
use std::time::Duration;

/// Whether an answer of this status refuses for want of room.
pub(crate) fn is_of_overload(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}

/// Waits before such an answer leaves.
pub(crate) async fn wait() {
    tokio::time::sleep(Duration::from_millis(OVERLOAD_ANSWER_MILLISECONDS)).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::Instant;

    #[test]
    fn only_answers_that_refuse_for_want_of_room_wait() {
        let statuses = [200, 404, 413, 429, 500, 503].map(|status| StatusCode::from_u16(status).unwrap());
        assert_eq!(statuses.map(is_of_overload), [false, false, false, true, false, true]);
    }

    #[tokio::test(start_paused = true)]
    async fn the_wait_is_as_long_as_the_limit_says() {
        let began = Instant::now();
        wait().await;
        let waited = began.elapsed().as_millis();
        assert!((OVERLOAD_ANSWER_MILLISECONDS.into()..1000).contains(&waited), "{waited}");
    }
}
