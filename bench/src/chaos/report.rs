//! What the chaos came to: what was asked, who died, and whether the contract held.

use super::account::Account;
use super::history::record::History;
use super::plan::{CLIENTS, ChaosPlan};
use serde_json::{Value, json};

#[derive(Debug)]
pub(crate) struct ChaosReport {
    plan: ChaosPlan,
    durability: String,
    account: Account,
}

impl ChaosReport {
    pub(crate) fn new(plan: &ChaosPlan, history: &History, deaths: usize, durability: String) -> Self {
        let mut account = Account::of(history);
        account.counts.insert(1, ("database_kills", deaths));
        Self { plan: plan.clone(), durability, account }
    }

    pub(crate) fn is_good(&self) -> bool {
        self.account.violations.is_empty()
    }

    pub(crate) fn json(&self) -> String {
        let mut top = self.account.json();
        for (name, value) in [
            ("seed", json!(self.plan.seed)),
            ("seconds", json!(self.plan.length.as_secs_f64())),
            ("nodes", json!(self.plan.nodes)),
            ("clients", json!(CLIENTS)),
            ("durability", json!(self.durability)),
        ] {
            top.insert(name.to_owned(), value);
        }
        format!("{:#}\n", Value::Object(top))
    }

    pub(crate) fn text(&self) -> String {
        let (seconds, nodes, seed) = (self.plan.length.as_secs_f64(), self.plan.nodes, self.plan.seed);
        let mut lines = vec![format!("chaos for {seconds} s on {nodes} nodes, --seed {seed}"), self.durability.clone()];
        lines.extend(self.account.lines());
        lines.extend(self.account.verdict());
        lines.join("\n") + "\n"
    }
}
