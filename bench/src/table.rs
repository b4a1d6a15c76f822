//! The report for a person: aligned, the target beside each figure.

use crate::figures::{Figure, Goal};
use crate::peers::Peers;
use crate::peers::race::Shot;
use crate::report::Report;

pub(crate) fn of(report: &Report) -> String {
    let mut lines = vec![row(["figure", "measured", "target", "", "service", "bare"])];
    lines.extend(report.figures.iter().map(figure));
    lines.push(String::new());
    for figure in &report.figures {
        lines.push(format!("{}: {}", figure.name, figure.durability));
        let beside: Vec<_> = figure.seen.iter().skip(2).map(|(name, value)| format!("{name} {value:.2}")).collect();
        if !beside.is_empty() {
            lines.push(format!("    {}", beside.join(", ")));
        }
    }
    lines.push(format!("after the load the service holds {:.1} MiB", report.rss_after_load_mib));
    lines.push(report.machine.to_string());
    let others = if report.plan.database.is_some() { "other work, PostgreSQL's included," } else { "other work" };
    lines.push(format!("{others} took {:.0} % of the cores during the run", report.busy_with_others * 100.0));
    if report.plan.quick {
        lines.push("a smoke run: these figures mean nothing".to_owned());
    }
    lines.extend(report.peers.iter().flat_map(peers));
    lines.join("\n") + "\n"
}

fn figure(figure: &Figure) -> String {
    let (sign, limit) = match figure.goal {
        Goal::AtLeast(floor) => (">=", floor),
        Goal::AtMost(ceiling) => ("<=", ceiling),
    };
    let verdict = if figure.goal.met(figure.value) { "met" } else { "MISSED" };
    let mut sides = figure.seen.iter().map(|(_, value)| format!("{}/s", thousands(*value)));
    let [ours, theirs] = [sides.next().unwrap_or_default(), sides.next().unwrap_or_default()];
    row([figure.name, &format!("{:.2}", figure.value), &format!("{sign} {limit}"), verdict, &ours, &theirs])
}

fn row([name, value, target, verdict, ours, theirs]: [&str; 6]) -> String {
    format!("{name:<26} {value:>9}  {target:<8} {verdict:<7} {ours:>11} {theirs:>11}").trim_end().to_owned()
}

fn peers(peers: &Peers) -> Vec<String> {
    let pair = |name: &str, [ours, theirs]: [String; 2]| format!("{name:<42} {ours:>11} {theirs:>11}");
    let rates = |[ours, theirs]: [f64; 2]| [format!("{}/s", thousands(ours)), format!("{}/s", thousands(theirs))];
    let [our_races, peer_races] = &peers.races;
    let worst = |count: fn(&Shot) -> usize| {
        [our_races, peer_races].map(|shots| shots.iter().map(count).max().unwrap_or_default().to_string())
    };
    vec![
        String::new(),
        format!("beside {}", peers.peer),
        figure(&peers.figure),
        pair("", ["service".to_owned(), "peer".to_owned()]),
        pair("client credentials", rates(peers.client_credentials)),
        pair("bearer check (read / introspection)", rates(peers.bearer_checks)),
        pair("memory, idle", peers.rss_idle_mib.map(|mib| format!("{mib:.1} MiB"))),
        pair("start-up", peers.start_ms.map(|ms| format!("{ms:.0} ms"))),
        pair("race of 20 refreshes: winners, at worst", worst(|shot| shot.winners)),
        pair("  their access tokens accepted, at worst", worst(|shot| shot.accepted)),
        pair("  their branches still alive, at worst", worst(|shot| shot.alive)),
    ]
}

/// 12345.6 as 12,346.
fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_grouped_by_thousands() {
        assert_eq!(["999", "1,000", "112,346"], [999.4, 999.6, 112_345.6].map(thousands)[..]);
    }
}
