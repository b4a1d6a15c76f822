//! Every reason to say no, with what it means and what to do about it: what the documentation lists.

pub mod authorization;
pub mod calls;
pub mod token_requests;
mod words;

pub use words::Guidance;
