//! The `ops` tables of docs/rest.md and the list of routes agree, both ways.

use service::routes::{Route, Voice, Who, routes};
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../../docs/rest.md");
const KINDS: [&str; 5] = ["allergies", "medications", "diagnoses", "symptoms", "journal"];

type Operation = (String, String);
/// Number, methods, and paths with their scopes.
type OperationRow = (u32, Vec<String>, Vec<(String, String)>);

/// A path with every free part named alike: what a part is called is of no meaning to a client.
fn plain(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect::<Vec<_>>().join("/")
}

/// The rows of the tables.
fn rows() -> Vec<OperationRow> {
    let mut rows = Vec::new();
    for table in PAGE.split("<!-- ops -->").skip(1) {
        let lines = table.lines().skip(3).take_while(|line| line.starts_with('|'));
        for line in lines {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let number = cells[0].parse().unwrap();
            let methods = cells[1].split_whitespace().map(String::from).collect();
            let paths = cells[2].split(", ").map(|path| path.trim_matches('`').to_owned());
            let scopes: Vec<&str> = cells[3].split(';').map(str::trim).collect();
            let scoped = paths.enumerate().map(|(at, path)| (path, scopes[at.min(scopes.len() - 1)].to_owned()));
            rows.push((number, methods, scoped.collect()));
        }
    }
    rows
}

/// The operations of a row, each method and path of it.
fn operations((number, methods, paths): &OperationRow) -> BTreeSet<Operation> {
    let mut operations = BTreeSet::new();
    for (path, _) in paths {
        let kinds = if path.contains("{kind}") { &KINDS[..] } else { &[""] };
        for kind in kinds {
            // A journal is written by patients alone.
            if *number == 16 && *kind == "journal" && path.contains("forPatient") {
                continue;
            }
            let path = path.replace("{kind}", kind);
            operations.extend(methods.iter().map(|method| (method.clone(), plain(&path))));
        }
    }
    operations
}

fn served(prefix: &str) -> BTreeSet<Operation> {
    let of_rest = |route: &Route| route.voice == Voice::Rest && !route.sandbox_only;
    let below = |route: &Route| route.path.strip_prefix("/json").and_then(|path| path.strip_prefix(prefix));
    let is_bare = |path: &str| !["/v1/", "/v2/", "/v2-beta/"].iter().any(|other| path.starts_with(other));
    let all = routes();
    let all = all.iter().filter(|route| of_rest(route)).filter_map(|route| Some((route, below(route)?)));
    all.filter(|(_, path)| is_bare(path) && path.starts_with('/'))
        .map(|(route, path)| (route.method.to_string(), plain(path)))
        .collect()
}

#[test]
fn what_the_page_lists_is_served_and_what_is_served_is_listed() {
    let mut listed = BTreeSet::new();
    for row in rows() {
        let operations = operations(&row);
        let missing: Vec<_> = operations.difference(&served("")).cloned().collect();
        assert!(missing.is_empty(), "operation {}: {missing:?} are not served", row.0);
        listed.extend(operations);
    }
    let strange: Vec<_> = served("").difference(&listed).cloned().collect();
    assert!(strange.is_empty(), "{strange:?} are not in docs/rest.md");
}

#[test]
fn every_prefix_has_every_operation() {
    for prefix in ["/v1", "/v2", "/v2-beta"] {
        assert_eq!(served(prefix), served(""), "{prefix}");
    }
}

/// The scopes of the tables are those that the routes demand.
#[test]
fn every_operation_is_for_the_scopes_that_the_page_says() {
    let all = routes();
    for (number, methods, paths) in rows() {
        for (path, scopes) in &paths {
            let path = path.replace("{kind}", "symptoms");
            for method in &methods {
                let is_it = |route: &&Route| {
                    route.method == **method && route.path.strip_prefix("/json").map(plain) == Some(plain(&path))
                };
                let route = all.iter().find(is_it).unwrap();
                let demanded = match route.who {
                    Who::Anyone => "–",
                    Who::RestReader => "P C T S",
                    Who::RestWriter => "P C S",
                    Who::RestPatient => "P",
                    Who::RestTeamReader => "C T S",
                    Who::RestTeamWriter => "C S",
                    Who::RestCoordinator => "T S",
                    other => panic!("{other:?} of {path}"),
                };
                let said = scopes.split(" (").next().unwrap();
                assert_eq!(demanded, said, "operation {number}, {method} {path}");
            }
        }
    }
}
