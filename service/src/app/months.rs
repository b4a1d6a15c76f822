//! Months of the ledger while the service runs: closed when they are over, and dropped when they are older than the operator
//! wants to keep.

use super::state::Shared;
use rules::moment::Moment;
use std::sync::Arc;
use store::ledger::{self, Month, Notary, RetentionStep};

/// Closes the months that are over. `present` is the month in which that was done last: until it is over, there is nothing to
/// do.
pub async fn close(app: &Shared, present: &mut Option<Month>) -> store::Result<()> {
    let now = app.belief.moment(&app.clock);
    if *present == Some(Month::of(now)) {
        return Ok(());
    }
    let notary: Arc<dyn Notary> = Arc::new(app.clone());
    for root in ledger::close(&app.store, now, &notary).await? {
        let sha256: String = root.hash.iter().map(|byte| format!("{byte:02x}")).collect();
        // Whoever keeps the log elsewhere has a copy of the root there.
        tracing::info!(
            month = %root.month, first = root.first, last = root.last, sha256, key = root.seal.key,
            "closed a month of the ledger"
        );
    }
    *present = Some(Month::of(now));
    Ok(())
}

/// Takes one step towards keeping no more than the operator wants; tells whether there may be another.
pub async fn expire(app: &Shared, believed: Moment) -> store::Result<bool> {
    let retention = app.settings.retention.as_ref();
    let notary: Arc<dyn Notary> = Arc::new(app.clone());
    match ledger::expire(&app.store, retention, believed, &notary).await {
        Ok(RetentionStep::Done) => Ok(false),
        Ok(RetentionStep::Piece) => Ok(true),
        Ok(RetentionStep::Dropped(month)) => {
            let (by, archive) = (retention.map(|kept| &kept.by), retention.and_then(|kept| kept.archive.as_ref()));
            tracing::info!(%month, ?by, ?archive, "dropped a month of the ledger");
            Ok(true)
        }
        // Somebody reads the ledger, or another process writes the same archive: there is time.
        Err(error) if error.is_passing() || matches!(error.kind(), store::Error::InUse(_)) => Ok(false),
        Err(error) => Err(error),
    }
}
