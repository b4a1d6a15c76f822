//! OAuth 2.0: the authorization endpoint with its page, the token endpoint with its three grants, revocation, introspection,
//! and discovery.

mod approval;
mod authorization_page;
pub mod authorize;
mod client_assertion;
mod client_authentication;
mod decision;
pub mod discovery;
mod grants;
pub mod introspection;
pub mod revocation;
pub mod token;
mod token_question;
