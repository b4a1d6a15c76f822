//! `worst_bodies_rss_mib`: resident memory of the service at the most, under the worst bodies that are known from as many connections
//! as one address may have: long, deep and broken JSON of several callers, and uploads of one caller that never end.

use super::body_shapes;
use super::plan::Plan;
use super::record::Record;
use crate::http::flood::{Flood, FloodRates, FloodRequest, Listening};
use crate::http::requests;
use crate::http::scripts::member;
use crate::measure::figure::{Figure, Goal};
use crate::measure::progress;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::people::{self, ORGANISATION, SYSTEM_SECRET, sender};
use bytes::Bytes;
use rules::limits::CONNECTIONS_PER_ADDRESS;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

pub(crate) const NAME: &str = "worst_bodies_rss_mib";
const GOAL: Goal = Goal::AtMost(400.0);

/// As many as together may have all the room for bodies that there is.
const SENDERS: usize = 8;
/// Each flood lasts for so many rounds, because most bodies are refused at once and it takes time until all shapes have had their
/// turn; and that of whole bodies until there are so many answers for each connection, however slow the machine is.
const ROUNDS: u32 = 8;
const ANSWERS: u32 = 8;
/// And no longer than that.
const LONGEST: Duration = Duration::from_secs(240);
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
const UNFINISHED_BYTES: usize = 9_900_000;

pub(crate) async fn measure(plan: &Plan, record: &Record) -> Result<Figure, Trouble> {
    progress::say(NAME);
    people::lay_senders(&record.service, SENDERS).await?;
    let server = record.service.serve().await?;
    let mut tokens = Vec::new();
    for number in 0..SENDERS {
        tokens.push(token(&server, &sender(number)).await?);
    }
    let idle = server.resident_mib()?;
    let (length, answers) = match plan.quick {
        true => (plan.length, 0),
        false => (plan.length * ROUNDS, ANSWERS * u32::try_from(CONNECTIONS_PER_ADDRESS)?),
    };
    let are_answered =
        |flood: &Flood, lasted: Duration| lasted >= LONGEST || (lasted >= length && flood.answered() >= answers);
    let (rates, own) = flood(&server, shapes(&server.host(), &tokens, plan.quick), are_answered).await?;
    let of_shapes = server.peak_mib()?;
    let unfinished = unfinished(&server.host(), tokens.first().ok_or("nobody sends")?);
    let (_, own_later) = flood(&server, unfinished, |_, lasted| lasted >= length).await?;
    let peak = server.peak_mib()?;
    server.stop().await?;
    let how = format!("{CONNECTIONS_PER_ADDRESS} connections of {SENDERS} callers, over {} resources", record.count);
    Ok(Figure::of(NAME, peak, Some(GOAL), how)
        .with("rss_before_mib", idle)
        .with("rss_of_whole_bodies_mib", of_shapes)
        .with("rss_without_files_mib", own.max(own_later))
        .with("bodies_per_second", rates.answered)
        .with("refused_per_second", rates.refused))
}

async fn token(server: &Server, client: &str) -> Result<String, Trouble> {
    let form = "grant_type=client_credentials";
    let request = requests::form_with_secret(&server.host(), "/apiToken.action", client, SYSTEM_SECRET, form);
    Ok(member(&server.sample(&request).await?.1, "access_token")?.to_owned())
}

/// What was answered, and what the service had at the most of memory that is no page of a file: those of the store are counted, too,
/// and the system takes them back when it needs them.
async fn flood(
    server: &Server,
    requests: Arc<[FloodRequest]>,
    is_over: impl Fn(&Flood, Duration) -> bool,
) -> Result<(FloodRates, f64), Trouble> {
    let flood = Flood::begin(server.address, CONNECTIONS_PER_ADDRESS, &requests, Listening::AtOnce);
    let (began, mut own) = (Instant::now(), 0.0_f64);
    while !is_over(&flood, began.elapsed()) {
        sleep(BETWEEN_LOOKS).await;
        own = own.max(server.anonymous_mib()?);
    }
    Ok((flood.end().await, own))
}

/// Every shape of every caller, so that neighbours in the list are of different ones.
fn shapes(host: &str, tokens: &[String], quick: bool) -> Arc<[FloodRequest]> {
    let shapes = body_shapes::all(quick);
    let of_all = shapes.iter().flat_map(|(path, body)| {
        tokens.iter().map(|token| FloodRequest {
            head: requests::create_head(host, path, token, ORGANISATION, body.len()),
            body: body.clone(),
        })
    });
    of_all.collect()
}

/// All but the end of a long upload.
fn unfinished(host: &str, token: &str) -> Arc<[FloodRequest]> {
    let head = requests::create_head(host, "/fhir/Observation", token, ORGANISATION, UNFINISHED_BYTES);
    Arc::new([FloodRequest { head, body: Bytes::from(vec![b' '; UNFINISHED_BYTES - 100_000]) }])
}
