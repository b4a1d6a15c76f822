//! Many callers at the same moment.

use std::sync::Arc;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

/// Callers of every concurrency shot.
pub const CALLERS: usize = 64;

/// Lets every caller begin at once and gives all their answers.
pub async fn together<T, F>(calls: impl IntoIterator<Item = F>) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    let calls: Vec<F> = calls.into_iter().collect();
    let start = Arc::new(Barrier::new(calls.len()));
    let mut running = JoinSet::new();
    for call in calls {
        let start = start.clone();
        running.spawn(async move {
            start.wait().await;
            call.await
        });
    }
    running.join_all().await
}

/// How many of the answers are as described.
pub fn how_many<T>(answers: &[T], described: impl Fn(&T) -> bool) -> usize {
    answers.iter().filter(|answer| described(answer)).count()
}
