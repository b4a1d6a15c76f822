//! What people are told: every reason to say no, with what it means and what to do about it; what an app may do, why access
//! ended, by which right somebody looked, and why something is seen or is not.

pub mod authorization;
pub mod calls;
pub mod denials;
pub mod endings;
pub mod parts;
pub mod promises;
mod proofs;
pub mod questions;
pub mod reasons;
pub mod record_parts;
pub mod rest;
pub mod rights;
pub mod scope_lines;
pub mod served;
pub mod token_requests;
mod words;

pub use words::Guidance;
