//! Metrics: what an operator watches, in Prometheus' text form.

pub mod catalogue;
mod counters;
mod labels;
mod reading;
mod route_meter;

pub use counters::{DONE, ISSUED, Metrics};
pub use labels::{FailureCause, FailureLabels, LineLabels, Reason};
pub use reading::{Reading, ReadingValue};
pub use route_meter::RouteMeter;
