//! What is done to records before they are served: those that an older release wrote are read anew, and what is inside the
//! Binaries among them is taken out.

use crate::preparation::{base, prepare_stored};
use rules::moment::Moment;
use std::sync::Arc;
use store::{Result, Store, reindex, relocation};

/// Reads what waits for it anew, and logs how far it is.
pub(super) async fn read_anew(store: &Store, base_url: &str, now: Moment) -> Result<()> {
    let base = base(base_url);
    let reader = Arc::new(move |body: &str| prepare_stored(body, &base));
    let progress = |done: u64| {
        if done.is_multiple_of(10_000) {
            tracing::info!(done, "reading resources of an older release anew");
        }
    };
    let done = reindex::run(store, reader, now, progress).await?;
    if done > 0 {
        tracing::info!(done, "resources of an older release were read anew");
    }
    let progress = |done: u64| {
        if done.is_multiple_of(1000) {
            tracing::info!(done, "taking the content of Binaries out of their bodies");
        }
    };
    let done = relocation::run(store, now, progress).await?;
    if done > 0 {
        tracing::info!(done, "the content of Binaries was taken out of their bodies");
    }
    Ok(())
}
