//! The running service as every handler holds it: its state, its configuration, and the work in its background.

pub mod access_writer;
pub mod accesses;
pub mod bounds;
pub mod clock;
pub mod config;
pub mod key_ring;
pub mod key_watch;
pub mod logs;
pub mod metrics;
mod opening;
pub mod purpose;
mod records;
mod state;
pub mod sweeper;
pub mod trouble;
pub mod unread;

pub use opening::CannotOpen;
pub use state::{App, AppParts, CLOCK_OFFSET, Settings, Shared};
