//! What items name as attached: as far as it is there for them, and what must still be so when they are stored.

use super::companions::queried;
use super::kind::{Attaching, ItemKind, of_patient};
use super::record::ItemRecord;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::preparation::base;
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use fhir::reference;
use fhir::types::ResourceType;
use rules::reach::may_act_as;
use serde_json::Value;
use std::sync::Arc;
use store::documents::{attachments, contents};
use store::read as records;
use store::search::compile::Search;
use store::search::post_filter;
use store::stored::resource::Resource;
use store::write::precondition::Precondition;
use views::elements::attachment::StoredAttachment;

const BINARY: ResourceType = ResourceType::Binary;
const DOCUMENT: ResourceType = ResourceType::DocumentReference;
/// As many documents around one Binary as are looked at.
const ALIKE: i64 = 50;

/// What is known of the attachments that the items of a request name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attached {
    pub known: Vec<StoredAttachment>,
    /// Those that nothing holds yet, for which a document is to be made, with the place of the item that names it first.
    pub to_hold: Vec<(usize, StoredAttachment)>,
    pub preconditions: Vec<Precondition>,
}

/// What is known of those that these items of a record name. `changed` are the ids of the items that are there already.
pub(crate) async fn known<K: ItemKind>(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    (items, changed): (&[&K], &[&str]),
) -> Result<Attached, ApiStop> {
    let mut attached = Attached::default();
    if K::ATTACHING == Attaching::Nothing {
        return Ok(attached);
    }
    for (at, item) in items.iter().enumerate() {
        for id in item.attachments() {
            if attached.known.iter().any(|known| known.id == id) || !reference::is_id(&id) {
                continue;
            }
            let found = records::read(&app.store, caller.reach(), BINARY, &id, caller.now()).await;
            let Some(binary) = found.during("reading an attachment")? else { continue };
            match K::ATTACHING {
                Attaching::Itself => by_itself(app, caller, record, (&binary, changed), &mut attached).await?,
                _ => by_document(app, caller, record, (&binary, at), &mut attached).await?,
            }
        }
    }
    Ok(attached)
}

/// For a document: what its source stored, and what nothing else holds.
async fn by_itself(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    (binary, changed): (&Resource, &[&str]),
    attached: &mut Attached,
) -> Result<(), ApiStop> {
    if !may_act_as(caller.reach(), binary.source) {
        return Ok(());
    }
    let loose = still_loose(app, caller, &binary.id).await?;
    let holders = attachments::holders(&app.store, &binary.id).await.during("looking for what holds an attachment")?;
    let Some(name) = name(app, caller, record, binary, holders.is_empty()).await? else { return Ok(()) };
    let is_changed = |(of, id): &(ResourceType, String)| *of == DOCUMENT && changed.contains(&id.as_str());
    let is_held = !holders.is_empty() && !holders.iter().any(is_changed);
    if holders.is_empty() {
        attached.preconditions.extend(loose);
    }
    attached.known.push(StoredAttachment { is_held, ..described(app, binary, name).await? });
    Ok(())
}

/// For what names documents: the one of this record that holds it, or else one that is to be made.
async fn by_document(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    (binary, at): (&Resource, usize),
    attached: &mut Attached,
) -> Result<(), ApiStop> {
    let around = around(app, caller, &binary.id, Some(record)).await?;
    if let Some(document) = around.first() {
        let known = described(app, binary, None).await?;
        attached.known.push(StoredAttachment { document: Some(document.id.clone()), ..known });
        return Ok(());
    }
    let loose = still_loose(app, caller, &binary.id).await?;
    let held = attachments::holders(&app.store, &binary.id).await.during("looking for what holds an attachment")?;
    if !held.is_empty() || !may_act_as(caller.reach(), binary.source) {
        return Ok(());
    }
    let Some(name) = name(app, caller, record, binary, true).await? else { return Ok(()) };
    attached.preconditions.extend(loose);
    let document = Some(dice::resource_id(caller.now())?);
    let known = StoredAttachment { document, ..described(app, binary, name).await? };
    attached.known.push(known.clone());
    attached.to_hold.push((at, known));
    Ok(())
}

/// What its sender called it; nothing at all where it is another record's, or its time is over.
async fn name(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    binary: &Resource,
    is_loose: bool,
) -> Result<Option<Option<String>>, ApiStop> {
    let said: Value = serde_json::from_str(&binary.body).unwrap_or_default();
    let context = said.pointer("/securityContext/reference").and_then(Value::as_str);
    let base = base(&app.settings.base_url);
    let patient = context.and_then(|context| reference::id_in(context, ResourceType::Patient, &base));
    if patient.is_some_and(|patient| patient != record.patient) {
        return Ok(None);
    }
    let loose = attachments::loose(&app.store, &binary.id).await.during("looking an attachment up")?;
    let is_over = is_loose && loose.as_ref().is_some_and(|loose| caller.now().is_past(loose.until));
    Ok((!is_over).then(|| loose.and_then(|loose| loose.name)))
}

/// An attachment by its Binary.
async fn described(app: &App, binary: &Resource, name: Option<String>) -> Result<StoredAttachment, ApiStop> {
    let said: Value = serde_json::from_str(&binary.body).unwrap_or_default();
    let stored = contents::find(&app.store, binary).await.during("looking a content up")?;
    let size = stored.map_or(0, |stored| stored.length());
    Ok(StoredAttachment {
        id: binary.id.clone(),
        name,
        content_type: said.get("contentType").and_then(Value::as_str).map(String::from),
        size: i64::try_from(size).ok(),
        document: None,
        is_held: false,
    })
}

/// That it is there and that no document of the caller's is around it, but those that are now, when it is attached. Asked before it is
/// looked for what holds it: a document that comes between the two is found then, and one that comes later is none of those.
async fn still_loose(app: &App, caller: &Caller, id: &str) -> Result<[Precondition; 2], ApiStop> {
    let (there, _) = queried(app, caller, BINARY, &[("_id", id.to_owned())])?;
    let (documents, _) = queried(app, caller, DOCUMENT, &[location(id)])?;
    let without = around(app, caller, id, None).await?.iter().map(|document| document.id.clone()).collect();
    Ok([
        Precondition { query: there, found: Some(id.to_owned()), without: Vec::new() },
        Precondition { query: documents, found: None, without },
    ])
}

/// The documents that the caller sees around a Binary, of one record or of any.
async fn around(
    app: &App,
    caller: &Caller,
    id: &str,
    record: Option<&ItemRecord>,
) -> Result<Vec<Arc<Resource>>, ApiStop> {
    let criteria: Vec<_> = record.map(|record| of_patient(&record.patient)).into_iter().chain([location(id)]).collect();
    let (query, _) = queried(app, caller, DOCUMENT, &criteria)?;
    let search = Search { query: &query, sort: &[], after: None, floor: None, limit: ALIKE };
    let found = post_filter::page(&app.store, caller.reach(), &search, caller.now()).await;
    Ok(found.during("looking for documents")?.entries.into_iter().map(|one| one.resource).collect())
}

fn location(id: &str) -> (&'static str, String) {
    ("location", format!("{}/{id}", BINARY.name()))
}
