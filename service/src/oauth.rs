//! OAuth 2.0: the authorization endpoint with its page, and the token endpoint with its three grants.

pub mod authorize;
mod client_authentication;
mod decision;
mod grants;
pub mod token;
