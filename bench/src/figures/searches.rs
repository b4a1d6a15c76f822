//! `search_ratio` and `identifier_search_ratio`: a System Client who looks through the records of a hospital, beside a bare hyper
//! server that answers the same bytes.

use super::plan::Plan;
use super::record::{Question, Record, Somebody};
use crate::bare::order::{self, Work};
use crate::http::driver::CONNECTIONS;
use crate::http::scripts::Walk;
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, cpu_us, p99_ms};
use crate::measure::trouble::Trouble;
use crate::service::child::Server;

pub(crate) const NAME: &str = "search_ratio";
pub(crate) const IDENTIFIER: &str = "identifier_search_ratio";

const GOAL: Goal = Goal::AtLeast(0.25);
const IDENTIFIER_GOAL: Goal = Goal::AtLeast(0.35);

/// The newest measurements of somebody's weight.
pub(crate) fn newest_weights(somebody: &Somebody) -> String {
    let code = "http://loinc.org%7C29463-7";
    format!("/fhir/Observation?patient={}&code={code}&_sort=-date&_count=20", somebody.id)
}

/// The person who has a number.
pub(crate) fn by_identifier(somebody: &Somebody) -> String {
    format!("/fhir/Patient?identifier=https://fhir.nhs.uk/Id/nhs-number%7C{}", somebody.identifier)
}

pub(crate) async fn measure(plan: &Plan, record: &Record, server: &Server) -> Result<Vec<Figure>, Trouble> {
    let mut figures = Vec::new();
    if plan.wants(&[NAME]) {
        figures.push(one(plan, record, server, (NAME, GOAL, newest_weights)).await?);
    }
    if plan.wants(&[IDENTIFIER]) {
        figures.push(one(plan, record, server, (IDENTIFIER, IDENTIFIER_GOAL, by_identifier)).await?);
    }
    Ok(figures)
}

async fn one(
    plan: &Plan,
    record: &Record,
    server: &Server,
    (name, goal, path): (&'static str, Goal, Question),
) -> Result<Figure, Trouble> {
    progress::say(name);
    let requests = record.requests(server, path).await?;
    let (head, body) = server.sample(requests.first().ok_or("there is nobody to search for")?).await?;
    let bare = Server::bare(&order::line(&head, &body, &Work::Nothing)?).await?;
    let [service, other] = alternate(plan.rounds, [Side::Service, Side::Bare], async |side| {
        let server = if side == Side::Service { server } else { &bare };
        Ok(server.load(plan.window(), Walk::together(&requests, CONNECTIONS)).await?.0)
    })
    .await?;
    bare.stop().await?;
    let sides = Sides { service: &service, other: &other, other_rate: "bare_per_second" };
    let durability = format!("over {} resources of {} people", record.count, record.people.len());
    Ok(Figure::ratio(name, Some(goal), sides, durability)
        .with("service_cpu_us", cpu_us(&service))
        .with("bare_cpu_us", cpu_us(&other))
        .with("service_p99_ms", p99_ms(&service))
        .with("answer_bytes", body.len() as f64))
}
