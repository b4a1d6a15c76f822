//! The running service as every handler holds it: its state, its configuration, and the work in its background.

pub mod access_writer;
pub mod accesses;
pub mod belief;
pub mod bounds;
pub mod clock;
pub mod config;
pub mod failed_authentications;
pub mod filling;
pub mod key_ring;
pub mod key_watch;
pub mod ledger_lag;
pub mod line_budget;
mod log_limit;
mod log_line;
pub mod logs;
pub mod metrics;
pub mod months;
mod notary;
mod opening;
pub mod purpose;
pub mod readiness;
pub mod representation;
mod records;
pub mod request_context;
pub mod request_id;
pub mod scrape;
mod state;
pub mod statement;
pub mod sweeper;
pub mod telemetry;
pub mod trouble;
pub mod unread;

pub use opening::CannotOpen;
pub use state::{App, AppParts, CLOCK_OFFSET, Settings, Shared};
