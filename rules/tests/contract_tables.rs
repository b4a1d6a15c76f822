//! Holds the rules to every cell of the contract's own tables, read out of docs/contract.md.
#![expect(clippy::panic, clippy::expect_used, clippy::indexing_slicing, reason = "a broken table must fail the test")]

mod contract;
mod played;

#[test]
fn every_cell_of_the_client_kind_table_is_what_the_rules_say() {
    contract::client_kinds::hold();
}

#[test]
fn every_cell_of_the_limits_table_is_what_the_rules_say() {
    contract::limits::hold();
}

#[test]
fn every_row_of_the_transition_table_is_what_the_rules_rule() {
    contract::transitions::hold();
}

#[test]
fn every_cell_of_the_expiry_error_table_is_what_the_rules_answer() {
    contract::expiry_errors::hold();
}
