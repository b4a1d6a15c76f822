//! What people are told: every reason to say no, with what it means and what to do about it; what an app may do, why access
//! ended, and by which right somebody looked.

pub mod authorization;
pub mod calls;
pub mod endings;
pub mod parts;
pub mod promises;
pub mod questions;
pub mod rest;
pub mod rights;
pub mod token_requests;
mod words;

pub use words::Guidance;
