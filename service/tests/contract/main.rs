//! The contract, sentence by sentence, through the routes: in this process, on the engine that `RECORDGATE_TEST_ENGINE` names.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what is not as expected must fail the test"
)]

mod apis;
mod authorization;
mod clients;
mod compartments;
mod cors;
mod coverage;
mod crowd;
mod discovery;
mod every_route;
mod forgery;
mod introspection;
mod kit;
mod limits;
mod long_reads;
mod never_500;
mod odd_paths;
mod pages;
mod records;
mod reference;
mod revocation;
mod round_trips;
mod scopes;
mod secrets;
mod sessions;
mod shots;
mod throttle;
mod token;
mod token_refusals;
mod trouble;
mod upgrade;
