//! HTTP from the client's side: the bytes of requests, the reading of answers, and the load driver.

pub(crate) mod driver;
pub(crate) mod flood;
pub(crate) mod requests;
pub(crate) mod response;
pub(crate) mod scripts;
pub(crate) mod unhurried;
