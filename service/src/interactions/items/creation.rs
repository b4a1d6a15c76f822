//! Making items: all that were sent or none. What carries an external id that its source gave to an item of this kind before is
//! that item again.

use super::attached;
use super::background::{ItemBackground, ItemVersion};
use super::companions::queried;
use super::existing;
use super::files::ItemFile;
use super::kind::{ItemKind, external_id, of_patient};
use super::record::ItemRecord;
use super::writing::{self, BesideItem, ItemWrite, WriteSetting, Written, WrittenItem};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::write::request;
use crate::voices::api::ApiStop;
use fhir::json::Node;
use rules::limits::WRITE_TRIES;
use rules::reach::may_act_as;
use rules::rest_errors::RestError;
use rules::rest_faults::ValueFault;
use std::sync::Arc;
use store::search::compile::Search;
use store::search::post_filter;
use store::stored::resource::Resource;
use store::write::precondition::Precondition;
use views::elements::attachment::StoredAttachment;
use views::facts::Facts;
use views::kinds::document;
use views::sent::Sent;
use views::view;

/// As many items of one external id as are looked at: of other sources, and of other kinds.
const ALIKE: i64 = 50;

/// What an item that was sent is the next version of, and what must be found again when it is stored.
struct Aim {
    before: Option<Arc<Resource>>,
    precondition: Option<Precondition>,
}

/// Makes the items that were sent, in this record. `files` came with the first of them.
pub(crate) async fn create<K: ItemKind>(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    (sent, files): (&[Sent<K>], &[ItemFile]),
) -> Result<Vec<WrittenItem<K>>, ApiStop> {
    must_differ(sent)?;
    let mut setting = WriteSetting::of(app, caller).await?;
    // Where nothing is attached, what is wrong is said before anything is looked for.
    let attaches = sent.iter().any(|one| !one.view.attachments().is_empty());
    if !attaches {
        resources(&setting, record, sent)?;
    }
    for _ in 0..WRITE_TRIES {
        let since = app.store.mark();
        let mut background = ItemBackground::begin::<K>(app, caller, &record.patient).await?;
        let (mut aims, mut preconditions) = (Vec::new(), Vec::new());
        for one in sent {
            let Aim { before, precondition } = aim::<K>(app, caller, record, one).await?;
            preconditions.extend(precondition);
            aims.push(before);
        }
        let changed: Vec<&str> = aims.iter().flatten().map(|before| before.id.as_str()).collect();
        let items: Vec<&K> = sent.iter().map(|one| &one.view).collect();
        let attached = attached::known(app, caller, record, (&items, &changed)).await?;
        preconditions.extend(attached.preconditions);
        setting.attachments = attached.known;
        setting.attachments.extend(files.iter().map(|file| file.stored.clone()));
        let new = resources(&setting, record, sent)?;
        let mut writes = Vec::new();
        for ((at, one), (resource, before)) in sent.iter().enumerate().zip(new.into_iter().zip(aims)) {
            let mut write = match before {
                Some(before) => next(app, caller, (&setting, &mut background), (before, one)).await?,
                None => ItemWrite { resource, before: None, beside: Vec::new() },
            };
            write.beside = holding(&setting, record, (&write.resource, at), &attached.to_hold);
            if at == 0 {
                write.beside.extend(contents(files));
            }
            writes.push(write);
        }
        let rests_on = (preconditions, since);
        if let Written::Done(written) = writing::write::<K>(app, caller, writes, rests_on, &mut background).await? {
            return Ok(written);
        }
    }
    Err(request::overtaken().into())
}

/// What was sent, as resources that are new.
fn resources<K: ItemKind>(
    setting: &WriteSetting,
    record: &ItemRecord,
    sent: &[Sent<K>],
) -> Result<Vec<Node<'static>>, RestError> {
    let shown = Facts { base: &setting.base, patient_id: &record.patient, ..Facts::default() };
    view::create(sent, &setting.facts(shown))
}

