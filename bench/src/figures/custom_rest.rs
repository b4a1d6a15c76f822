//! `rest_list_ratio`, `rest_create_per_second` and `clinician_search_ratio`: patients who list and add to their own measurements, each
//! by a token of their own, and a clinician who searches in records that are open to the team in part.

use super::plan::Plan;
use super::record::{Record, Somebody};
use super::searches::newest_weights;
use crate::bare::order::{self, Work};
use crate::http::driver::CONNECTIONS;
use crate::http::requests;
use crate::http::scripts::Walk;
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, cpu_us, p99_ms, rate};
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::service::accounts;
use crate::service::child::Server;
use crate::service::clinicians;
use crate::service::people::TEAM;
use serde_json::json;
use std::sync::Arc;

pub(crate) const LIST: &str = "rest_list_ratio";
pub(crate) const CREATE: &str = "rest_create_per_second";
pub(crate) const SEARCH: &str = "clinician_search_ratio";

const LIST_GOAL: Goal = Goal::AtLeast(0.25);
const CREATE_GOAL: Goal = Goal::AtLeast(4_500.0);
const SEARCH_GOAL: Goal = Goal::AtLeast(0.2);
/// How many of the people have an account.
const ACCOUNTS: usize = 64;

/// Those of them that are wanted, of one store, in which the creates are the last.
pub(crate) async fn measure(plan: &Plan, record: &Record, server: &Server) -> Result<Vec<Figure>, Trouble> {
    let mut figures = Vec::new();
    if !plan.wants(&[LIST, CREATE, SEARCH]) {
        return Ok(figures);
    }
    let people: Vec<&Somebody> = record.people.iter().take(ACCOUNTS).collect();
    let ids: Vec<&str> = people.iter().map(|one| one.id.as_str()).collect();
    let tokens = accounts::tokens(&record.service, server, &ids).await?;
    let host = server.host();
    if plan.wants(&[LIST]) {
        let list = |token: &String| requests::read(&host, "/json/measurements/byType/weight?limit=20", token);
        let asked: Arc<[Vec<u8>]> = tokens.iter().map(list).collect();
        figures.push(beside_bare(plan, server, (LIST, LIST_GOAL), &asked).await?);
    }
    if plan.wants(&[SEARCH]) {
        open_in_part(server, &ids, &tokens).await?;
        let clinician = clinicians::tokens(&record.service, server, 1).await?;
        let token = clinician.first().ok_or("there is no clinician")?;
        let search = |one: &&Somebody| requests::read(&host, &newest_weights(one), token);
        let asked: Arc<[Vec<u8>]> = people.iter().map(search).collect();
        figures.push(beside_bare(plan, server, (SEARCH, SEARCH_GOAL), &asked).await?);
    }
    if plan.wants(&[CREATE]) {
        let weight = json!({ "apiRef": "weight", "value": 64.5, "dateTaken": "2026-03-04T09:30:00Z" }).to_string();
        let create = |token: &String| requests::post_json(&host, "/json/measurements", token, &weight);
        let asked: Arc<[Vec<u8>]> = tokens.iter().map(create).collect();
        figures.push(creates(plan, record, server, &asked).await?);
    }
    Ok(figures)
}

/// The team is left with some of the labels.
async fn open_in_part(server: &Server, ids: &[&str], tokens: &[String]) -> Result<(), Trouble> {
    let consent = json!({ "actorType": "TEAM", "actorId": TEAM, "generalHealthConsentGranted": true,
        "mentalHealthConsentGranted": false, "sexualHealthConsentGranted": false, "socialCareConsentGranted": true });
    for (id, token) in ids.iter().zip(tokens) {
        let path = format!("/json/consents/forPatient/{id}");
        server.sample(&requests::post_json(&server.host(), &path, token, &consent.to_string())).await?;
    }
    Ok(())
}

/// What the service answers, beside a bare hyper server that answers the bytes of one of the answers.
async fn beside_bare(
    plan: &Plan,
    server: &Server,
    (name, goal): (&'static str, Goal),
    asked: &Arc<[Vec<u8>]>,
) -> Result<Figure, Trouble> {
    progress::say(name);
    let (head, body) = server.sample(asked.first().ok_or("there is nobody to ask for")?).await?;
    let bare = Server::bare(&order::line(&head, &body, &Work::Nothing)?).await?;
    let [service, other] = alternate(plan.rounds, [Side::Service, Side::Bare], async |side| {
        let server = if side == Side::Service { server } else { &bare };
        Ok(server.load(plan.window(), Walk::together(asked, CONNECTIONS)).await?.0)
    })
    .await?;
    bare.stop().await?;
    let sides = Sides { service: &service, other: &other, other_rate: "bare_per_second" };
    let durability = format!("of {} people; the answer waits for no write", asked.len());
    Ok(Figure::ratio(name, Some(goal), sides, durability)
        .with("service_cpu_us", cpu_us(&service))
        .with("bare_cpu_us", cpu_us(&other))
        .with("service_p99_ms", p99_ms(&service))
        .with("answer_bytes", body.len() as f64))
}

async fn creates(plan: &Plan, record: &Record, server: &Server, asked: &Arc<[Vec<u8>]>) -> Result<Figure, Trouble> {
    progress::say(CREATE);
    let mut tallies: Vec<Tally> = Vec::new();
    for _ in 0..plan.rounds {
        tallies.push(server.load(plan.window(), Walk::together(asked, CONNECTIONS)).await?.0);
    }
    let durability = format!("each on disk before its answer, into {} resources that were there", record.count);
    let rounds = tallies.iter().map(Tally::per_second).collect();
    Ok(Figure { rounds, ..Figure::of(CREATE, rate(&tallies), Some(CREATE_GOAL), durability) }
        .with("service_cpu_us", cpu_us(&tallies))
        .with("service_p99_ms", p99_ms(&tallies)))
}
