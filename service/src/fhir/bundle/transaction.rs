//! A transaction: all writes of a Bundle in one transaction of the store, or none; then its reads.

use crate::app::body_budget::BodyClaim;
use crate::fhir::bundle::entry::{self, EntryRequest};
use crate::fhir::bundle::entry_read::{Desk, EntryRead};
use crate::fhir::bundle::responses::Responses;
use crate::fhir::write::acknowledgement;
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
use std::collections::{HashMap, VecDeque};
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
    let done = all(desk, &writes).await?;
    respond(desk, entries, (&writes, done), &reads).await
}

/// Does all writes. Where others change what they rest on meanwhile, all is planned anew.
async fn all(desk: &Desk<'_>, writes: &[Write<'_>]) -> Result<Vec<WriteOutcome>, ApiStop> {
    for _ in 0..WRITE_TRIES {
        let (plan, targets, actors, _until_made) = plan(desk, writes).await?;
        let outcome = match plan.acts.is_empty() {
            true => PlanOutcome::Done(Vec::new()),
            false => execution::make(desk.app, desk.caller, plan).await?,
        };
        match outcome {
            PlanOutcome::Done(effects) => return Ok(told(desk, targets, &actors, effects)),
            PlanOutcome::Moved => {}
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
    let mut targets = Vec::with_capacity(writes.len());
    for write in writes {
        let target = target::target(desk.app, desk.caller, write.of, &write.request).await;
        targets.push(target.map_err(|stop| stop.of_entry(write.at))?);
        tokio::task::yield_now().await;
    }
    must_be_distinct(writes, &targets)?;
    let mut company = BundleContext::default();
    let mut links = Links::default();
    for (write, target) in writes.iter().zip(&targets) {
        let named = (write.of, target.id.clone());
        match &target.there {
            There::Gone => continue,
            There::Already(_) => {}
            _ if matches!(write.request, WriteRequest::Delete { .. }) => {
                company.gone.insert(named);
            }
            _ => {
                company.made.insert(named);
            }
        }
        if let Some(full_url) = &write.entry.full_url {
            links.add(full_url.as_str(), format!("{}/{}", write.of.name(), target.id));
        }
    }
    let mut plan = Plan { since, ..Plan::default() };
    plan.preconditions.extend(targets.iter().filter_map(|target| target.precondition.clone()));
    for write in writes {
        resolve(desk, write, &mut links, &mut plan.preconditions).await.map_err(|stop| stop.of_entry(write.at))?;
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
            held.grow(execution::held_bytes(&act))?;
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
        let is_absent = target.precondition.as_ref().is_some_and(|precondition| precondition.found.is_none());
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

/// Finds what the conditional references of a resource mean: one resource that was there before.
async fn resolve(
    desk: &Desk<'_>,
    write: &Write<'_>,
    links: &mut Links,
    preconditions: &mut Vec<Precondition>,
) -> Result<(), ApiStop> {
    let (WriteRequest::Create { text, .. } | WriteRequest::Update { text, .. }) = &write.request else { return Ok(()) };
    for (place, reference) in links::conditional(text) {
        let Some((of, criteria)) = links::criteria(&reference).filter(|_| !links.has(&reference)) else { continue };
        let query = criteria::of_text(desk.app, desk.caller, of, criteria).await?;
        let Some(found) = criteria::look(desk.app, desk.caller, &query).await? else {
            let words = format!("{place} refers to {reference}, which nothing meets that this caller may see");
            return Err(Refusal::PreconditionFailed(words).into());
        };
        links.add(reference, format!("{}/{}", of.name(), found.id));
        preconditions.push(Precondition { query, found: Some(found.id.clone()) });
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

/// Answers in the order of the entries. What a read finds is told in its place, also that there is nothing: the writes are made.
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
