//! Items of one kind, in whosever records they are, as they are shown.

use super::background::{ItemBackground, Listed};
use super::kind::ItemKind;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use rules::ids::PatientId;
use std::sync::Arc;
use store::patients;
use store::stored::resource::Resource;
use views::list::ListQuery;

/// Each of these that fits the kind, record by record.
pub(crate) async fn shown<K: ItemKind>(
    app: &App,
    caller: &Caller,
    found: Vec<Arc<Resource>>,
) -> Result<Vec<Listed<K>>, ApiStop> {
    let mut by_patient: Vec<(PatientId, Vec<Arc<Resource>>)> = Vec::new();
    for one in found {
        let own = caller.reach().record().filter(|own| one.patients().any(|patient| patient == *own));
        let Some(patient) = own.or(one.patient) else { continue };
        match by_patient.iter_mut().find(|(known, _)| *known == patient) {
            Some((_, items)) => items.push(one),
            None => by_patient.push((patient, vec![one])),
        }
    }
    let mut listed = Vec::new();
    for (patient, items) in by_patient {
        let id = patients::fhir_id(&app.store, patient).await.during("reading whose an item is")?;
        let mut background = ItemBackground::begin::<K>(app, caller, &id.unwrap_or_default()).await?;
        background.learn::<K>(app, caller, &items).await?;
        listed.extend(background.listed::<K>(items, &ListQuery::default()));
    }
    Ok(listed)
}
