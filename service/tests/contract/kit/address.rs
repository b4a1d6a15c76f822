//! Where the service of the tests is reached.

pub const BASE: &str = "http://records.test";
