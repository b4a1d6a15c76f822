//! The record beside helios-hfs: the same reads, searches and creations of the same people, of both.

use super::helios::{self, Helios};
use crate::figures::creates::{self, pulse};
use crate::figures::plan::Plan;
use crate::figures::record::{Question, Record};
use crate::figures::searches::{by_identifier, newest_weights};
use crate::http::driver::CONNECTIONS;
use crate::http::requests;
use crate::http::scripts::Walk;
use crate::measure::decimals::round;
use crate::measure::figure::{Figure, Sides};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, cpu_us, p99_ms};
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// What whoever does not have it may type.
pub(crate) const INSTALL: &str = "cargo install helios-hfs --no-default-features --features R4,sqlite";

const CREATES: &str = "create_vs_hfs";

/// What is asked of both, by its path at the service; the peer has no `/fhir` before it.
const ASKED: [(&str, Question); 3] = [
    ("read_vs_hfs", |somebody| format!("/fhir/Patient/{}", somebody.id)),
    ("search_vs_hfs", newest_weights),
    ("identifier_search_vs_hfs", by_identifier),
];

/// What came of the wish to compare.
#[derive(Debug)]
pub(crate) enum FhirPeer {
    NotInstalled,
    Measured(RecordComparison),
}

/// The service and its peer, both with the same people.
#[derive(Debug)]
pub(crate) struct RecordComparison {
    pub(crate) peer: String,
    pub(crate) figures: Vec<Figure>,
    pub(crate) import_per_second: [f64; 2],
    pub(crate) disk_bytes_per_resource: [f64; 2],
    /// After all of it.
    pub(crate) rss_mib: [f64; 2],
}

impl FhirPeer {
    pub(crate) fn figures(&self) -> &[Figure] {
        match self {
            Self::NotInstalled => &[],
            Self::Measured(comparison) => &comparison.figures,
        }
    }

    pub(crate) fn json(&self) -> Value {
        let both = |[ours, theirs]: [f64; 2]| json!({ "service": round(ours, 1), "peer": round(theirs, 1) });
        match self {
            Self::NotInstalled => json!({ "peer": null, "install": INSTALL }),
            Self::Measured(comparison) => json!({
                "peer": comparison.peer,
                "import_per_second": both(comparison.import_per_second),
                "disk_bytes_per_resource": both(comparison.disk_bytes_per_resource),
                "rss_mib": both(comparison.rss_mib),
            }),
        }
    }
}

/// Holds the served record against the peer, if it is installed; its data will lie in a new folder in this one.
pub(crate) async fn measure(
    plan: &Plan,
    (record, disk_bytes_per_resource): (&Record, f64),
    server: &Server,
    directory: &Path,
) -> Result<FhirPeer, Trouble> {
    let Some(program) = Helios::find(directory.join("helios")).await? else { return Ok(FhirPeer::NotInstalled) };
    progress::say("starting helios-hfs");
    let peer = program.serve().await?;
    let before = program.data_bytes()?;
    progress::say("helios-hfs: bringing in the records of people");
    let brought_in = helios::bring_in(&peer, Record::least(plan.quick)).await?;
    let bytes = program.data_bytes()?.saturating_sub(before) as f64;
    let mut figures = Vec::new();
    for (name, path) in ASKED {
        progress::say(name);
        let theirs = |somebody| requests::get(&peer.host(), path(somebody).trim_start_matches("/fhir"));
        let requests = [record.requests(server, path).await?, record.people.iter().map(theirs).collect()];
        agree(name, [server, &peer], &requests).await?;
        figures.push(one(plan, name, [server, &peer], &requests, "nothing is written".to_owned()).await?);
    }
    progress::say(CREATES);
    let requests = [creates::requests(record, server).await?, created_openly(record, &peer)];
    let durability = "the service answers after the sync; the peer syncs at checkpoints".to_owned();
    figures.push(one(plan, CREATES, [server, &peer], &requests, durability).await?);
    let rss_mib = [server.resident_mib()?, peer.resident_mib()?];
    peer.stop().await?;
    Ok(FhirPeer::Measured(RecordComparison {
        peer: format!("helios-hfs {} on SQLite, which asks nobody for a token and keeps no ledger", program.version),
        figures,
        import_per_second: [record.count / record.weight.took.as_secs_f64(), brought_in],
        disk_bytes_per_resource: [disk_bytes_per_resource, bytes / record.count],
        rss_mib,
    }))
}

