//! An id_token that comes back (`id_token_hint`): believed if a key of our own has signed it, however long ago it ended.

use super::public_key::PublicKey;
use super::signatures;
use rules::logout::IdTokenHint;
use rules::openid;
use serde::Deserialize;
use store::signing_keys::KeptSigningKey;

#[derive(Deserialize)]
struct HintClaims {
    iss: String,
    sub: String,
    aud: String,
}

/// What it says, if it was issued here and its key is still published.
#[must_use]
pub fn read(text: &str, published: &[KeptSigningKey], issuer: &str) -> Option<IdTokenHint> {
    signatures::get_ready();
    let kid = jsonwebtoken::decode_header(text).ok()?.kid?;
    let key = published.iter().find(|key| key.id == kid)?;
    let algorithm = openid::id_token_algorithm(&key.algorithm)?;
    let public = PublicKey::read(&serde_json::from_str(&key.jwk).ok()?).ok()?;
    let signature_only = signatures::signature_only(algorithm);
    let claims =
        jsonwebtoken::decode::<HintClaims>(text, public.for_algorithm(algorithm)?, &signature_only).ok()?.claims;
    (claims.iss == issuer).then_some(IdTokenHint { subject: claims.sub, audience: claims.aud })
}
