//! The keys of a client as they are registered: a key that was there before keeps its salt, and with it the tokens that it got.

use super::refusal::OperatorRefusal;
use crate::app::App;
use crate::secrets::dice;
use crate::secrets::public_key::PublicKey;
use rules::key_urls::KeyUrl;
use store::clients::{ClientKey, KeySetUrl};
use store::salt::Salt;

/// Keys on their way into the store, each with a salt for the case that it is new.
pub(super) struct NewKeys(Vec<(PublicKey, Salt)>);

/// The URL of a client's keys on its way into the store, with a salt for the case that it is new.
pub(super) struct NewKeyUrl(KeySetUrl);

impl NewKeyUrl {
    /// Reads a URL to which this service goes.
    pub(super) fn read(app: &App, client_id: &str, url: &str) -> Result<Self, OperatorRefusal> {
        let judged = KeyUrl::read(url).and_then(|url| app.settings.key_egress().judge(&url));
        judged.map_err(|fault| OperatorRefusal::because(format!("client {client_id}: jwks_url {}", fault.words())))?;
        Ok(Self(KeySetUrl { url: url.to_owned(), salt: Salt::new(dice::bytes()?) }))
    }

    /// The URL as it takes the place of the one `before`: the same is left as it is, and so are its tokens.
    pub(super) fn instead_of(self, before: Option<&KeySetUrl>) -> KeySetUrl {
        before.filter(|before| before.url == self.0.url).cloned().unwrap_or(self.0)
    }
}

impl NewKeys {
    /// Reads JWKs, one each.
    pub(super) fn read(jwks: &[String]) -> Result<Self, OperatorRefusal> {
        let read = |jwk: &String| {
            let given = serde_json::from_str(jwk).map_err(|_| "is no JSON".to_owned());
            let key = given.and_then(|jwk| PublicKey::read(&jwk));
            let key = key.map_err(|fault| OperatorRefusal::because(format!("jwks: a key {fault}")))?;
            Ok((key, Salt::new(dice::bytes()?)))
        };
        jwks.iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// The keys as they take the place of those `before`. One that was removed and comes back is new: its old tokens stay void.
    pub(super) fn beside(self, before: &[ClientKey]) -> Vec<ClientKey> {
        let known: Vec<(String, &Salt)> =
            before.iter().filter_map(|key| Some((PublicKey::stored(&key.jwk).ok()?.material, &key.salt))).collect();
        let registered = self.0.into_iter().map(|(key, fresh)| {
            let kept = known.iter().find(|(material, _)| *material == key.material);
            ClientKey { salt: kept.map_or(fresh, |(_, salt)| (*salt).clone()), jwk: key.jwk }
        });
        registered.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::NewKeys;

    const ONE: &str = r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    const TWO: &str = r#"{"kty":"OKP","crv":"Ed25519","x":"7cw0dmRDpYy3kfnmyNYXj0pFfJ6iWo2Q3eEo4aVhVkU"}"#;

    fn keys(jwks: &[&str]) -> NewKeys {
        NewKeys::read(&jwks.iter().map(|jwk| (*jwk).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_key_keeps_its_salt_beside_another_and_under_another_name() {
        let before = keys(&[ONE]).beside(&[]);
        let renamed = ONE.replace("\"x\"", "\"kid\":\"new name\",\"x\"");
        let after = keys(&[TWO, &renamed]).beside(&before);
        assert_eq!(after[1].salt, before[0].salt);
        assert_ne!(after[0].salt, before[0].salt);
        assert!(after[1].jwk.contains("new name"));
    }

    #[test]
    fn a_key_that_was_removed_and_comes_back_is_a_new_one() {
        let before = keys(&[ONE]).beside(&[]);
        let without = keys(&[TWO]).beside(&before);
        let again = keys(&[ONE, TWO]).beside(&without);
        assert_ne!(again[0].salt, before[0].salt);
        assert_eq!(again[1].salt, without[0].salt);
    }
}
