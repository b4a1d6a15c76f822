//! The report for a program: one JSON object.

use super::summary::Summary;
use crate::http::driver::CONNECTIONS;
use crate::measure::decimals::round;
use crate::measure::figure::{Case, Figure};
use crate::peers::records::FhirPeer;
use serde_json::{Map, Value, json};

/// Every figure stands at the top by its fixed name, and again with its details under `figures`.
pub(crate) fn of(summary: &Summary) -> String {
    let mut top = Map::new();
    let mut details = Map::new();
    let beside_peers = summary.peers.iter().flat_map(|peers| &peers.figures);
    let beside_fhir_peer = summary.fhir_peer.iter().flat_map(FhirPeer::figures);
    for figure in summary.figures.iter().chain(beside_peers).chain(beside_fhir_peer) {
        top.insert(figure.name.to_owned(), json!(round(figure.value, 3)));
        details.insert(figure.name.to_owned(), detail(figure));
    }
    top.insert("figures".to_owned(), Value::Object(details));
    if let Some(peers) = &summary.peers {
        top.insert("peers".to_owned(), peers.json());
    }
    if let Some(peer) = &summary.fhir_peer {
        top.insert("fhir_peer".to_owned(), peer.json());
    }
    top.insert("rss_after_load_mib".to_owned(), json!(round(summary.rss_after_load_mib, 1)));
    top.insert("busy_with_others".to_owned(), json!(round(summary.busy_with_others, 2)));
    top.insert("machine".to_owned(), summary.machine.json());
    top.insert("run".to_owned(), run(summary));
    format!("{:#}\n", Value::Object(top))
}

fn run(summary: &Summary) -> Value {
    let plan = &summary.plan;
    json!({
        "version": env!("CARGO_PKG_VERSION"), "profile": summary.profile, "quick": plan.quick, "rounds": plan.rounds,
        "seconds_per_round": plan.length.as_secs_f64(), "patients": plan.patients, "connections": CONNECTIONS,
    })
}

/// A figure for information has no target, so it can neither meet nor miss it: both are null.
fn detail(figure: &Figure) -> Value {
    let mut detail = Map::new();
    detail.insert("value".to_owned(), json!(round(figure.value, 3)));
    detail.insert("target".to_owned(), json!(figure.goal.map(|goal| goal.to_string())));
    detail.insert("met".to_owned(), json!(figure.goal.map(|goal| goal.met(figure.value))));
    for (name, value) in &figure.details {
        detail.insert((*name).to_owned(), json!(round(*value, 2)));
    }
    if !figure.cases.is_empty() {
        detail.insert("cases".to_owned(), figure.cases.iter().map(case).collect());
    }
    detail.insert("rounds".to_owned(), figure.rounds.iter().map(|value| json!(round(*value, 3))).collect());
    detail.insert("durability".to_owned(), json!(figure.durability));
    Value::Object(detail)
}

fn case(case: &Case) -> (String, Value) {
    let values = case.values.iter().map(|(name, value)| ((*name).to_owned(), json!(round(*value, 3))));
    (case.name.to_owned(), Value::Object(values.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::figure::Goal;

    fn figure(goal: Option<Goal>) -> Figure {
        Figure::of("read_ratio", 0.5004, goal, "nothing is written".to_owned())
            .with("service_per_second", 50.0)
            .with("bare_per_second", 100.0)
    }

    #[test]
    fn the_cases_of_a_figure_are_told_by_their_names() {
        let cases = vec![Case { name: "a_costly_search", values: vec![("p99_ms", 1.23456)] }];
        let told = detail(&Figure { cases, ..figure(None) });
        assert_eq!(told["cases"]["a_costly_search"]["p99_ms"], 1.235);
        assert!(detail(&figure(None)).get("cases").is_none());
    }

    #[test]
    fn a_figure_is_told_with_its_target_both_sides_and_its_durability() {
        let below = detail(&figure(Some(Goal::AtLeast(0.55))));
        assert_eq!(below["value"], 0.5);
        assert_eq!(below["target"], ">= 0.55");
        assert_eq!(below["met"], false);
        assert_eq!(below["service_per_second"], 50.0);
        assert_eq!(below["bare_per_second"], 100.0);
        assert_eq!(below["durability"], "nothing is written");
    }

    #[test]
    fn a_figure_for_information_has_no_target_and_misses_none() {
        let information = detail(&figure(None));
        assert_eq!(information["value"], 0.5);
        assert_eq!(information["rounds"][0], 0.5);
        assert!(information["target"].is_null() && information["met"].is_null());
    }
}