/// The documents that are to hold what is attached to the item of this place.
pub(crate) fn holding(
    setting: &WriteSetting,
    record: &ItemRecord,
    (item, at): (&Node<'static>, usize),
    to_hold: &[(usize, StoredAttachment)],
) -> Vec<BesideItem> {
    let shown = Facts { base: &setting.base, patient_id: &record.patient, ..Facts::default() };
    let facts = setting.facts(shown);
    let own = to_hold.iter().filter(|(of, _)| *of == at).filter_map(|(_, one)| Some((one, one.document.clone()?)));
    own.map(|(one, id)| BesideItem::Document(id, document::holding(one, item, &facts))).collect()
}

/// The Binaries of files, as far as they are not there already.
fn contents(files: &[ItemFile]) -> impl Iterator<Item = BesideItem> {
    files.iter().filter_map(|file| file.content.clone()).map(|content| BesideItem::Content(Box::new(content)))
}

/// Refuses one external id for two items of a request.
fn must_differ<K>(sent: &[Sent<K>]) -> Result<(), RestError> {
    let mut known: Vec<&str> = Vec::new();
    for (at, one) in sent.iter().enumerate() {
        let Some(id) = one.item.external_id.as_deref() else { continue };
        if known.contains(&id) {
            return Err(RestError::Unprocessable(format!("[{at}].externalId: {}", ValueFault::Twice.words())));
        }
        known.push(id);
    }
    Ok(())
}

/// The item that is there, as its next version.
async fn next<K: ItemKind>(
    app: &App,
    caller: &Caller,
    (setting, background): (&WriteSetting, &mut ItemBackground),
    (before, sent): (Arc<Resource>, &Sent<K>),
) -> Result<ItemWrite, ApiStop> {
    background.learn::<K>(app, caller, std::slice::from_ref(&before)).await?;
    let changed = background.with_facts(ItemVersion::of(&before), |node: &Node<'_>, shown: &Facts<'_>| {
        view::update(node, before.version, sent, &setting.facts(shown.clone()))
    });
    let resource = changed.ok_or(RestError::NotFound(K::KIND))??;
    Ok(ItemWrite { resource, before: Some(before), beside: Vec::new() })
}

/// What is there already of what was sent: by the id, where the kind has its items sent again with it, or by the external id.
async fn aim<K: ItemKind>(app: &App, caller: &Caller, record: &ItemRecord, sent: &Sent<K>) -> Result<Aim, ApiStop> {
    if let (true, Some(id)) = (K::IS_SENT_AGAIN, &sent.item.id) {
        let item = existing::own::<K>(app, caller, id).await?;
        return match item.record.number == record.number {
            true => Ok(Aim { before: Some(item.resource), precondition: None }),
            false => Err(RestError::NotFound(K::KIND).into()),
        };
    }
    let (Some(id), Some(of)) = (&sent.item.external_id, K::TYPES.first()) else {
        return Ok(Aim { before: None, precondition: None });
    };
    let (query, _) = queried(app, caller, *of, &[external_id(id), of_patient(&record.patient)])?;
    let search = Search { query: &query, sort: &[], after: None, floor: None, limit: ALIKE };
    let found = post_filter::page(&app.store, caller.reach(), &search, caller.now()).await;
    let found: Vec<Arc<Resource>> =
        found.during("looking for an external id")?.entries.into_iter().map(|one| one.resource).collect();
    let mut background = ItemBackground::begin::<K>(app, caller, &record.patient).await?;
    background.learn::<K>(app, caller, &found).await?;
    let is_same = |one: &&Arc<Resource>| {
        may_act_as(caller.reach(), one.source) && background.show::<K>(ItemVersion::of(one)).is_some()
    };
    let before = found.iter().find(is_same).cloned();
    let others = found.iter().filter(|one| before.as_ref().is_none_or(|before| before.row != one.row));
    let without = others.map(|one| one.id.clone()).collect();
    let found = before.as_ref().map(|before| before.id.clone());
    Ok(Aim { precondition: Some(Precondition { query, found, without }), before })
}
