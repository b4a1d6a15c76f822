//! OAuth 2.0: the authorization endpoint with its page, and the token endpoint with its three grants.

mod authorization_page;
pub mod authorize;
mod client_assertion;
mod client_authentication;
mod decision;
mod grants;
pub mod token;
