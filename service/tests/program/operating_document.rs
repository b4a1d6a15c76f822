//! docs/operating.md held to the program: the metrics, the log's words and the figures that it names.

use service::app::metrics::catalogue::{CATALOGUE, Description};
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
fn every_metric_that_exists_is_told_with_its_labels_and_no_other_is() {
    let rows: Vec<&str> = section("What to watch").lines().filter(|line| line.starts_with("| `recordgate_")).collect();
    let told: Vec<&str> = rows.iter().filter_map(|row| quoted(row).next()).collect();
    let exist: Vec<String> = CATALOGUE.iter().map(Description::exposed).collect();
    let names = |all: &[String]| all.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(told.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>(), names(&exist));
    for metric in CATALOGUE {
        let row = rows.iter().find(|row| quoted(row).next() == Some(&metric.exposed())).unwrap();
        let labels = row.split('|').nth(2).unwrap();
        for label in metric.labels {
            assert!(quoted(labels).any(|word| word == *label), "{} does not tell of {label}", metric.exposed());
        }
    }
    let elsewhere = quoted(DOCUMENT).filter(|word| word.starts_with("recordgate_"));
    for name in elsewhere {
        assert!(exist.iter().any(|known| known == name), "{name} does not exist");
    }
}

#[test]
fn every_line_of_the_log_that_is_explained_is_one_that_the_program_writes() {
    let sources = sources().concat();
    let explained = explained();
    assert!(explained.len() > 10, "{explained:?}");
    for said in explained {
        assert!(sources.contains(&format!("\"{said}")), "no source says {said:?}");
    }
}

#[test]
fn every_warning_and_error_of_the_log_is_explained() {
    let (sources, explained) = (sources(), explained());
    let said: Vec<&str> = sources.iter().flat_map(|source| logged(source)).collect();
    assert!(said.len() > 50, "{said:?}");
    let silent: Vec<_> = said.iter().filter(|said| !explained.iter().any(|begins| said.starts_with(begins))).collect();
    assert!(silent.is_empty(), "not in the table under Faults: {silent:?}");
}

/// What the rows about the log begin with, in their first column.
fn explained() -> Vec<&'static str> {
    let rows = section("Faults").lines().filter(|line| line.starts_with("| `"));
    rows.filter_map(|row| row.split('|').nth(1)).flat_map(quoted).collect()
}

/// The words of each warning and error that a source logs: the last text of the macro.
fn logged(source: &str) -> Vec<&str> {
    let of_tests = source.find("#[cfg(test)]").unwrap_or(source.len());
    let calls = ["tracing::warn!(", "tracing::error!("].into_iter();
    let bodies = calls.flat_map(|call| source[..of_tests].split(call).skip(1));
    bodies.map(|body| body.split('"').skip(1).step_by(2).find(|text| text.contains(' ')).unwrap()).collect()
}

/// The sources of the program and of its store.
fn sources() -> Vec<String> {
    let mut sources = Vec::new();
    for folder in ["src", "../store/src"] {
        read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut sources);
    }
    sources
}

fn read_all(folder: &Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_all(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_setting_that_is_named_is_one_of_the_configuration_and_the_figures_are_its_defaults() {
    let defaults = service::app::config::defaults();
    let endings = ["_connections", "_ms", "_limit", "_mib", "_seconds"];
    let settings = quoted(DOCUMENT).filter(|word| endings.iter().any(|ending| word.ends_with(ending)));
    let settings: BTreeSet<&str> =
        settings.filter(|word| !word.contains(' ') && !word.starts_with("recordgate_")).collect();
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
