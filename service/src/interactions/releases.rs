//! Content that is held back: the patient and carers see that it has arrived, and open it when it is released.

use super::inquiries;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::ids::RowId;
use store::documents::delays;
use store::read as records;

/// Refuses the content of a Binary to the patient and to carers, as long as every document that carries it is held back.
pub(crate) async fn of_binary(app: &App, caller: &Caller, id: &str) -> Result<(), ApiStop> {
    let Some(patient) = caller.reach().record() else { return Ok(()) };
    let held = delays::of_binary(&app.store, id, patient).await.during("looking whether a content is held back")?;
    let Some(until) = held else { return Ok(()) };
    // Whoever does not see the document hears of nothing.
    let seen = records::read(&app.store, caller.reach(), ResourceType::Binary, id, caller.now()).await;
    if seen.during("reading a Binary")?.is_none() {
        return Ok(());
    }
    inquiries::read_refused(app, caller, ResourceType::Binary, id);
    Err(Refusal::Denied(Denial::NotYetReleased(until)).into())
}

/// The same of the content inside a document that the caller sees.
pub(crate) async fn of_document(app: &App, caller: &Caller, (row, id): (RowId, &str)) -> Result<(), ApiStop> {
    if caller.reach().record().is_none() {
        return Ok(());
    }
    let held = delays::of_document(&app.store, row).await.during("looking whether a content is held back")?;
    let Some(until) = held else { return Ok(()) };
    inquiries::read_refused(app, caller, ResourceType::DocumentReference, id);
    Err(Refusal::Denied(Denial::NotYetReleased(until)).into())
}
