//! A client assertion as it was sent: read without trust, and believed only when a key of the client has signed it.

use super::public_key::PublicKey;
use super::secret::Secret;
use super::signatures::{self, library_name, moment};
use jsonwebtoken::Algorithm;
use rules::assertions::{AssertionFault, Claims, may_be_assertion};
use rules::clients::SigningAlgorithm;
use serde::Deserialize;
use store::clients::ClientKey;
use store::salt::Salt;

/// A JWT that somebody sent.
#[derive(Debug)]
pub struct Assertion {
    text: Secret,
    algorithm: SigningAlgorithm,
    kid: Option<String>,
    /// Where it says that the keys are. Nobody goes there.
    jku: Option<String>,
    /// Whose it says it is.
    client_id: String,
}

/// What a good signature vouches for.
#[derive(Debug)]
pub struct SignedClaims {
    pub claims: Claims,
    /// Of the key that signed.
    pub salt: Salt,
}

/// The claims as JSON has them. What is there twice, or of another type, makes the whole unreadable.
#[derive(Deserialize)]
struct ClaimSet {
    iss: Option<String>,
    sub: Option<String>,
    aud: Option<Audience>,
    exp: Option<f64>,
    iat: Option<f64>,
    nbf: Option<f64>,
    jti: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Assertion {
    /// Reads what an assertion says of itself. Nothing of it is proven.
    pub fn read(text: &str) -> Result<Self, AssertionFault> {
        let unreadable = |_| AssertionFault::Unreadable;
        let header = jsonwebtoken::decode_header(text).map_err(unreadable)?;
        let algorithm = admitted(header.alg).ok_or(AssertionFault::Unreadable)?;
        // RFC 7515, 4.1.11: what must be understood and is not makes the JWT invalid. None of it is understood here.
        if header.crit.is_some() || !may_be_assertion(header.typ.as_deref()) {
            return Err(AssertionFault::Unreadable);
        }
        let claims: ClaimSet = jsonwebtoken::dangerous::insecure_decode_claims(text).map_err(unreadable)?;
        let client_id = claims.sub.or(claims.iss).ok_or(AssertionFault::WrongIssuer)?;
        Ok(Self { text: Secret::new(text.to_owned()), algorithm, kid: header.kid, jku: header.jku, client_id })
    }

    #[must_use]
    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    /// Whether it names no other place of the keys than the registered one. A key that it brings along (`jwk`, `x5c`), or has us fetch
    /// (`x5u`), is passed over: it would be the sender's own word.
    #[must_use]
    pub fn agrees_with(&self, jwks_url: Option<&str>) -> bool {
        self.jku.is_none() || self.jku.as_deref() == jwks_url
    }

    /// Whether one of these keys, and one alone, may have signed it.
    #[must_use]
    pub fn is_for_one_of(&self, keys: &[ClientKey]) -> bool {
        self.signer(keys).is_some()
    }

    /// What it says, if one of these keys has signed it: the one of its `kid`, or without a `kid` the only one that its algorithm
    /// fits. No more than one signature is checked: anybody may send an assertion, and ten large keys would cost ten times as much.
    #[must_use]
    pub fn signed_by(&self, keys: &[ClientKey]) -> Option<SignedClaims> {
        let (key, public) = self.signer(keys)?;
        let claims = self.verified(public.for_algorithm(self.algorithm)?)?;
        Some(SignedClaims { claims, salt: key.salt.clone() })
    }

    /// The one key that may have signed it; none, where there are several.
    fn signer<'k>(&self, keys: &'k [ClientKey]) -> Option<(&'k ClientKey, PublicKey)> {
        let mut fitting = keys.iter().filter_map(|key| {
            let public = PublicKey::stored(&key.jwk).ok()?;
            let is_meant = self.kid.is_none() || self.kid == public.kid;
            (is_meant && public.for_algorithm(self.algorithm).is_some()).then_some((key, public))
        });
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }

    fn verified(&self, key: &jsonwebtoken::DecodingKey) -> Option<Claims> {
        signatures::get_ready();
        let signature_only = signatures::signature_only(self.algorithm);
        let verified = jsonwebtoken::decode::<ClaimSet>(self.text.reveal(), key, &signature_only).ok()?;
        Some(verified.claims.into())
    }
}

impl From<ClaimSet> for Claims {
    fn from(set: ClaimSet) -> Self {
        Self {
            issuer: set.iss,
            subject: set.sub,
            audience: match set.aud {
                None => Vec::new(),
                Some(Audience::One(name)) => vec![name],
                Some(Audience::Many(names)) => names,
            },
            expires_at: set.exp.map(moment),
            issued_at: set.iat.map(moment),
            not_before: set.nbf.map(moment),
            id: set.jti,
        }
    }
}

fn admitted(algorithm: Algorithm) -> Option<SigningAlgorithm> {
    SigningAlgorithm::ALL.into_iter().find(|known| library_name(*known) == algorithm)
}
