//! "A document is read when its patient first opens its content through any door with a PATIENT session."
//!
//! Noted before the answer is sent: a receipt never claims less than the patient has seen.

use crate::app::App;
use crate::callers::caller::Caller;
use crate::documents::content;
use fhir::types::ResourceType;
use rules::ids::{PatientId, RowId};
use rules::scope::Scope;
use store::Result;
use store::documents::receipts;
use store::stored::resource::Resource;

/// The content of a Binary is opened, and with it every document of the patient that carries it.
pub async fn binary(app: &App, caller: &Caller, id: &str) -> Result<()> {
    let Some(patient) = reader(caller) else { return Ok(()) };
    for row in receipts::carrying(&app.store, id, patient).await? {
        receipts::note_opened(&app.store, row, patient, caller.now()).await?;
    }
    Ok(())
}

/// The content of a document is opened.
pub async fn document(app: &App, caller: &Caller, row: RowId) -> Result<()> {
    match reader(caller) {
        Some(patient) => receipts::note_opened(&app.store, row, patient, caller.now()).await,
        None => Ok(()),
    }
}

/// A resource is handed out as it is stored: a document is opened only if its content is inside, a Binary is without its own.
pub async fn as_stored(app: &App, caller: &Caller, found: &Resource) -> Result<()> {
    match found.resource_type {
        ResourceType::DocumentReference if reader(caller).is_some() && content::is_inside(&found.body) => {
            document(app, caller, found.row).await
        }
        _ => Ok(()),
    }
}

/// The patient whose own reading counts; nobody else's does.
fn reader(caller: &Caller) -> Option<PatientId> {
    caller.reach().own().filter(|_| caller.scope() == Some(Scope::Patient))
}
