//! The alerts and the board of `deploy/`, held to the metrics that the service has.

use serde_json::Value;
use service::app::metrics::catalogue::{CATALOGUE, Description, MetricKind};
use std::collections::BTreeSet;

const ALERTS: &str = include_str!("../../../deploy/alerts.yaml");
const BOARD: &str = include_str!("../../../deploy/grafana-board.json");
/// What Prometheus itself adds to every series and to histograms.
const OF_PROMETHEUS: [&str; 3] = ["instance", "job", "le"];

/// The words of an expression and what is between them.
fn words(expression: &str) -> Vec<&str> {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    expression.split(|character| !is_word(character)).filter(|word| !word.is_empty()).collect()
}

/// The metric of a series, by the name that an expression has for it.
fn metric_of(series: &str) -> Option<&'static Description> {
    let ending = ["_bucket", "_sum", "_count"].into_iter().find_map(|ending| series.strip_suffix(ending));
    CATALOGUE.iter().find(|metric| match metric.sort {
        MetricKind::Histogram => Some(metric.exposed().as_str()) == ending,
        _ => metric.exposed() == series,
    })
}

/// What is wrong with an expression.
fn faults(expression: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut known: BTreeSet<&str> = OF_PROMETHEUS.into();
    for series in words(expression).into_iter().filter(|word| word.starts_with("recordgate_")) {
        let Some(metric) = metric_of(series) else {
            faults.push(format!("there is no {series}"));
            continue;
        };
        known.extend(metric.labels);
        let after = expression.split(series).skip(1).filter_map(|rest| rest.strip_prefix('{')?.split_once('}'));
        for condition in after.flat_map(|(inner, _)| inner.split(',')) {
            let label = words(condition).first().copied().unwrap_or_default();
            if !metric.labels.contains(&label) && !OF_PROMETHEUS.contains(&label) {
                faults.push(format!("{series} has no label {label}"));
            }
        }
    }
    for group in expression.split("by (").skip(1).filter_map(|rest| rest.split_once(')')) {
        let unknown = words(group.0).into_iter().filter(|label| !known.contains(label));
        faults.extend(unknown.map(|label| format!("nothing has a label {label}")));
    }
    let balanced = |open: char, close: char| expression.matches(open).count() == expression.matches(close).count();
    if !(balanced('(', ')') && balanced('{', '}') && balanced('[', ']')) {
        faults.push("its brackets do not match".into());
    }
    faults
}

fn alert_expressions() -> Vec<&'static str> {
    let lines = ALERTS.lines().filter_map(|line| line.trim().strip_prefix("expr: '"));
    lines.map(|line| line.strip_suffix('\'').expect("an expression on one line")).collect()
}

fn board_expressions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member.as_str().filter(|_| name == "expr" || name == "query") {
                    Some(expression) => found.push(expression.to_owned()),
                    None => board_expressions(member, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| board_expressions(item, found)),
        _ => {}
    }
}

#[test]
fn every_alert_is_about_metrics_and_labels_that_exist() {
    let expressions = alert_expressions();
    assert_eq!(expressions.len(), ALERTS.matches("- alert: ").count());
    assert!(expressions.len() > 10);
    for expression in expressions {
        assert_eq!(faults(expression), Vec::<String>::new(), "{expression}");
    }
}

#[test]
fn the_board_shows_every_metric_by_names_and_labels_that_exist() {
    let board: Value = serde_json::from_str(BOARD).unwrap();
    let mut expressions = Vec::new();
    board_expressions(&board, &mut expressions);
    for expression in &expressions {
        assert_eq!(faults(expression), Vec::<String>::new(), "{expression}");
    }
    let shown: BTreeSet<String> = expressions
        .iter()
        .flat_map(|expression| words(expression))
        .filter_map(metric_of)
        .map(Description::exposed)
        .collect();
    let exist: BTreeSet<String> = CATALOGUE.iter().map(Description::exposed).collect();
    assert_eq!(shown, exist);
    let panels = board["panels"].as_array().unwrap();
    let ids: BTreeSet<u64> = panels.iter().map(|panel| panel["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len(), "every panel has an id of its own");
    for panel in panels.iter().filter(|panel| panel["type"] != "row") {
        let place = &panel["gridPos"];
        assert!(place["x"].as_u64().unwrap() + place["w"].as_u64().unwrap() <= 24, "{panel}");
        assert!(!panel["targets"].as_array().unwrap().is_empty() && panel["title"].is_string(), "{panel}");
    }
}

#[test]
fn an_expression_about_what_does_not_exist_is_found() {
    for (wrong, fault) in [
        ("rate(recordgate_request_total[5m])", "there is no recordgate_request_total"),
        ("recordgate_request_seconds > 1", "there is no recordgate_request_seconds"),
        ("recordgate_requests_total{route=\"x\"}", "recordgate_requests_total has no label route"),
        ("sum by (pool) (recordgate_writes_waiting)", "nothing has a label pool"),
        ("sum(rate(recordgate_throttled_total[5m])", "its brackets do not match"),
    ] {
        assert_eq!(faults(wrong), [fault], "{wrong}");
    }
}
