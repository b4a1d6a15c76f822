//! A client at work: sending users to the authorization page, redeeming, refreshing, asking with its own credentials.

use super::clients::{self, CHALLENGE, Registration, VERIFIER};
use super::page::Page;
use super::requests::{encoded, fields, form_request, with};
use super::token_reply::{TokenReply, Tokens};
use super::world::World;
use axum::http::{HeaderValue, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub const STATE: &str = "state-of-the-app-8d1c";

/// A client, in a world.
#[derive(Clone, Copy)]
pub struct ClientApp<'w> {
    pub world: &'w World,
    pub registration: &'static Registration,
}

impl<'w> ClientApp<'w> {
    /// The client that goes by this product name.
    pub fn of(world: &'w World, product: &str) -> Self {
        Self { world, registration: clients::named(product) }
    }

    /// The parameters of an ordinary authorization request of this client.
    pub fn asks(&self) -> Vec<(String, String)> {
        let redirect_uri = self.registration.redirect_uris.first().copied().unwrap_or_default();
        let asked = fields([
            ("response_type", "code"),
            ("client_id", self.registration.client_id),
            ("redirect_uri", redirect_uri),
            ("state", STATE),
        ]);
        let asked = match self.registration.scopes {
            [only] => with(&asked, "scope", only.word()),
            _ => asked,
        };
        match self.registration.require_pkce {
            true => with(&with(&asked, "code_challenge", CHALLENGE), "code_challenge_method", "S256"),
            false => asked,
        }
    }

    /// Sends a browser to the authorization page, which must be shown.
    pub async fn sends_to_page(&self, asked: &[(String, String)]) -> Page {
        let reply = self.world.get(&format!("/apiAuthorize.action?{}", encoded(asked))).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        Page::of(&reply)
    }

    /// The body of the token request for a code.
    pub fn redemption(&self, code: &str) -> Vec<(String, String)> {
        let redirect_uri = self.registration.redirect_uris.first().copied().unwrap_or_default();
        let body = fields([
            ("grant_type", "authorization_code"),
            ("client_id", self.registration.client_id),
            ("code", code),
            ("redirect_uri", redirect_uri),
        ]);
        if self.registration.require_pkce { with(&body, "code_verifier", VERIFIER) } else { body }
    }

    pub async fn redeem(&self, code: &str) -> TokenReply {
        self.asks_for_tokens(&self.redemption(code)).await
    }

    /// The body of a refresh request.
    pub fn refreshment(&self, refresh_token: &str) -> Vec<(String, String)> {
        fields([
            ("grant_type", "refresh_token"),
            ("client_id", self.registration.client_id),
            ("refresh_token", refresh_token),
        ])
    }

    pub async fn refresh(&self, tokens: &Tokens) -> TokenReply {
        self.asks_for_tokens(&self.refreshment(tokens.refresh())).await
    }

    pub async fn client_credentials(&self) -> TokenReply {
        self.asks_for_tokens(&fields([("grant_type", "client_credentials")])).await
    }

    /// A token request, with the client's secret by HTTP Basic if it has one.
    pub async fn asks_for_tokens(&self, body: &[(String, String)]) -> TokenReply {
        match self.registration.secret {
            Some(secret) => self.asks_as(self.registration.client_id, secret, body).await,
            None => TokenReply::of(self.world.post_form("/apiToken.action", body).await),
        }
    }

    /// A request about a token, at another endpoint of the same voice.
    pub async fn asks_about(&self, path: &str, token: &str) -> TokenReply {
        self.posts(path, &fields([("token", token)])).await
    }

    /// A request of this client, by its secret if it has one, at an endpoint of the token endpoint's voice.
    pub async fn posts(&self, path: &str, body: &[(String, String)]) -> TokenReply {
        let request = match self.registration.secret {
            Some(secret) => {
                let mut request = form_request(path, body);
                request.headers_mut().insert(header::AUTHORIZATION, basic(self.registration.client_id, secret));
                request
            }
            None => form_request(path, &with(body, "client_id", self.registration.client_id)),
        };
        TokenReply::of(self.world.send(request).await)
    }

    /// A token request with these credentials in HTTP Basic.
    pub async fn asks_as(&self, client_id: &str, secret: &str, body: &[(String, String)]) -> TokenReply {
        let mut request = form_request("/apiToken.action", body);
        request.headers_mut().insert(header::AUTHORIZATION, basic(client_id, secret));
        TokenReply::of(self.world.send(request).await)
    }
}

pub fn basic(client_id: &str, secret: &str) -> HeaderValue {
    HeaderValue::from_str(&format!("Basic {}", STANDARD.encode(format!("{client_id}:{secret}")))).unwrap()
}
