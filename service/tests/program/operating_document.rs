//! docs/operating.md held to the program: the metrics, the log's words and the figures that it names.

use service::app::metrics::Metrics;
use std::collections::BTreeSet;
use std::path::Path;
use store::PostgresOptions;

const DOCUMENT: &str = include_str!("../../../docs/operating.md");

/// The words in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The part of the document under a heading.
fn section(heading: &str) -> &'static str {
    let (_, rest) = DOCUMENT.split_once(&format!("\n## {heading}\n")).unwrap();
    rest.split_once("\n## ").map_or(rest, |(section, _)| section)
}

#[test]
fn every_metric_that_exists_is_named_and_every_one_that_is_named_exists() {
    // A family without a sample is not in the text yet, so the registrations are counted where they are made.
    let registered = include_str!("../../src/app/metrics.rs").split("registry.register(").skip(1);
    let exist: BTreeSet<String> =
        registered.map(|call| format!("recordgate_{}_total", call.split('"').nth(1).unwrap())).collect();
    let named: BTreeSet<String> =
        quoted(DOCUMENT).filter(|word| word.starts_with("recordgate_")).map(String::from).collect();
    assert_eq!(named, exist);
    let metrics = Metrics::default();
    metrics.count_answer("fhir", 200);
    metrics.throttled.inc();
    for shown in ["recordgate_requests_total{part=\"fhir\",status=\"200\"} 1", "recordgate_throttled_total 1"] {
        assert!(metrics.text().lines().any(|line| line == shown), "{}", metrics.text());
    }
}

#[test]
fn every_line_of_the_log_that_is_explained_is_one_that_the_program_writes() {
    let mut sources = String::new();
    for folder in ["src", "../store/src"] {
        read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut sources);
    }
    let rows = section("Faults").lines().filter_map(|line| line.strip_prefix("| `"));
    let explained: Vec<&str> = rows.filter_map(|row| row.split_once('`')).map(|(said, _)| said).collect();
    assert!(explained.len() > 10, "{explained:?}");
    for said in explained {
        assert!(sources.contains(&format!("\"{said}")), "no source says {said:?}");
    }
}

fn read_all(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_all(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_setting_that_is_named_is_one_of_the_configuration_and_the_figures_are_its_defaults() {
    let defaults = service::app::config::defaults();
    let endings = ["_connections", "_ms", "_limit", "_mib", "_seconds"];
    let settings = quoted(DOCUMENT).filter(|word| endings.iter().any(|ending| word.ends_with(ending)));
    let settings: BTreeSet<&str> = settings.filter(|word| !word.contains(' ')).collect();
    let elsewhere = BTreeSet::from(["max_connections", "refresh_retry_seconds"]);
    assert!(settings.len() > elsewhere.len());
    for setting in settings.difference(&elsewhere) {
        assert!(defaults.contains(&format!("\n{setting} = ")), "{setting} is no setting");
    }
    let options = PostgresOptions::default();
    let connections = options.read_connections + options.write_connections;
    assert!(DOCUMENT.contains(&format!("connections, {connections} by default")));
    let days = rules::limits::OVER_KEPT_SECONDS / 86_400;
    assert!(DOCUMENT.contains(&format!("swept after {days} days")));
}
