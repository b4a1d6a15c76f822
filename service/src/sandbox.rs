//! The sandbox: the same service with an invented world, a clock that can be moved, and a sample third-party app.

pub mod clock;
mod invented;
mod loading;

pub use loading::{CannotPrepare, Prepared, prepare};
