//! Where each side issues a System Client's token, is asked about it, and lets it be given up.

use crate::http::driver;
use crate::http::requests;
use crate::http::scripts::member;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::people::{SYSTEM, SYSTEM_SECRET};
use std::net::SocketAddr;

#[derive(Debug, Clone)]
pub(super) struct TokenDoor {
    address: SocketAddr,
    token: &'static str,
    introspection: &'static str,
    revocation: &'static str,
}

impl TokenDoor {
    pub(super) const fn service(server: &Server) -> Self {
        let (token, introspection, revocation) = ("/apiToken.action", "/apiIntrospect.action", "/apiRevoke.action");
        Self { address: server.address, token, introspection, revocation }
    }

    pub(super) const fn oidc_provider(server: &Server) -> Self {
        let (token, introspection, revocation) = ("/token", "/token/introspection", "/token/revocation");
        Self { address: server.address, token, introspection, revocation }
    }

    fn form(&self, path: &str, body: &str) -> Vec<u8> {
        requests::form_with_secret(&self.address.to_string(), path, SYSTEM, SYSTEM_SECRET, body)
    }

    pub(super) fn issue(&self) -> Vec<u8> {
        self.form(self.token, "grant_type=client_credentials")
    }

    pub(super) fn introspect(&self, token: &str) -> Vec<u8> {
        self.form(self.introspection, &format!("token={token}"))
    }

    pub(super) fn revoke(&self, token: &str) -> Vec<u8> {
        self.form(self.revocation, &format!("token={token}"))
    }

    /// A new token.
    pub(super) async fn token(&self) -> Result<String, Trouble> {
        let (_, _, answer) = driver::once(self.address, &self.issue()).await?;
        Ok(member(&answer, "access_token")?.to_owned())
    }

    /// What is told of a token.
    pub(super) async fn told(&self, token: &str) -> Result<Vec<u8>, Trouble> {
        Ok(driver::once(self.address, &self.introspect(token)).await?.2)
    }
}
