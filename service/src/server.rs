//! The server: listens, accepts connections, with TLS where it has a certificate, and shuts down without dropping what it accepted.

mod acceptance;
mod certificate;
mod certificate_watch;
mod connection_limits;
mod conversation;
mod core_workers;
mod files;
mod handshake;
mod http1;
mod http2;
mod metrics;
mod notice;
mod secured;
mod start;
mod stop;
mod wake_guard;
mod wire;

pub use acceptance::serve;
pub use core_workers::CoreWorkers;
pub use files::raise_limit;
pub use metrics::serve_metrics;
pub use start::run;
