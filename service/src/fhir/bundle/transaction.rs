//! A transaction: all writes of a Bundle in one transaction of the store, or none; then its reads.

use crate::app::body_budget::BodyClaim;
use crate::fhir::bundle::entry::{self, EntryRequest};
use crate::fhir::bundle::entry_read::{Desk, EntryRead};
use crate::fhir::bundle::responses::Responses;
use crate::fhir::write::acknowledgement;
use crate::interactions::read;
use crate::interactions::write::authority::BundleContext;
use crate::interactions::write::request::{self, WriteOutcome, WriteRequest};
use crate::interactions::write::target::{self, Target, There};
use crate::interactions::write::{criteria, execution};
use crate::preparation::{self, Flaw, LinkedText};
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::exchange::{ExchangeKind, RequestEntry};
use fhir::links::{self, Links};
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::{PREPARED_TOGETHER_BYTES, ROWS_OF_A_RESOURCE, TRANSACTION_INDEX_ROWS, WRITE_TRIES};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use store::write::precondition::Precondition;
use store::write::resource_write::NewResource;
use store::write::transaction::{Act, Effect, Plan, PlanOutcome};

/// A write of the transaction.
struct Write<'e> {
    /// The number of its entry.
    at: usize,
    entry: &'e RequestEntry,
    of: ResourceType,
    request: WriteRequest,
}

pub(crate) async fn answer(desk: &Desk<'_>, entries: &[RequestEntry]) -> Result<Response, ApiStop> {
    let (mut writes, mut reads) = (Vec::new(), HashMap::new());
    for (at, entry) in entries.iter().enumerate() {
        match entry::entry_request(desk.app, desk.caller, entry).await.map_err(|stop| stop.of_entry(at))? {
            EntryRequest::Read(reading) => {
                desk.must_be_understood(&reading).await.map_err(|stop| stop.of_entry(at))?;
                reads.insert(at, reading);
            }
            EntryRequest::Write(of, request) => writes.push(Write { at, entry, of, request }),
        }
    }
    let done = all(desk, &writes, &reads).await?;
    respond(desk, entries, (&writes, done), &reads).await
}

/// Does all writes. Where others change what they rest on meanwhile, all is planned anew.
async fn all(
    desk: &Desk<'_>,
    writes: &[Write<'_>],
    reads: &HashMap<usize, EntryRead>,
) -> Result<Vec<WriteOutcome>, ApiStop> {
    for _ in 0..WRITE_TRIES {
        let (plan, targets, actors, _until_made) = plan(desk, writes).await?;
        must_be_found(desk, reads, (writes, &targets)).await?;
        let outcome = match plan.acts.is_empty() {
            true => PlanOutcome::Done(Vec::new()),
            false => execution::make(desk.app, desk.caller, plan).await?,
        };
        match outcome {
            PlanOutcome::Done(effects) => return Ok(told(desk, targets, &actors, effects)),
            PlanOutcome::Moved => {}
            PlanOutcome::TooLarge => return Err(request::too_large().into()),
            PlanOutcome::Stopped(act, hindrance) => {
                let write = actors.get(act).and_then(|write| writes.get(*write));
                if let Some((write, refusal)) =
                    write.and_then(|write| Some((write, write.request.refusal(write.of, hindrance)?)))
                {
                    return Err(ApiStop::from(refusal).of_entry(write.at));
                }
            }
        }
    }
    Err(request::overtaken().into())
}

/// What is to be done, the target of each write, which write each act is of, and the room that all of it has.
async fn plan(desk: &Desk<'_>, writes: &[Write<'_>]) -> Result<(Plan, Vec<Target>, Vec<usize>, BodyClaim), ApiStop> {
    let since = desk.app.store.mark();
    let mut company = BundleContext::default();
    let targets = targets(desk, writes, &mut company.gone).await?;
    must_be_distinct(writes, &targets)?;
    let mut links = Links::default();
    for (write, target) in writes.iter().zip(&targets) {
        match (&target.there, &write.request) {
            (There::Gone, _) | (_, WriteRequest::Delete { .. }) => continue,
            (There::Already(_), _) => {}
            (_, request) => {
                let text = request.text().filter(|_| write.of == ResourceType::Patient);
                company.identities.written.extend(text.map(|text| (target.id.clone(), text.clone())));
                company.made.insert((write.of, target.id.clone()));
            }
        }
        if let Some(full_url) = &write.entry.full_url {
            links.add(full_url.as_str(), format!("{}/{}", write.of.name(), target.id));
        }
    }
    let mut plan = Plan { since, ..Plan::default() };
    plan.preconditions.extend(targets.iter().filter_map(|target| target.precondition.clone()));
    for write in writes {
        resolve(desk, write, (&mut links, &company.gone), &mut plan.preconditions)
            .await
            .map_err(|stop| stop.of_entry(write.at))?;
    }
    let links = Arc::new(links);
    company.links = Some(links.clone());
    let mut actors = Vec::with_capacity(writes.len());
    let mut held = desk.app.prepared.claim(desk.caller.taker());
    let mut prepared = VecDeque::new();
    for (number, (write, target)) in writes.iter().zip(&targets).enumerate() {
        if prepared.is_empty() {
            let left = writes.iter().zip(&targets).skip(number);
            prepared = together(desk, left, &links).await?;
        }
        let text = prepared.pop_front().flatten().transpose();
        let text = text.map_err(|flaw| ApiStop::from(flaw).of_entry(write.at))?;
        let aimed = (&write.request, target, write.entry.base());
        let act = execution::act(desk.app, desk.caller, write.of, aimed, text, &mut company).await;
        if let Some(act) = act.map_err(|stop| stop.of_entry(write.at))? {
            held.grow(act.held_bytes())?;
            plan.acts.push(act);
            actors.push(number);
        }
        // A transaction must not keep everybody else's requests waiting.
        tokio::task::yield_now().await;
    }
    plan.preconditions.append(&mut company.preconditions);
    must_be_short(&plan.acts)?;
    Ok((plan, targets, actors, held))
}

