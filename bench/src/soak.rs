//! A soak: for minutes or hours clients work on one service over the embedded store, others do their worst to it, and it is killed
//! and started again at random. Every answer is held to the contract, as in chaos, and every look to the ledger.

mod crowd;
mod ledger_looks;
mod lives;
mod looks;
mod nuisances;
pub(crate) mod plan;
mod report;
pub(crate) mod run;
