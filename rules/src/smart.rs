//! SMART's scopes, beside the contract's words: how they are read and said, what is granted of them, and the lens that they make.

pub mod aimed;
pub mod grant;
pub mod lens;
pub mod offer;
pub mod permissions;
pub mod query;
pub mod request;
pub mod word;
