//! The throttle on guessing: failed logins and client authentications are counted in books, and too many must wait.

mod allowance;
mod attempt;
mod book;
mod books;
mod line;
mod network;

pub use allowance::{Allowance, Wait};
pub use attempt::Attempt;
pub use books::{Claimant, Throttle};
pub use line::Line;
pub use network::network;
