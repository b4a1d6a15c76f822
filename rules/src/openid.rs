//! OpenID Connect: who is told who somebody is, and in which words.

use crate::clients::SigningAlgorithm;
use crate::factors::FactorMeans;

/// The scopes of OpenID Connect and of SMART that open nothing but who the user is.
pub const OPENID: &str = "openid";
pub const FHIR_USER: &str = "fhirUser";
pub const PROFILE: &str = "profile";

/// By which id_tokens are signed. The first is for clients that are not registered for another.
pub const ID_TOKEN_ALGORITHMS: [SigningAlgorithm; 2] = [SigningAlgorithm::Rs256, SigningAlgorithm::Es256];

/// What an id_token says, beside what every JWT does.
pub const CLAIMS: [&str; 11] =
    ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "at_hash", "fhirUser"];

/// How sure it is who a user is: by a password alone, and by a second factor besides.
pub const ACRS: [&str; 2] = ["urn:recordgate:1", "urn:recordgate:2"];

/// How sure it is who a user is that showed this beside the password.
#[must_use]
pub const fn acr(factor: Option<FactorMeans>) -> &'static str {
    let [password, both] = ACRS;
    if factor.is_some() { both } else { password }
}

/// How they proved who they are (RFC 8176).
#[must_use]
pub const fn amr(factor: Option<FactorMeans>) -> &'static [&'static str] {
    match factor {
        None => &["pwd"],
        Some(FactorMeans::Code) => &["pwd", "otp", "mfa"],
        Some(FactorMeans::DevicePasskey) => &["pwd", "hwk", "mfa"],
        Some(FactorMeans::SyncedPasskey) => &["pwd", "swk", "mfa"],
    }
}

/// The algorithm of an id_token that a registration names.
#[must_use]
pub fn id_token_algorithm(word: &str) -> Option<SigningAlgorithm> {
    ID_TOKEN_ALGORITHMS.into_iter().find(|algorithm| algorithm.word() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_shown_beside_the_password_is_said_in_the_words_of_the_rfc() {
        assert_eq!((acr(None), amr(None)), ("urn:recordgate:1", ["pwd"].as_slice()));
        for means in FactorMeans::ALL {
            assert_eq!(acr(Some(means)), "urn:recordgate:2");
            assert_eq!(amr(Some(means)), ["pwd", means.word(), "mfa"]);
        }
    }
}
