//! OAuth 2.0 with SMART and OpenID Connect: the authorization endpoint with its page, the token endpoint with its three grants,
//! pushed requests, revocation, introspection, who a user is, clients that register themselves, and discovery.

mod approval;
mod authorization_page;
pub mod authorize;
mod client_assertion;
mod client_authentication;
mod client_form;
mod client_metadata;
mod decision;
pub mod discovery;
mod grants;
mod id_token;
mod identity;
pub mod introspection;
mod launched;
pub mod logout;
pub mod openid;
pub mod pushed_request;
pub mod registration;
pub mod revocation;
mod silent;
mod smart_context;
mod smart_grant;
pub mod token;
mod token_question;
