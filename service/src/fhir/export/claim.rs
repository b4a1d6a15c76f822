//! Whose an export is: the URL by which it is asked for, and who may. Only the client that began it, for the same user, or where
//! there is none for the same organisation or team.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::http::call::Call;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use rules::answers::Refusal;
use rules::consent::glass::GlassDeed;
use rules::ids::{ClientId, ExportId};
use store::export::jobs::{self, Export, ExportHolder};

/// The id of an export is sealed, so that our own numbers tell nobody how many there are.
const PREFIX: &str = "rge_";

/// As whose an export of this caller is kept. Our numbers are unique across all kinds.
pub(crate) fn holder(caller: &Caller) -> ExportHolder {
    let reach = caller.reach();
    let of_reach = || reach.own().map(|own| own.0).or_else(|| Some(reach.organisation()?.0));
    let of_team = || reach.teams().first().map(|team| team.0);
    let number = caller.user().map(|user| user.0).or_else(of_reach).or_else(of_team).unwrap_or_default();
    // An export is asked for with a token, so that there is a client; no client has the number 0.
    (caller.client().unwrap_or(ClientId(0)), number)
}

/// Where an export is asked for.
pub(crate) fn url(app: &App, id: ExportId) -> Result<String, Refusal> {
    let sealed = app.keys.seal(PREFIX, &id.0.to_be_bytes()).ok_or(Refusal::Unavailable)?;
    Ok(format!("{}/$export/{sealed}", base(&app.settings.base_url)))
}

/// The id that a path names.
pub(crate) fn named(call: &Call) -> Result<ExportId, Refusal> {
    let id = call.part("id").and_then(|sealed| call.app.keys.open_sealed(PREFIX, &sealed));
    let id = id.and_then(|bytes| bytes.try_into().ok()).map(|bytes| ExportId(i64::from_be_bytes(bytes)));
    id.ok_or_else(not_there)
}

/// An export, if it is this caller's and can still be fetched.
pub(crate) async fn find(app: &App, caller: &Caller, id: ExportId) -> Result<Export, ApiStop> {
    caller.must_not_by_glass(GlassDeed::Export)?;
    let found = jobs::find(&app.store, id, caller.now()).await.during("looking an export up")?;
    Ok(found.filter(|export| export.holder == holder(caller)).ok_or_else(not_there)?)
}

pub(crate) fn not_there() -> Refusal {
    Refusal::NotFound("there is no export of this caller here; it was cancelled, has expired, or never was".into())
}