async fn one(
    plan: &Plan,
    name: &'static str,
    [service, peer]: [&Server; 2],
    [ours, theirs]: &[Arc<[Vec<u8>]>; 2],
    durability: String,
) -> Result<Figure, Trouble> {
    let [service, other] = alternate(plan.rounds, [Side::Service, Side::Peer], async |side| {
        let (server, requests) = if side == Side::Service { (service, ours) } else { (peer, theirs) };
        Ok(server.load(plan.window(), Walk::together(requests, CONNECTIONS)).await?.0)
    })
    .await?;
    let sides = Sides { service: &service, other: &other, other_rate: "peer_per_second" };
    Ok(Figure::ratio(name, None, sides, durability)
        .with("service_cpu_us", cpu_us(&service))
        .with("peer_cpu_us", cpu_us(&other))
        .with("service_p99_ms", p99_ms(&service))
        .with("peer_p99_ms", p99_ms(&other)))
}

/// Trouble unless both answer the same question with the same resources: otherwise their speeds could not be compared.
async fn agree(name: &str, servers: [&Server; 2], requests: &[Arc<[Vec<u8>]>; 2]) -> Result<(), Trouble> {
    let mut answers = Vec::new();
    for (server, requests) in servers.into_iter().zip(requests) {
        let (_, body) = server.sample(requests.first().ok_or("there is nobody to ask for")?).await?;
        answers.push(ids(&serde_json::from_slice(&body)?));
    }
    match answers.as_slice() {
        [ours, theirs] if ours == theirs && !ours.is_empty() => Ok(()),
        [ours, theirs] => {
            Err(format!("{name}: {} resources were found here, {} by the peer, or others", ours.len(), theirs.len())
                .into())
        }
        _ => Err("there are two sides to a comparison".into()),
    }
}

/// The id of a resource, or those of the resources in a Bundle, in their order.
fn ids(answer: &Value) -> Vec<String> {
    let id = |resource: &Value| resource.get("id").and_then(Value::as_str).map(str::to_owned);
    match answer.get("entry").and_then(Value::as_array) {
        Some(entries) => entries.iter().filter_map(|entry| id(entry.get("resource")?)).collect(),
        None if answer.get("resourceType").and_then(Value::as_str) == Some("Bundle") => Vec::new(),
        None => id(answer).into_iter().collect(),
    }
}

/// The same of the peer.
fn created_openly(record: &Record, peer: &Server) -> Arc<[Vec<u8>]> {
    let host = peer.host();
    record.people.iter().map(|somebody| requests::create_openly(&host, "/Observation", &pulse(&somebody.id))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_known_by_the_ids_of_its_resources_in_their_order() {
        let page = json!({ "resourceType": "Bundle", "id": "page", "entry": [
            { "resource": { "resourceType": "Patient", "id": "b" } }, { "resource": { "resourceType": "Patient", "id": "a" } },
        ] });
        assert_eq!(ids(&page), ["b", "a"]);
        assert_eq!(ids(&json!({ "resourceType": "Patient", "id": "a" })), ["a"]);
        assert!(ids(&json!({ "resourceType": "Bundle", "id": "page", "total": 0 })).is_empty(), "it found nothing");
    }

    #[test]
    fn without_the_peer_it_is_told_how_to_get_it() {
        let told = FhirPeer::NotInstalled.json();
        assert!(told["peer"].is_null() && told["install"].as_str().unwrap().contains("helios-hfs"), "{told}");
        assert!(FhirPeer::NotInstalled.figures().is_empty());
    }
}
