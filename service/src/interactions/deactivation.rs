//! Deactivating the account of a patient, by a Team Coordinator or the team that has the patient in its care.

use super::items::record::ItemRecord;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::rest_errors::RestError;
use store::deactivation::{self, Deactivation, DeactivationOrder};

const NOT_IN_CARE: Denial =
    Denial::NoConsent("your team does not have this patient in its care; whose team does ends the account");

/// Has nobody sign in by the account of this patient any more, and ends its sessions. What was done already is done.
pub(crate) async fn deactivate(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    reason: Option<String>,
) -> Result<(), ApiStop> {
    let order =
        DeactivationOrder { patient: record.number, teams: caller.reach().teams().to_vec(), by: caller.user(), reason };
    let done = deactivation::deactivate(&app.store.by(caller.author()), order, caller.now()).await;
    match done.during("deactivating an account")? {
        Deactivation::Done => Ok(()),
        Deactivation::NotInCare => Err(Refusal::Denied(NOT_IN_CARE).into()),
        Deactivation::OfSeveral => Err(RestError::account_of_several().into()),
    }
}
