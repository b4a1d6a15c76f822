//! What the soak came to: what was asked, what each life of the service weighed, and whether the contract held.

use super::ledger_looks;
use super::lives::Life;
use super::plan::SoakPlan;
use crate::chaos::account::Account;
use crate::chaos::history::record::{Answer, Call, History, Request};
use crate::measure::decimals::round;
use serde_json::{Value, json};

#[derive(Debug)]
pub(crate) struct SoakReport {
    plan: SoakPlan,
    durability: String,
    account: Account,
    lives: Vec<Life>,
}

impl SoakReport {
    pub(super) fn new(plan: &SoakPlan, durability: String) -> Self {
        Self { plan: plan.clone(), durability, account: Account::default(), lives: Vec::new() }
    }

    /// Judges one round.
    pub(super) fn add(&mut self, history: &History, mut lives: Vec<Life>) {
        let mut account = Account::of(history);
        let served = |request| {
            let is = |call: &&Call| call.request == request && call.answer == Answer::Served;
            history.calls.iter().filter(is).count()
        };
        let told = lives.iter().flat_map(|life| life.looks.values()).sum::<u64>();
        account.counts.extend([
            ("client_credentials", served(Request::Credentials)),
            // Each is a page and a form.
            ("sign_ins", served(Request::SignIn) / 2),
            ("looks_in_the_ledger", usize::try_from(told).unwrap_or(usize::MAX)),
        ]);
        for life in &mut lives {
            account.violations.extend(ledger_looks::check(history, life.process, &std::mem::take(&mut life.looks)));
        }
        self.account.absorb(account);
        self.lives.extend(lives);
    }

    pub(crate) fn is_good(&self) -> bool {
        self.account.violations.is_empty()
    }

    pub(crate) fn json(&self) -> String {
        let mut top = self.account.json();
        let life = |life: &Life| {
            let [start, end] = life.resident.map(|mib| round(mib, 1));
            json!({ "seconds": round(life.length.as_secs_f64(), 1), "rss_start_mib": start, "rss_end_mib": end })
        };
        for (name, value) in [
            ("seed", json!(self.plan.seed)),
            ("minutes", json!(self.plan.length.as_secs_f64() / 60.0)),
            ("durability", json!(self.durability)),
            ("runs", self.lives.iter().map(life).collect()),
        ] {
            top.insert(name.to_owned(), value);
        }
        format!("{:#}\n", Value::Object(top))
    }

    pub(crate) fn text(&self) -> String {
        let (minutes, seed) = (self.plan.length.as_secs_f64() / 60.0, self.plan.seed);
        let mut lines = vec![format!("soak for {minutes} min, --seed {seed}"), self.durability.clone()];
        lines.extend(self.account.lines());
        for (number, life) in self.lives.iter().enumerate() {
            let ([start, end], seconds) = (life.resident, life.length.as_secs_f64());
            lines.push(format!("run {number}: {seconds:.1} s, {start:.1} MiB at its start, {end:.1} MiB at its end"));
        }
        lines.extend(self.account.verdict());
        lines.join("\n") + "\n"
    }
}
