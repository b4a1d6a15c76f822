//! Which documents of the caller's organisations their patients have read. That it was asked is noted for each of them.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use rules::guidance::parts::READ_RECEIPTS;
use rules::ids::{OrganisationId, ViewerId};
use rules::moment::Moment;
use rules::reach::Right;
use std::collections::{BTreeMap, HashMap};
use store::documents::receipts;

/// When each document that is known was first read; unknown and foreign ones are not in it.
pub(crate) async fn find(
    app: &App,
    caller: &Caller,
    organisations: BTreeMap<OrganisationId, ViewerId>,
    identifiers: &[String],
) -> Result<HashMap<String, Option<Moment>>, ApiStop> {
    let mut known: HashMap<String, Option<Moment>> = HashMap::new();
    for (organisation, viewer) in organisations {
        for receipt in receipts::receipts(&app.store, organisation, identifiers).await.during("reading receipts")? {
            for patient in receipt.patients {
                app.accesses.note_one(&caller.viewer(), patient, READ_RECEIPTS, Right::Source, Some(viewer));
            }
            let read_at = known.entry(receipt.identifier).or_default();
            // Two documents under one identifier: read when the first of them was.
            *read_at = [*read_at, receipt.read_at].into_iter().flatten().min();
        }
    }
    Ok(known)
}
