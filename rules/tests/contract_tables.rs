//! Holds the rules to every cell of the contract's own tables, read out of docs/contract.md.
#![expect(clippy::panic, clippy::expect_used, clippy::indexing_slicing, reason = "a broken table must fail the test")]

mod contract;
mod played;

use contract::{CONTRACT, client_kinds, expiry_errors, limits, transitions};
use std::panic::catch_unwind;

/// Holds the rules to one table of a contract.
type Hold = fn(&str);

#[test]
fn every_cell_of_the_client_kind_table_is_what_the_rules_say() {
    client_kinds::hold(CONTRACT);
}

#[test]
fn every_cell_of_the_limits_table_is_what_the_rules_say() {
    limits::hold(CONTRACT);
}

#[test]
fn every_row_of_the_transition_table_is_what_the_rules_rule() {
    transitions::hold(CONTRACT);
}

#[test]
fn every_cell_of_the_expiry_error_table_is_what_the_rules_answer() {
    expiry_errors::hold(CONTRACT);
}

/// The tests above are only worth their name if no cell, number or row can change without their notice.
#[test]
fn no_cell_number_or_row_of_the_four_tables_can_change_alone() {
    let tables: [(&str, Hold, usize); 4] = [
        ("| Client kind | How it obtains", client_kinds::hold, 4 * 4),
        ("| Item | Value |", limits::hold, 6 * 2),
        ("| Subject | Trigger |", transitions::hold, 9 * 5),
        ("| Client kind | Expired access token", expiry_errors::hold, 4 * 5),
    ];
    for (header, hold, cells) in tables {
        let changed = changes(header);
        let whole_cells = changed.iter().filter(|change| change.contains("(changed) |")).count();
        assert_eq!(whole_cells, cells, "cells of the table {header}");
        for change in changed {
            assert!(catch_unwind(|| hold(&change)).is_err(), "unnoticed: {}", difference(&change));
        }
    }
}

/// The contract with one change in the table that begins with `header`: in each cell, in each number, each row lost.
fn changes(header: &str) -> Vec<String> {
    let start = CONTRACT.find(header).expect("the table is in the contract");
    let length = CONTRACT[start..].find("\n\n").expect("the table ends with a blank line");
    let (before, rest) = CONTRACT.split_at(start);
    let (table, after) = rest.split_at(length);
    let mut changes = Vec::new();
    let mut change = |from: usize, to: usize, by: &str| {
        changes.push(format!("{before}{}{by}{}{after}", &table[..from], &table[to..]));
    };
    for (at, _) in table.match_indices(" |") {
        change(at, at, " (changed)");
    }
    for (at, digit) in table.match_indices(|c: char| c.is_ascii_digit()) {
        change(at, at + 1, if digit == "7" { "8" } else { "7" });
    }
    for (nth, line) in table.lines().enumerate().skip(2) {
        let from: usize = table.lines().take(nth).map(|line| line.len() + 1).sum();
        change(from - 1, from + line.len(), "");
    }
    changes
}

/// The first line in which `change` differs from the contract.
fn difference(change: &str) -> &str {
    change.lines().zip(CONTRACT.lines()).find(|(new, old)| new != old).map_or("nothing", |(new, _)| new)
}
