//! The server: listens, accepts connections, and shuts down without dropping what it accepted.

mod acceptance;
mod metrics;
mod start;
mod stop;

pub use acceptance::serve;
pub use metrics::serve_metrics;
pub use start::run;
