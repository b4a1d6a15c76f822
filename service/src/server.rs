//! The server: listens, accepts connections, and shuts down without dropping what it accepted.

mod acceptance;
mod bell;
mod files;
mod lanes;
mod metrics;
mod notice;
mod places;
mod start;
mod stop;
mod wire;

pub use acceptance::serve;
pub use files::raise_limit;
pub use lanes::Lanes;
pub use metrics::serve_metrics;
pub use start::run;
