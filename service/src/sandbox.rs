//! The sandbox: the same service with an invented world, a clock that can be moved, and a sample third-party app.

pub mod clock;
mod examples;
mod guide;
mod guide_text;
mod invented;
mod loading;
pub mod sample_app;

pub use guide::{Guide, guide};
pub use invented::CannotRead;
pub use loading::{CannotPrepare, Prepared, prepare};
