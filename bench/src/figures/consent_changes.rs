//! `consent_change_p99_ms`: a patient who opens a label to a team and takes it back, again and again, over a record of ten thousand
//! items; each change is on disk, and holds for the next request, before its answer.

use super::creates;
use super::plan::Plan;
use crate::http::requests;
use crate::http::scripts::Walk;
use crate::measure::figure::{Figure, Goal};
use crate::measure::progress;
use crate::measure::rounds::{p99_ms, rate};
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::service::accounts;
use crate::service::people::{self, ORGANISATION, TEAM, patient_id};
use crate::service::recordgate::Recordgate;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

pub(crate) const NAME: &str = "consent_change_p99_ms";
const GOAL: Goal = Goal::AtMost(10.0);
const ITEMS: usize = 10_000;
const FEW: usize = 500;

/// In a store of its own.
pub(crate) async fn measure(plan: &Plan, directory: &Path) -> Result<Figure, Trouble> {
    let home = directory.join("consents");
    std::fs::create_dir(&home)?;
    let service = Recordgate::find(&home, None)?;
    people::lay_organisation(&service).await?;
    let (id, items) = (patient_id(0), if plan.quick { FEW } else { ITEMS });
    let import = ["import", "--organisation", ORGANISATION, "--team", TEAM];
    service.run_over(&import, "items.ndjson", record(&id, items)?).await?;
    let server = service.serve().await?;
    let tokens = accounts::tokens(&service, &server, &[&id]).await?;
    let token = tokens.first().ok_or("there is no patient")?;
    progress::say(NAME);
    let path = format!("/json/consents/forPatient/{id}");
    let change = |is_open: bool| {
        let body = json!({ "actorType": "TEAM", "actorId": TEAM, "mentalHealthConsentGranted": is_open });
        requests::post_json(&server.host(), &path, token, &body.to_string())
    };
    let asked: Arc<[Vec<u8>]> = [change(true), change(false)].into();
    let mut tallies: Vec<Tally> = Vec::new();
    for _ in 0..plan.rounds {
        tallies.push(server.load(plan.window(), Walk::together(&asked, 1)).await?.0);
    }
    server.stop().await?;
    let durability = format!("one patient and {items} items; each change is on disk before its answer");
    Ok(Figure::of(NAME, p99_ms(&tallies), Some(GOAL), durability).with("changes_per_second", rate(&tallies)))
}

/// A Patient with so many Observations, a resource in a line.
fn record(id: &str, items: usize) -> Result<String, Trouble> {
    let patient =
        json!({ "resourceType": "Patient", "id": id, "name": [{ "family": "Many" }], "birthDate": "1980-04-12" });
    let mut lines = format!("{patient}\n");
    for number in 0..items {
        let mut item: Value = serde_json::from_str(&creates::pulse(id))?;
        if let Some(item) = item.as_object_mut() {
            item.insert("id".into(), format!("00000000-0000-4000-9000-{number:012}").into());
        }
        lines.push_str(&item.to_string());
        lines.push('\n');
    }
    Ok(lines)
}
