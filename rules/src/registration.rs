//! Dynamic client registration (RFC 7591, RFC 7592): what an app may ask to be registered for that says itself what it is, and why it is
//! not taken.

use crate::clients::AuthenticationMethod;
use crate::limits::REGISTRATION_BYTES;
use crate::scope::Scope;
use crate::smart::request::Vocabulary;
use crate::smart::word::{ScopeContext, SmartScope};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// How a client that registers itself may prove who it is.
pub const METHODS: [AuthenticationMethod; 3] =
    [AuthenticationMethod::None, AuthenticationMethod::SecretBasic, AuthenticationMethod::PrivateKeyJwt];
/// Where the registration says nothing of that (RFC 7591, 2).
pub const USUAL_METHOD: AuthenticationMethod = AuthenticationMethod::SecretBasic;
/// The longest description of what is wrong with a registration, in characters.
const DESCRIBED_CHARACTERS: usize = 500;

/// Why a registration is not made, shown or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegistrationFault {
    /// No token, or none that is good here.
    WrongToken,
    NotJson,
    /// A member is missing, or not what it must be; or the rules of registration are against it.
    Metadata(String),
    RedirectUri(String),
}

impl RegistrationFault {
    /// A fault of a client's metadata, in words that anybody's error description can have.
    #[must_use]
    pub fn metadata(words: &str) -> Self {
        Self::Metadata(plain(words))
    }

    /// A fault of a redirect URI.
    #[must_use]
    pub fn redirect_uri(words: &str) -> Self {
        Self::RedirectUri(plain(words))
    }

    #[must_use]
    pub fn words(&self) -> Cow<'static, str> {
        match self {
            Self::WrongToken => "send Authorization: Bearer and a token that is good for this registration".into(),
            Self::NotJson => format!(
                "send an object as application/json, of at most {REGISTRATION_BYTES} bytes and with no member twice"
            )
            .into(),
            Self::Metadata(words) | Self::RedirectUri(words) => words.clone().into(),
        }
    }
}

/// Printable ASCII without the double quote and the backslash (RFC 6749 5.2), and not without end.
fn plain(words: &str) -> String {
    let letter = |letter| match letter {
        '"' | '\\' => '\'',
        ' '..='~' => letter,
        _ => '?',
    };
    words.chars().take(DESCRIBED_CHARACTERS).map(letter).collect()
}

/// The method of this name, if a client may register itself for it.
#[must_use]
pub fn method(word: &str) -> Option<AuthenticationMethod> {
    METHODS.into_iter().find(|method| method.word() == word)
}

/// What is registered of the scopes that a client names: SMART's, as far as a person can grant them to an app that is not opened from
/// here. Others are left out, as they are where they are asked for; a word of the contract opens everything, and is refused.
pub fn scopes(text: &str, vocabulary: &Vocabulary) -> Result<Vec<SmartScope>, RegistrationFault> {
    let mut scopes: Vec<SmartScope> = Vec::new();
    for word in text.split(' ') {
        if let Some(of_contract) = Scope::named(word) {
            let words = format!("scope {} is for clients that an operator registers", of_contract.word());
            return Err(RegistrationFault::metadata(&words));
        }
        let scope = SmartScope::read(word).filter(|scope| vocabulary.knows(scope) && is_registrable(scope));
        scopes.extend(scope.filter(|scope| !scopes.contains(scope)));
    }
    match scopes.is_empty() {
        true => Err(RegistrationFault::metadata("scope is missing, or names nothing of SMART that a person can grant")),
        false => Ok(scopes),
    }
}

fn is_registrable(scope: &SmartScope) -> bool {
    match scope {
        SmartScope::Launch => false,
        SmartScope::Resource(scope) => scope.context != ScopeContext::System,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smart::request::spelt;

    const EVERYTHING: Vocabulary = Vocabulary { is_type: |_| true, has_token: |_, _| true };

    #[test]
    fn a_client_gets_what_people_can_grant_to_an_app_that_is_not_opened_from_here() {
        let asked = "launch launch/patient openid patient/*.rs system/*.rs email patient/*.rs offline_access";
        let scopes = scopes(asked, &EVERYTHING).unwrap();
        assert_eq!(spelt(&scopes), "launch/patient openid patient/*.rs offline_access");
    }

    #[test]
    fn a_word_of_the_contract_or_nothing_at_all_is_refused() {
        for asked in ["patient/*.rs PATIENT", "CLINICIAN", "", "email", "system/*.rs", "launch"] {
            assert!(matches!(scopes(asked, &EVERYTHING), Err(RegistrationFault::Metadata(_))), "{asked}");
        }
    }

    #[test]
    fn what_is_said_of_a_fault_is_printable_and_short() {
        let RegistrationFault::Metadata(words) = RegistrationFault::metadata(&"a\"b\\c\u{e9}\n".repeat(200)) else {
            unreachable!()
        };
        assert!(words.starts_with("a'b'c??a") && words.chars().count() == DESCRIBED_CHARACTERS, "{words}");
    }
}
