//! docs/smart-requirements.md has every demand of SMART App Launch on servers once, and each with a test that is there or a reason.
#![expect(clippy::unwrap_used, reason = "a document or a tree that cannot be read must fail the test")]

use house::requirements::{Requirement, requirements};
use house::test_files::TestFiles;
use std::path::{Path, PathBuf};

/// As HL7's test kit counts them.
const SHALL: usize = 167;
const SHALL_NOT: usize = 5;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/smart-requirements.md")).unwrap()
}

fn rows() -> Vec<Requirement> {
    requirements(&page()).unwrap()
}

#[test]
fn every_demand_is_listed_once_in_the_order_of_its_number() {
    let rows = rows();
    let with = |word: &str| rows.iter().filter(|row| row.word == word).count();
    assert_eq!((rows.len(), with("SHALL"), with("SHALL NOT")), (SHALL + SHALL_NOT, SHALL, SHALL_NOT));
    let mut pairs = rows.iter().zip(rows.iter().skip(1));
    assert_eq!(pairs.find(|(row, next)| row.id >= next.id), None, "ids ascend");
}

#[test]
fn what_is_held_names_tests_that_are_there() {
    let files = TestFiles::read(&root()).unwrap();
    let mut missing = Vec::new();
    for row in rows().iter().filter(|row| row.how == "held") {
        if row.tests().is_empty() {
            missing.push(format!("{}: no test is named", row.id));
        }
        for (file, test) in row.tests() {
            if !files.has(file, test).unwrap() {
                missing.push(format!("{}: {file}::{test}", row.id));
            }
        }
    }
    assert!(missing.is_empty(), "tests that are not there:\n{}", missing.join("\n"));
}

#[test]
fn what_is_not_held_has_a_reason_and_what_is_missing_is_told_below() {
    let page = page();
    for row in rows().iter().filter(|row| row.how != "held") {
        assert!(row.tests().is_empty(), "{}: a test is named", row.id);
        let heading = match row.how.as_str() {
            "does not apply" => continue,
            "not met" => "\n## Not met\n",
            "not tested" => "\n## Not tested\n",
            other => panic!("{}: {other} is none of the four", row.id),
        };
        let (_, section) = page.split_once(heading).unwrap_or_default();
        let (section, _) = section.split_once("\n## ").unwrap_or((section, ""));
        let names = |line: &str| {
            let ids = line.strip_prefix("- **").and_then(|line| line.split_once(".**"));
            ids.is_some_and(|(ids, _)| ids.split(", ").any(|id| id == row.id.to_string()))
        };
        assert!(section.lines().any(names), "{} is not told of under{heading}", row.id);
    }
}
