//! A client that proves that it holds a key (DPoP): its proofs, good or with whatever a test wants in them.

use super::client_app::{ClientApp, basic};
use super::reply::Reply;
use super::requests::{form_request, request};
use super::signer::{Signer, base64url};
use super::token_reply::TokenReply;
use super::world::{BASE, World};
use axum::body::Body;
use axum::http::{HeaderValue, Method, header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicUsize, Ordering};

pub const TOKEN: &str = "/apiToken.action";

/// A key, and the world in which it is shown.
pub struct Prover<'w> {
    pub world: &'w World,
    pub signer: Signer,
}

impl<'w> Prover<'w> {
    pub fn new(world: &'w World) -> Self {
        Self::by(world, "ES256")
    }

    pub fn by(world: &'w World, algorithm: &str) -> Self {
        Self { world, signer: Signer::for_algorithm(algorithm) }
    }

    /// The thumbprint of the key (RFC 7638).
    pub fn jkt(&self) -> String {
        let jwk = self.signer.jwk();
        let member = |name: &str| format!("\"{name}\":{}", jwk[name]);
        let members = ["crv", "kty", "x", "y"].into_iter().filter(|name| jwk.get(name).is_some());
        let canonical = format!("{{{}}}", members.map(member).collect::<Vec<_>>().join(","));
        base64url(Sha256::digest(canonical))
    }

    /// The head of an ordinary proof.
    pub fn head(&self) -> Value {
        json!({"typ": "dpop+jwt", "alg": self.signer.header()["alg"], "jwk": self.signer.jwk()})
    }

    /// What an ordinary proof for this request says, with a `jti` of its own.
    pub fn claims(&self, method: &str, path: &str, access: Option<&str>) -> Value {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut claims = json!({
            "htm": method, "htu": format!("{BASE}{path}"), "iat": self.world.now().0 / 1000, "jti": format!("proof-{number}"),
        });
        if let Some(access) = access {
            claims["ath"] = base64url(Sha256::digest(access)).into();
        }
        claims
    }

    /// An ordinary proof.
    pub fn proof(&self, method: &str, path: &str, access: Option<&str>) -> String {
        self.signer.sign(&self.head(), &self.claims(method, path, access))
    }

    /// A proof for a token request.
    pub fn token_proof(&self) -> String {
        self.proof("POST", TOKEN, None)
    }

    /// A token request of this client with an ordinary proof.
    pub async fn asks(&self, app: &ClientApp<'_>, body: &[(String, String)]) -> TokenReply {
        asks_with(app, body, &[&self.token_proof()]).await
    }

    /// A call of an API with an ordinary proof.
    pub async fn gets(&self, path: &str, access: &str) -> Reply {
        let proof = self.proof("GET", path.split('?').next().unwrap(), Some(access));
        gets_with(self.world, path, &format!("DPoP {access}"), &[&proof]).await
    }
}

/// A token request with these headers `DPoP`.
pub async fn asks_with(app: &ClientApp<'_>, body: &[(String, String)], proofs: &[&str]) -> TokenReply {
    posts_with(app, TOKEN, body, proofs).await
}

/// The same at another endpoint of the token endpoint's voice.
pub async fn posts_with(app: &ClientApp<'_>, path: &str, body: &[(String, String)], proofs: &[&str]) -> TokenReply {
    let mut request = form_request(path, body);
    for proof in proofs {
        request.headers_mut().append("dpop", HeaderValue::from_str(proof).unwrap());
    }
    if let Some(secret) = app.registration.secret {
        request.headers_mut().insert(header::AUTHORIZATION, basic(app.registration.client_id, secret));
    }
    TokenReply::of(app.world.send(request).await)
}

/// A call with these headers.
pub async fn gets_with(world: &World, path: &str, authorization: &str, proofs: &[&str]) -> Reply {
    let mut call = request(Method::GET, path).header(header::AUTHORIZATION, authorization);
    for proof in proofs {
        call = call.header("DPoP", *proof);
    }
    world.send(call.body(Body::empty()).unwrap()).await
}
