//! The report for a person: aligned, the target beside each figure.

use super::summary::Summary;
use crate::measure::decimals::thousands;
use crate::measure::figure::{Figure, OUR_RATE};
use crate::peers::comparison::Comparison;
use crate::peers::race::Shot;
use crate::peers::records::{FhirPeer, INSTALL};
use crate::service::recordgate::SHIPPED;

pub(crate) fn of(summary: &Summary) -> String {
    let mut lines = vec![row(["figure", "measured", "target", "", "service", "other"])];
    lines.extend(summary.figures.iter().map(figure));
    lines.push(String::new());
    for figure in &summary.figures {
        lines.push(format!("{}: {}", figure.name, figure.durability));
        let beside = figure.details.iter().skip(sides(figure).len());
        let beside: Vec<_> = beside.map(|(name, value)| format!("{name} {value:.2}")).collect();
        if !beside.is_empty() {
            lines.push(format!("    {}", beside.join(", ")));
        }
        for case in &figure.cases {
            let values: Vec<_> = case.values.iter().map(|(name, value)| format!("{name} {value:.2}")).collect();
            lines.push(format!("    {}: {}", case.name, values.join(", ")));
        }
    }
    lines.push(format!("after the load the service holds {:.1} MiB", summary.rss_after_load_mib));
    lines.push(build(&summary.profile));
    lines.push(summary.machine.to_string());
    let others = if summary.plan.database.is_some() { "other work, PostgreSQL's included," } else { "other work" };
    lines.push(format!("{others} took {:.0} % of the cores during the run", summary.busy_with_others * 100.0));
    if summary.plan.quick {
        lines.push("a smoke run: these figures mean nothing".to_owned());
    }
    lines.extend(summary.peers.iter().flat_map(peers));
    lines.extend(summary.fhir_peer.iter().flat_map(fhir_peer));
    lines.join("\n") + "\n"
}

/// Which build was measured.
fn build(profile: &str) -> String {
    match profile {
        SHIPPED => format!("of the build that is shipped (profile {SHIPPED})"),
        other => format!(
            "of a build with the profile {other}, which is not the shipped one: cargo run --profile {SHIPPED} -p bench"
        ),
    }
}

fn figure(figure: &Figure) -> String {
    let target = figure.goal.map(|goal| goal.to_string());
    let verdict = match figure.goal {
        Some(goal) if goal.met(figure.value) => "met",
        Some(_) => "MISSED",
        None => "",
    };
    let mut rates = sides(figure).iter().map(|(_, value)| format!("{}/s", thousands(*value)));
    let [ours, theirs] = [rates.next().unwrap_or_default(), rates.next().unwrap_or_default()];
    row([figure.name, &format!("{:.2}", figure.value), target.as_deref().unwrap_or("none"), verdict, &ours, &theirs])
}

/// The rates of both sides; a figure that is no ratio has none.
fn sides(figure: &Figure) -> &[(&'static str, f64)] {
    let is_ratio = figure.details.first().is_some_and(|(name, _)| *name == OUR_RATE);
    figure.details.get(..if is_ratio { 2 } else { 0 }).unwrap_or_default()
}

fn row([name, value, target, verdict, ours, theirs]: [&str; 6]) -> String {
    format!("{name:<26} {value:>9}  {target:<8} {verdict:<7} {ours:>11} {theirs:>11}").trim_end().to_owned()
}

fn pair(name: &str, [ours, theirs]: [String; 2]) -> String {
    format!("{name:<42} {ours:>11} {theirs:>11}")
}

fn rates([ours, theirs]: [f64; 2]) -> [String; 2] {
    [format!("{}/s", thousands(ours)), format!("{}/s", thousands(theirs))]
}

fn fhir_peer(peer: &FhirPeer) -> Vec<String> {
    let comparison = match peer {
        FhirPeer::Measured(comparison) => comparison,
        FhirPeer::NotInstalled => {
            return vec![
                String::new(),
                format!("helios-hfs is not installed, so no record was held against it: {INSTALL}"),
            ];
        }
    };
    let mut lines = vec![String::new(), format!("beside {}", comparison.peer)];
    lines.extend(comparison.figures.iter().map(figure));
    lines.extend([
        pair("", ["service".to_owned(), "peer".to_owned()]),
        pair("import (command / transactions)", rates(comparison.import_per_second)),
        pair(
            "disk, for each resource",
            comparison.disk_bytes_per_resource.map(|bytes| format!("{} B", thousands(bytes))),
        ),
        pair("memory, after all of it", comparison.rss_mib.map(|mib| format!("{mib:.1} MiB"))),
    ]);
    lines
}

fn peers(peers: &Comparison) -> Vec<String> {
    let [our_races, peer_races] = &peers.races;
    let worst = |count: fn(&Shot) -> usize| {
        [our_races, peer_races].map(|shots| shots.iter().map(count).max().unwrap_or_default().to_string())
    };
    let mut lines = vec![String::new(), format!("beside {}", peers.peer)];
    lines.extend(peers.figures.iter().map(figure));
    lines.extend([
        pair("", ["service".to_owned(), "peer".to_owned()]),
        pair("client credentials", rates(peers.client_credentials)),
        pair("bearer check (read / introspection)", rates(peers.bearer_checks)),
        pair("memory, idle", peers.rss_idle_mib.map(|mib| format!("{mib:.1} MiB"))),
        pair("start-up", peers.start_ms.map(|ms| format!("{ms:.0} ms"))),
        pair("race of 20 refreshes: winners, at worst", worst(|shot| shot.winners)),
        pair("  their access tokens accepted, at worst", worst(|shot| shot.accepted)),
        pair("  their branches still alive, at worst", worst(|shot| shot.alive)),
    ]);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::figure::Goal;

    fn line(goal: Option<Goal>) -> String {
        let ratio = Figure::of("refresh_ratio", 0.5, goal, String::new());
        figure(&ratio.with("service_per_second", 1500.0).with("parts_per_second", 3000.0))
    }

    #[test]
    fn a_build_that_is_not_the_shipped_one_is_told_with_how_to_measure_that() {
        assert_eq!(build("dist"), "of the build that is shipped (profile dist)");
        assert!(build("release").ends_with("not the shipped one: cargo run --profile dist -p bench"));
    }

    #[test]
    fn a_missed_target_is_told_and_a_figure_for_information_can_miss_none() {
        let words = |line: String| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        assert_eq!(words(line(Some(Goal::AtLeast(0.7)))), "refresh_ratio 0.50 >= 0.7 MISSED 1,500/s 3,000/s");
        assert_eq!(words(line(Some(Goal::AtLeast(0.5)))), "refresh_ratio 0.50 >= 0.5 met 1,500/s 3,000/s");
        assert_eq!(words(line(None)), "refresh_ratio 0.50 none 1,500/s 3,000/s");
    }
}
