//! The server: listens, accepts connections, and shuts down without dropping what it accepted.

mod start;

pub use start::{run, serve, serve_metrics};
