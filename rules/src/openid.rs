//! OpenID Connect: who is told who somebody is, and in which words.

use crate::clients::SigningAlgorithm;

/// The scopes of OpenID Connect and of SMART that open nothing but who the user is.
pub const OPENID: &str = "openid";
pub const FHIR_USER: &str = "fhirUser";
pub const PROFILE: &str = "profile";

/// By which id_tokens are signed. The first is for clients that are not registered for another.
pub const ID_TOKEN_ALGORITHMS: [SigningAlgorithm; 2] = [SigningAlgorithm::Rs256, SigningAlgorithm::Es256];

/// What an id_token says, beside what every JWT does.
pub const CLAIMS: [&str; 11] =
    ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "at_hash", "fhirUser"];

/// How sure it is who the user is: by a password alone.
pub const ACR_PASSWORD: &str = "urn:recordgate:1";
/// How somebody proved who they are (RFC 8176): by a password.
pub const AMR_PASSWORD: &str = "pwd";

/// The algorithm of an id_token that a registration names.
#[must_use]
pub fn id_token_algorithm(word: &str) -> Option<SigningAlgorithm> {
    ID_TOKEN_ALGORITHMS.into_iter().find(|algorithm| algorithm.word() == word)
}
