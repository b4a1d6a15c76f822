//! The metrics: each as the catalogue says, and true of what happened.

use crate::kit::{World, fields, form_request, place};
use rules::moment::Moment;
use service::app::access_writer;
use service::app::metrics::catalogue::{CATALOGUE, Description, MetricKind};
use service::app::scrape;
use service::app::telemetry::{Endpoint, TelemetrySettings};
use std::collections::BTreeSet;

/// One line of the text: its name, the names of its labels and its value.
struct Sample {
    name: String,
    labels: Vec<String>,
    value: f64,
}

fn samples(text: &str) -> Vec<Sample> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (series, value) = line.rsplit_once(' ').unwrap();
            let (name, labels) = series.split_once('{').unwrap_or((series, ""));
            let names = labels.trim_end_matches('}').split("\",").filter_map(|label| label.split_once('='));
            let labels = names.map(|(name, _)| name.to_owned()).collect();
            Sample { name: name.into(), labels, value: value.parse().unwrap() }
        })
        .collect()
}

/// The metric that a sample belongs to.
fn metric_of(name: &str) -> &'static Description {
    let ending = ["_bucket", "_sum", "_count"].into_iter().find_map(|ending| name.strip_suffix(ending));
    let found = CATALOGUE.iter().find(|metric| {
        let exposed = metric.exposed();
        exposed == name || (metric.sort == MetricKind::Histogram && Some(exposed.as_str()) == ending)
    });
    found.unwrap_or_else(|| panic!("{name} is not in the catalogue"))
}

#[tokio::test]
async fn every_metric_is_as_the_catalogue_says_and_every_one_of_the_catalogue_is_there() {
    let endpoint = Endpoint::parse("http://127.0.0.1:9").unwrap();
    let w = World::with(|settings| settings.telemetry = Some(TelemetrySettings { endpoint, one_in: 1 })).await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    app.refresh(&tokens).await.granted();
    app.refresh(&tokens).await.refused("invalid_grant");
    w.calls_fhir_with(&tokens.access).await;
    let guess = [("grant_type", "client_credentials"), ("client_id", "nobody"), ("client_secret", "nobodys-secret")];
    for _ in 0..150 {
        w.send(form_request("/apiToken.action", &fields(guess))).await;
    }
    w.app.ledger_lag.count(Some(Moment(w.now().0 - 2500)));
    let text = scrape::text(&w.app).await;
    let mut there = BTreeSet::new();
    for Sample { name, mut labels, .. } in samples(&text) {
        let metric = metric_of(&name);
        there.insert(metric.exposed());
        labels.retain(|label| label != "le");
        assert_eq!(labels, metric.labels, "{name}");
    }
    let sqlite = text.contains("engine=\"sqlite\"");
    let only_embedded = [
        "recordgate_cache_looks_total",
        "recordgate_commit_group_writes",
        "recordgate_store_free_bytes",
        "recordgate_write_seconds",
    ];
    let all = CATALOGUE.iter().map(Description::exposed);
    let expected: BTreeSet<String> = all.filter(|name| sqlite || !only_embedded.contains(&name.as_str())).collect();
    assert_eq!(there, expected);
    assert!(text.contains("recordgate_ledger_lag_seconds 2.5\n"), "{text}");
    assert!(text.contains(&format!("version=\"{}\"", env!("CARGO_PKG_VERSION"))), "{text}");
    assert!(!text.contains(&tokens.access) && !text.contains("nobody"), "{text}");
}

#[tokio::test]
async fn requests_are_timed_by_their_route_and_counted_in_flight_only_while_they_are() {
    let w = World::new().await;
    let caller = w.amina().caller().await;
    for id in ["one", "two", "three"] {
        caller.get(&format!("/fhir/Patient/{id}")).await;
    }
    w.get("/nowhere").await;
    let text = scrape::text(&w.app).await;
    let count = |labels: &str| {
        let series = format!("recordgate_request_seconds_count{{{labels}}} ");
        text.lines().find_map(|line| line.strip_prefix(series.as_str())).map(|count| count.parse::<u64>().unwrap())
    };
    assert_eq!(count("method=\"GET\",route=\"/fhir/Patient/{id}\""), Some(3));
    assert_eq!(count("method=\"other\",route=\"/{*rest}\""), Some(1));
    assert_eq!(count("method=\"GET\",route=\"/fhir/metadata\""), None, "nobody has asked");
    assert!(text.contains("recordgate_requests_in_flight 0.0\n"), "{text}");
    let seconds = samples(&text).into_iter().filter(|sample| sample.name.ends_with("request_seconds_sum"));
    assert!(seconds.map(|sample| sample.value).sum::<f64>() > 0.0);
}

#[tokio::test]
async fn the_ledger_is_behind_while_it_takes_nothing_and_no_longer_when_it_does() {
    let url = cluster::shared().new_database();
    let w = World::at(&place(&url), tempfile::tempdir().unwrap(), |_| {}).await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    access_writer::flush(&w.app).await;
    cluster::ask(&url, "ALTER TABLE ledger.blocks RENAME TO lost_blocks");
    let looked = w.now();
    assert_eq!(w.calls_fhir_with(&tokens.access).await.status, 200);
    access_writer::flush(&w.app).await;
    assert_eq!(w.app.ledger_lag.seconds(looked.plus_seconds(90)), 90.0);
    cluster::ask(&url, "ALTER TABLE ledger.lost_blocks RENAME TO blocks");
    access_writer::flush(&w.app).await;
    assert_eq!(w.app.ledger_lag.seconds(looked.plus_seconds(90)), 0.0);
}
