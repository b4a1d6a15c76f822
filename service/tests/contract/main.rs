//! The contract, sentence by sentence, through the routes: in this process, on the engine that `RECORDGATE_TEST_ENGINE` names.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what is not as expected must fail the test"
)]

mod access_log;
mod account;
mod answers;
mod apis;
mod assertions;
mod authorization;
mod bodies_under_way;
mod choices;
mod clients;
mod compartments;
mod connected;
mod cors;
mod coverage;
mod crowd;
mod deaf_clients;
mod deeds;
mod discovery;
mod encoding;
mod every_route;
mod failed_authentications;
mod forgery;
mod forgotten_password;
mod introspection;
mod invited_accounts;
mod join;
mod key_ring;
mod key_sets;
mod kit;
mod known_browsers;
mod large_worlds;
mod launches;
mod ledger_months;
mod limits;
mod logout;
mod long_lists;
mod long_reads;
mod metrics;
mod my_administration;
mod my_oversight;
mod my_patients;
mod my_record;
mod my_sharing;
mod never_500;
mod oauth2_crate;
mod odd_assertions;
mod odd_paths;
mod once;
mod openid;
mod operation;
mod own_password;
mod packed;
mod pages;
mod passkeys;
mod passwords;
mod promises;
mod pushed_requests;
mod readiness;
mod records;
mod reference;
mod remote_keys;
mod request_log;
mod rest;
mod revocation;
mod round_trips;
mod scopes;
mod search_meaning;
mod search_table;
mod second_factor;
mod secrets;
mod sessions;
mod shots;
mod sign_in_storm;
mod sign_ins;
mod smart_apps;
mod standing;
mod step_up;
mod team_grants;
mod telemetry;
mod throttle;
mod throttled_logins;
mod times;
mod token;
mod token_refusals;
mod trouble;
mod upgrade;
mod way_around;
mod wrong_names;
