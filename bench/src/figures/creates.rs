//! `create_per_second`: small Observations that a System Client creates one by one on 64 connections, each on disk before its answer.

use super::plan::Plan;
use super::record::{self, Record};
use crate::http::driver::CONNECTIONS;
use crate::http::requests;
use crate::http::scripts::Walk;
use crate::measure::figure::{Figure, Goal};
use crate::measure::progress;
use crate::measure::rounds::{cpu_us, p99_ms, rate};
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::people::ORGANISATION;
use serde_json::json;
use std::sync::Arc;

pub(crate) const NAME: &str = "create_per_second";
const GOAL: Goal = Goal::AtLeast(5_000.0);

pub(crate) async fn measure(plan: &Plan, record: &Record, server: &Server) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let all = requests(record, server).await?;
    let mut tallies: Vec<Tally> = Vec::new();
    for _ in 0..plan.rounds {
        tallies.push(server.load(plan.window(), Walk::together(&all, CONNECTIONS)).await?.0);
    }
    let durability = format!("each on disk before its answer, into {} resources that were there", record.count);
    let rounds = tallies.iter().map(Tally::per_second).collect();
    Ok(Figure { rounds, ..Figure::of(NAME, rate(&tallies), Some(GOAL), durability) }
        .with("service_cpu_us", cpu_us(&tallies))
        .with("service_p99_ms", p99_ms(&tallies)))
}

/// A small Observation of each of the people, by the System Client for its organisation.
pub(crate) async fn requests(record: &Record, server: &Server) -> Result<Arc<[Vec<u8>]>, Trouble> {
    let (host, token) = (server.host(), record::token(server).await?);
    let request = |somebody: &record::Somebody| {
        requests::create_for(&host, "/fhir/Observation", &token, ORGANISATION, &pulse(&somebody.id))
    };
    Ok(record.people.iter().map(request).collect())
}

/// A small Observation.
pub(crate) fn pulse(patient: &str) -> String {
    json!({
        "resourceType": "Observation",
        "status": "final",
        "code": { "coding": [{ "system": "http://loinc.org", "code": "8867-4" }] },
        "subject": { "reference": format!("Patient/{patient}") },
        "effectiveDateTime": "2026-03-04T09:30:00Z",
        "valueQuantity": { "value": 72, "unit": "beats/minute", "system": "http://unitsofmeasure.org", "code": "/min" },
    })
    .to_string()
}
