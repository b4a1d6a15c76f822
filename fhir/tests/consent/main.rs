//! A Consent as FHIR has it: what is read of one, what is refused, and the form in which it is written.
#![expect(
    clippy::panic,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "what is not as expected must fail the test"
)]

#[path = "../../../rules/tests/contract/known_words.rs"]
mod known_words;
#[path = "../../../rules/tests/contract/markdown.rs"]
mod markdown;
#[path = "../../../rules/tests/contract/marked.rs"]
mod marked;

mod forms;
mod hl7;
mod random;
mod table;
