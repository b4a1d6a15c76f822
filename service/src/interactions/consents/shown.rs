//! A consent as whoever changed it is shown it.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::write::request::WriteOutcome;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::reach::Reach;
use store::read as records;
use store::sharing::change::SharingOutcome;
use store::write::resource_write::{Outcome, Stored};

/// The Consent of a change that was made, or as it was where nothing was to be changed.
pub(crate) async fn written(app: &App, caller: &Caller, outcome: SharingOutcome) -> Result<WriteOutcome, ApiStop> {
    let id = outcome.consent.consent().id.to_string();
    if let Some(stored) = outcome.stored {
        return Ok(WriteOutcome::Stored { id, stored: Stored { is_new: outcome.is_new, ..stored } });
    }
    let reach = Reach::of_patient(outcome.consent.consent().patient);
    let found = records::read(&app.store, &reach, ResourceType::Consent, &id, caller.now()).await;
    let found = found.during("reading a Consent")?.ok_or(Refusal::Denied(Denial::NotFound))?;
    let (version, updated_at, body) = (found.version, found.updated_at, found.body.clone());
    let stored = Stored { outcome: Outcome::Unchanged, version, updated_at, is_new: false, body };
    Ok(WriteOutcome::Stored { id, stored })
}