/// The next texts, as many as are prepared together, away from other requests where that takes long. What has no text of its own
/// to store has nothing in its place.
async fn together<'w>(
    desk: &Desk<'_>,
    left: impl Iterator<Item = (&'w Write<'w>, &'w Target)>,
    links: &Arc<Links>,
) -> Result<VecDeque<Option<Result<NewResource, Flaw>>>, ApiStop> {
    let (mut texts, mut bytes) = (Vec::new(), 0);
    for (write, target) in left {
        let text = match (&write.request, &target.there) {
            (_, There::Already(_) | There::Gone) => None,
            (WriteRequest::Create { text, .. } | WriteRequest::Update { text, .. }, _) => Some(LinkedText {
                text: text.clone(),
                relative_to: write.entry.base().map(String::from),
                resource_type: write.of,
                id: target.id.clone(),
                is_chosen: target.is_chosen,
            }),
            _ => None,
        };
        bytes += text.as_ref().map_or(0, |linked| linked.text.len());
        texts.push(text);
        if bytes >= PREPARED_TOGETHER_BYTES {
            break;
        }
    }
    let (links, base) = (links.clone(), preparation::base(&desk.app.settings.base_url));
    let one = move |linked: LinkedText| preparation::prepare_linked(&linked, &links, &base);
    let work = move || texts.into_iter().map(|text| text.map(&one)).collect();
    Ok(desk.app.workers.run(desk.caller.taker(), bytes, work).await?)
}

/// Refuses a transaction that would keep everybody else's writes waiting for too long.
fn must_be_short(acts: &[Act]) -> Result<(), Refusal> {
    let rows = |act: &Act| match act {
        Act::Put { new, .. } => preparation::index_rows(&new.content),
        Act::Delete { .. } => ROWS_OF_A_RESOURCE,
    };
    let rows: usize = acts.iter().map(rows).sum();
    match rows <= TRANSACTION_INDEX_ROWS {
        true => Ok(()),
        false => Err(Refusal::Unprocessable(format!(
            "searches would find what this transaction writes by {rows} values, and one can write {TRANSACTION_INDEX_ROWS}: \
             send it as several transactions, or as a batch"
        ))),
    }
}

