//! Chaos: clients refresh, replay, race and are revoked on several nodes over one PostgreSQL, while nodes and the
//! database are killed and started again at random. Afterwards the history is held to the contract.

pub(crate) mod account;
mod checker;
pub(crate) mod client;
pub(crate) mod dice;
pub(crate) mod history;
pub(crate) mod nodes;
pub(crate) mod operator;
pub(crate) mod plan;
mod report;
pub(crate) mod run;
pub(crate) mod scene;
pub(crate) mod schedule;
pub(crate) mod wire;
