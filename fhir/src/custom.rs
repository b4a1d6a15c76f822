//! Search parameters that a server's users define by SearchParameters of their own, beside HL7's.

pub mod definition;

mod expression;
mod steps;