/// Refuses a transaction with a read of what will not be there: a transaction is done as a whole, or not at all.
async fn must_be_found(
    desk: &Desk<'_>,
    reads: &HashMap<usize, EntryRead>,
    (writes, targets): (&[Write<'_>], &[Target]),
) -> Result<(), ApiStop> {
    let writes = writes.iter().zip(targets).filter(|(_, target)| !matches!(target.there, There::Gone));
    let is_deleted = |write: &Write<'_>| matches!(write.request, WriteRequest::Delete { .. });
    let written: HashMap<(ResourceType, &str), bool> =
        writes.map(|(write, target)| ((write.of, target.id.as_str()), is_deleted(write))).collect();
    let mut numbers: Vec<&usize> = reads.keys().collect();
    numbers.sort_unstable();
    for at in numbers {
        let Some(reading) = reads.get(at) else { continue };
        let Some((of, id)) = reading.named() else { continue };
        let found = match written.get(&(of, id)) {
            Some(false) => Ok(()),
            Some(true) if reading.is_of_now() => {
                let words = format!("{}/{id} is deleted by the same transaction", of.name());
                Err(Refusal::Gone(words).into())
            }
            _ => read::must_be_found(desk.app, desk.caller, (of, id), reading.is_of_now()).await,
        };
        found.map_err(|stop: ApiStop| stop.of_entry(*at))?;
    }
    Ok(())
}

/// The target of each write. What is deleted is deleted first, so that nothing else of the transaction finds it by criteria.
async fn targets(
    desk: &Desk<'_>,
    writes: &[Write<'_>],
    gone: &mut HashSet<(ResourceType, String)>,
) -> Result<Vec<Target>, ApiStop> {
    let mut found: Vec<Option<Result<Target, ApiStop>>> = writes.iter().map(|_| None).collect();
    for is_first in [true, false] {
        let before = if is_first { HashSet::new() } else { gone.clone() };
        for (write, place) in writes.iter().zip(&mut found) {
            if matches!(write.request, WriteRequest::Delete { .. }) != is_first {
                continue;
            }
            let target = target::target(desk.app, desk.caller, write.of, &write.request, &before).await;
            if let Ok(Target { there: There::Own(_), id, .. }) = &target
                && is_first
            {
                gone.insert((write.of, id.clone()));
            }
            let is_refused = target.is_err();
            *place = Some(target);
            if is_refused {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    // The first entry that is refused is told.
    let found = writes.iter().zip(found).filter_map(|(write, target)| Some((write, target?)));
    found.map(|(write, target)| target.map_err(|stop| stop.of_entry(write.at))).collect()
}

/// Refuses a transaction that would do two things to one resource, or make twice what must be there once.
fn must_be_distinct(writes: &[Write<'_>], targets: &[Target]) -> Result<(), ApiStop> {
    let (mut named, mut asked) = (HashMap::new(), HashMap::new());
    for (write, target) in writes.iter().zip(targets) {
        let before = match &target.there {
            There::Already(_) | There::Gone => None,
            _ => named.insert((write.of, target.id.as_str()), write.at),
        };
        if let Some(before) = before {
            let (name, id) = (write.of.name(), &target.id);
            let words = format!("entry[{before}] writes {name}/{id} already; a transaction writes a resource once");
            return Err(ApiStop::from(Refusal::Invalid(words)).of_entry(write.at));
        }
        let is_absent = target.precondition.as_ref().is_some_and(|precondition| precondition.found.is_none())
            && !matches!(write.request, WriteRequest::Delete { .. });
        let criteria = write.entry.if_none_exist.as_deref().unwrap_or(&write.entry.url);
        let criteria = criteria.rsplit_once('?').map_or(criteria, |(_, criteria)| criteria);
        let before = if is_absent { asked.insert((write.of, criteria), write.at) } else { None };
        if let Some(before) = before {
            let words = format!("entry[{before}] has the same criteria already, and nothing meets them yet");
            return Err(ApiStop::from(Refusal::Invalid(words)).of_entry(write.at));
        }
    }
    Ok(())
}

/// Finds what the conditional references of a resource mean: one resource that was there before, and is not deleted with this.
async fn resolve(
    desk: &Desk<'_>,
    write: &Write<'_>,
    (links, gone): (&mut Links, &HashSet<(ResourceType, String)>),
    preconditions: &mut Vec<Precondition>,
) -> Result<(), ApiStop> {
    let Some(text) = write.request.text() else { return Ok(()) };
    for (place, reference) in links::conditional(text) {
        let Some((of, criteria)) = links::criteria(&reference).filter(|_| !links.has(&reference)) else { continue };
        let query = criteria::of_text(desk.app, desk.caller, of, criteria).await?;
        let (found, precondition) = criteria::look(desk.app, desk.caller, &query, gone).await?;
        let Some(found) = found else {
            let words = format!("{place} refers to {reference}, which nothing meets that this caller may see");
            return Err(Refusal::PreconditionFailed(words).into());
        };
        links.add(reference, format!("{}/{}", of.name(), found.id));
        preconditions.push(precondition);
    }
    Ok(())
}

/// What was done to each target.
fn told(desk: &Desk<'_>, targets: Vec<Target>, actors: &[usize], effects: Vec<Effect>) -> Vec<WriteOutcome> {
    let mut effects: HashMap<usize, Effect> = actors.iter().copied().zip(effects).collect();
    let done = |(number, target): (usize, Target)| match effects.remove(&number) {
        Some(effect) => execution::done(target, effect),
        None => execution::without_act(desk.app, desk.caller, target),
    };
    targets.into_iter().enumerate().map(done).collect()
}

/// Answers in the order of the entries. What a read finds is told in its place, also what others have deleted since it was looked
/// for: the writes are made.
async fn respond(
    desk: &Desk<'_>,
    entries: &[RequestEntry],
    (writes, done): (&[Write<'_>], Vec<WriteOutcome>),
    reads: &HashMap<usize, EntryRead>,
) -> Result<Response, ApiStop> {
    let mut done: HashMap<usize, (ResourceType, WriteOutcome)> =
        writes.iter().zip(done).map(|(write, done)| (write.at, (write.of, done))).collect();
    let mut responses = Responses::of(ExchangeKind::Transaction);
    for (at, entry) in entries.iter().enumerate() {
        let answered = match (done.remove(&at), reads.get(&at)) {
            (Some((of, done)), _) => Ok(acknowledgement::of(desk.app, of, done, desk.preference)),
            (None, Some(_)) if responses.is_full() => Err(Refusal::TooCostly.into()),
            (None, Some(reading)) => desk.read(reading).await,
            (None, None) => continue,
        };
        responses.add(desk, entry, answered).await?;
    }
    Ok(responses.bundle())
}
