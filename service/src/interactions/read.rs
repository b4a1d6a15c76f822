//! Reading one resource, as it is now or as it was in a version.

use super::absence;
use super::inquiries;
use super::lens;
use super::noted::Noted;
use super::record_view;
use super::search::query;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::documents::reading;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::consent::view::View;
use rules::ids::PatientId;
use rules::noted::Outcome;
use rules::reach::Right;
use rules::smart::permissions::{ItemInteraction, Permissions};
use std::borrow::Cow;
use std::sync::Arc;
use store::history::versions;
use store::ownership::{self, RecordName};
use store::reach::circle;
use store::read as records;
use store::search::compile::Search;
use store::search::post_filter;
use store::stored::resource::Resource;

/// The caller as one who reads items of a type, if the scopes of the session permit it.
fn to_read(caller: &Caller, of: ResourceType) -> Result<Cow<'_, Caller>, Refusal> {
    let needed = Permissions::of(ItemInteraction::Read);
    caller.must_be_granted(of.name(), needed)?;
    Ok(caller.aimed_at(needed))
}

/// A resource as it is now. What is not there and what is out of reach are refused alike; what was deleted is gone.
pub(crate) async fn resource(app: &App, caller: &Caller, of: ResourceType, id: &str) -> Result<Noted, ApiStop> {
    if of == ResourceType::Patient {
        caller.must_be_of_glass(id)?;
    }
    let caller = &*to_read(caller, of)?;
    let found = records::find(&app.store, caller.reach(), of, id, caller.now()).await.during("reading a resource")?;
    let Some(found) = found else { return Err(absent(app, caller, of, id).await) };
    must_be_of_glass(caller, &found)?;
    let found = Noted::one(app, caller, found);
    absence::must_be_there(&found)?;
    record_view::of_resource(caller, &found);
    Ok(found)
}

/// What is said of a resource that the caller does not see: whoever saw it in a record that it was taken out of hears that it is
/// gone from there, and sees its past.
async fn absent(app: &App, caller: &Caller, of: ResourceType, id: &str) -> ApiStop {
    if let Err(denial) = frozen(app, caller, of, id).await {
        return denial;
    }
    let seen = versions::last_seen(&app.store, caller.reach(), (of, id), caller.now()).await;
    match seen.during("reading the past of a resource") {
        Ok(Some(last)) => absence::taken_out(&Noted::one(app, caller, last)).into(),
        Ok(None) => absence::unread((app, caller), (of, id)).into(),
        Err(trouble) => trouble.into(),
    }
}

/// Refuses what is in another record than the one whose glass was broken.
fn must_be_of_glass(caller: &Caller, found: &Resource) -> Result<(), Refusal> {
    let Some(open) = caller.glass() else { return Ok(()) };
    let mut patients = found.patients().peekable();
    match patients.peek().is_none() || patients.any(|patient| patient == open.glass.patient) {
        true => Ok(()),
        false => Err(Refusal::Denied(Denial::GlassInvalid)),
    }
}

/// What a professional without a team hears of a record that is frozen and would be open to them otherwise. It is looked for among
/// those whom they have to do with, so that what they have nothing to do with costs no step more than what does not exist.
async fn frozen(app: &App, caller: &Caller, of: ResourceType, id: &str) -> Result<(), ApiStop> {
    let Some(person) = caller.reach().person() else { return Ok(()) };
    let frozen = circle::frozen_to(&app.store, person).await.during("looking for frozen records")?;
    if frozen.is_empty() {
        return Ok(());
    }
    let name = RecordName::Resource(of, id.to_owned());
    let patients = ownership::patients(&app.store, &[name]).await.during("looking for a record")?;
    for patient in patients.into_iter().flatten().filter(|patient| frozen.contains(patient)) {
        let circle = circle::of(&app.store, patient).await.during("looking at who sees a patient")?;
        if circle.views(caller.reach(), caller.now()).contains(&View::In) {
            return Err(Refusal::Denied(Denial::FrozenInward).into());
        }
    }
    Ok(())
}

