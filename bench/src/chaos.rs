//! Chaos: clients refresh, replay, race and are revoked on several nodes over one PostgreSQL, while nodes and the
//! database are killed and started again at random. Afterwards the history is held to the contract.

mod checker;
mod client;
mod dice;
mod history;
mod nodes;
mod operator;
pub(crate) mod plan;
mod report;
pub(crate) mod run;
mod scene;
mod schedule;
mod wire;
