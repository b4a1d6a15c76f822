//! The list of the modules here that are the same on every engine (`once.txt`), which the suite `postgres` leaves out.

use std::collections::BTreeSet;
use std::path::Path;

const LIST: &str = include_str!("once.txt");
const MAIN: &str = include_str!("main.rs");

/// What asks for the engine that the environment names.
const ASKING: [&str; 3] = ["World::new(", "World::with(", "cluster::database("];

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/contract"))
}

fn modules() -> BTreeSet<String> {
    let lines = MAIN.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    lines.filter(|name| *name != "kit").map(String::from).collect()
}

fn listed() -> BTreeSet<String> {
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').expect("a module and a reason").0.to_owned()).collect()
}

/// The sources of one module: its file, and those of its folder.
fn sources(module: &str) -> Vec<String> {
    let mut files = vec![folder().join(format!("{module}.rs"))];
    if let Ok(entries) = std::fs::read_dir(folder().join(module)) {
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// Whether what it does depends on the engine that is chosen: it asks for it, or uses what another module does.
fn asks(sources: &[String]) -> bool {
    let asks = |text: &String| ASKING.iter().any(|asking| text.contains(asking));
    let leans = |text: &String| text.split("crate::").skip(1).any(|rest| !rest.starts_with("kit"));
    sources.iter().any(|text| asks(text) || leans(text))
}

#[test]
fn every_module_that_asks_for_no_engine_is_on_the_list_and_no_other() {
    let (modules, listed) = (modules(), listed());
    // This file names what asks.
    let same: BTreeSet<String> =
        modules.into_iter().filter(|module| module == "once" || !asks(&sources(module))).collect();
    assert!(same.len() > 10, "{same:?}");
    assert_eq!(listed, same, "left: once.txt; right: the modules that do the same whichever engine is chosen");
}

/// The test runner leaves out every test whose path has the words in it, wherever they stand.
#[test]
fn no_other_module_goes_by_a_name_that_a_listed_one_ends_another_with() {
    let records = std::fs::read_dir(folder().join("records")).unwrap();
    let records = records.map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned());
    let all: Vec<String> = modules().into_iter().chain(records).collect();
    for listed in listed() {
        let mistaken: Vec<_> = all.iter().filter(|other| **other != listed && other.ends_with(&listed)).collect();
        assert!(mistaken.is_empty(), "leaving {listed} out would leave {mistaken:?} out too");
    }
}

#[test]
fn a_module_that_asks_for_the_engine_is_known_by_its_words() {
    let asking = |text: &str| asks(&[text.to_owned()]);
    assert!(asking("let w = World::new().await;") && asking("World::with(|set| set.attempts = 2)"));
    assert!(asking("use crate::join::invited;"), "what another module opens may be on the chosen engine");
    assert!(!asking("use crate::kit::World; World::embedded().await"));
}