/// Refuses to read what is not there; `of_now` is whether it is the resource as it is now, and not its past, that is read.
pub(crate) async fn must_be_found(
    app: &App,
    caller: &Caller,
    (of, id): (ResourceType, &str),
    of_now: bool,
) -> Result<(), ApiStop> {
    let caller = &*to_read(caller, of)?;
    let found = records::find(&app.store, caller.reach(), of, id, caller.now()).await;
    match found.during("looking for what is read")? {
        Some(found) if of_now => {
            must_be_of_glass(caller, &found)?;
            Ok(absence::must_be_there(&found)?)
        }
        Some(found) => Ok(must_be_of_glass(caller, &found)?),
        None => Err(absent(app, caller, of, id).await),
    }
}

/// The resource where there may be nothing to read.
pub(crate) async fn if_there(app: &App, caller: &Caller, of: ResourceType, id: &str) -> Result<Option<Noted>, ApiStop> {
    let caller = &*to_read(caller, of)?;
    let found = records::read(&app.store, caller.reach(), of, id, caller.now()).await.during("reading a resource")?;
    let Some(found) = found else { return Ok(None) };
    must_be_of_glass(caller, &found)?;
    record_view::of_resource(caller, &found);
    Ok(Some(Noted::one(app, caller, found)))
}

/// Counts that there was nothing of this id to read, whatever it would have been of these types.
pub(crate) fn found_none(app: &App, caller: &Caller, types: &[ResourceType], id: &str) {
    types.iter().for_each(|of| inquiries::read_refused(app, caller, *of, id));
}

/// The Patient resource of the caller's own record, if it is there. What the service itself knows of the patient is shown, too,
/// so that the look is noted either way.
pub(crate) async fn own_patient(
    app: &App,
    caller: &Caller,
    own: PatientId,
    id: &str,
) -> Result<Option<Noted>, ApiStop> {
    let of = ResourceType::Patient;
    let found = if_there(app, caller, of, id).await?;
    if found.is_none() {
        app.accesses.note_one(&caller.viewer(), own, of.name(), Right::Own, None);
    }
    Ok(found)
}

/// The Patient who has this identifier, if there is one whom the caller may see. Several are none: nobody can say who is meant.
pub(crate) async fn patient_by_identifier(
    app: &App,
    caller: &Caller,
    (system, value): (&str, &str),
) -> Result<Option<Noted>, ApiStop> {
    let escaped = value.replace('\\', "\\\\").replace(',', "\\,").replace('|', "\\|").replace('$', "\\$");
    let sent = [("identifier".to_owned(), format!("{system}|{escaped}"))];
    let (query, _) = query::read_with(app, ResourceType::Patient, &sent, caller, &[])?;
    let search = Search { query: &query, sort: &[], after: None, floor: None, limit: 2 };
    let page =
        post_filter::page(&app.store, caller.reach(), &search, caller.now()).await.during("looking a Patient up")?;
    let mut found: Vec<Arc<Resource>> = page.entries.into_iter().map(|one| one.resource).collect();
    found.truncate(if found.len() == 1 { 1 } else { 0 });
    let shown = Noted::all(app, caller, found);
    inquiries::searched((app, caller), std::iter::once(&query), Outcome::Withheld, &shown);
    Ok(shown.into_iter().next())
}

/// A version of a resource.
pub(crate) async fn version(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    (id, version): (&str, i64),
) -> Result<Noted, ApiStop> {
    let caller = &*to_read(caller, of)?;
    let found = Noted::one(app, caller, version_in_reach(app, caller, of, (id, version)).await?);
    absence::must_be_there(&found)?;
    Ok(found)
}

/// What was just written, for its writer.
pub(crate) async fn written(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    version: (&str, i64),
) -> Result<Noted, ApiStop> {
    Ok(Noted::by_write(version_in_reach(app, caller, of, version).await?))
}

async fn version_in_reach(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    (id, version): (&str, i64),
) -> Result<Arc<Resource>, ApiStop> {
    let found = versions::read(&app.store, caller.reach(), (of, id), version, caller.now()).await;
    let found = found.during("reading a version")?.filter(|found| lens::opens(caller, found));
    let found = absence::present((app, caller), (of, id), found)?;
    must_be_of_glass(caller, &found)?;
    Ok(found)
}

/// The body of what was read is given out: a document whose content is inside is opened by that.
pub(crate) async fn open(app: &App, caller: &Caller, found: &Noted) -> Result<(), ApiStop> {
    Ok(reading::as_stored(app, caller, found).await.during("noting that a document was read")?)
}
