//! The server: listens, accepts connections, and shuts down without dropping what it accepted.

mod acceptance;
mod connection_limits;
mod core_workers;
mod files;
mod metrics;
mod notice;
mod start;
mod stop;
mod wake_guard;
mod wire;

pub use acceptance::serve;
pub use core_workers::CoreWorkers;
pub use files::raise_limit;
pub use metrics::serve_metrics;
pub use start::run;
