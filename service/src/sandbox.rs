//! The sandbox: the same service with an invented world, a clock that can be moved, and a sample third-party app.

pub mod clock;
mod examples;
mod guide;
mod guide_text;
mod inhabitants;
mod loader;
mod logins;
pub mod outbox;
pub mod sample_app;
mod world;

pub use guide::{Guide, guide};
pub use loader::{CannotPrepare, Preparation, prepare};
pub use world::CannotRead;
