//! The figures as one JSON object, and as a table for a person.

use crate::args::Plan;
use crate::figures::{CONNECTIONS, Figure, Goal};
use crate::machine::Machine;
use crate::peers::Peers;
use serde_json::{Map, Value, json};

/// Everything a run found.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) plan: Plan,
    pub(crate) machine: Machine,
    pub(crate) figures: Vec<Figure>,
    pub(crate) rss_after_load_mib: f64,
    pub(crate) peers: Option<Peers>,
    /// The share of all cores that other work took during the run.
    pub(crate) busy_with_others: f64,
}

pub(crate) fn round(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

impl Report {
    /// Every figure stands at the top by its fixed name, and again with its details under `figures`.
    pub(crate) fn json(&self) -> String {
        let mut top = Map::new();
        let mut details = Map::new();
        for figure in self.all() {
            top.insert(figure.name.to_owned(), json!(round(figure.value, 3)));
            details.insert(figure.name.to_owned(), detail(figure));
        }
        top.insert("figures".to_owned(), Value::Object(details));
        if let Some(peers) = &self.peers {
            top.insert("peers".to_owned(), peers.json());
        }
        top.insert("rss_after_load_mib".to_owned(), json!(round(self.rss_after_load_mib, 1)));
        top.insert("busy_with_others".to_owned(), json!(round(self.busy_with_others, 2)));
        top.insert("machine".to_owned(), self.machine.json());
        top.insert("run".to_owned(), self.run());
        format!("{:#}\n", Value::Object(top))
    }

    fn all(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter().chain(self.peers.as_ref().map(|peers| &peers.figure))
    }

    fn run(&self) -> Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"), "quick": self.plan.quick, "rounds": self.plan.rounds,
            "seconds_per_round": self.plan.length.as_secs_f64(), "patients": self.plan.patients,
            "connections": CONNECTIONS,
        })
    }
}

fn detail(figure: &Figure) -> Value {
    let mut detail = Map::new();
    detail.insert("value".to_owned(), json!(round(figure.value, 3)));
    detail.insert("target".to_owned(), json!(goal(figure.goal)));
    detail.insert("met".to_owned(), json!(figure.goal.met(figure.value)));
    for (name, value) in &figure.seen {
        detail.insert((*name).to_owned(), json!(round(*value, 2)));
    }
    detail.insert("rounds".to_owned(), figure.rounds.iter().map(|value| json!(round(*value, 3))).collect());
    detail.insert("durability".to_owned(), json!(figure.durability));
    Value::Object(detail)
}

fn goal(goal: Goal) -> String {
    match goal {
        Goal::AtLeast(floor) => format!(">= {floor}"),
        Goal::AtMost(ceiling) => format!("<= {ceiling}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_told_with_its_target_both_sides_and_its_durability() {
        let figure = Figure {
            name: "read_ratio",
            value: 0.5004,
            goal: Goal::AtLeast(0.55),
            seen: vec![("service_per_second", 50.0), ("bare_per_second", 100.0)],
            rounds: vec![0.5004],
            durability: "nothing is written".to_owned(),
        };
        let below = detail(&figure);
        assert_eq!(below["value"], 0.5);
        assert_eq!(below["target"], ">= 0.55");
        assert_eq!(below["met"], false);
        assert_eq!(below["service_per_second"], 50.0);
        assert_eq!(below["bare_per_second"], 100.0);
        assert_eq!(below["durability"], "nothing is written");
    }
}
