//! The token endpoint's error codes and the plain words beside them.

use rules::assertions::AssertionFault;
use rules::authorize::Fault;
use rules::clients::{ClientKind, GrantType};
use rules::dpop::fault::ProofFault;
use rules::lifecycle::{Refused, Revoked};
use rules::oauth_errors::{RedirectError, TokenError, TokenRefusal};
use rules::params::{ParamFault, Params};
use rules::scope::Scope;
use rules::smart::grant::SystemScopeFault;

const REFUSED: [Refused; 11] = [
    Refused::Unknown,
    Refused::ForeignClient,
    Refused::CodeExpired,
    Refused::WrongRedirectUri,
    Refused::WrongVerifier,
    Refused::UnexpectedVerifier,
    Refused::WrongScope,
    Refused::SessionExpired,
    Refused::SessionRevoked,
    Refused::NoProof,
    Refused::OtherKey,
];

/// Every refusal with the error code that docs/gaps.md decides.
fn every_refusal() -> Vec<(TokenRefusal, &'static str)> {
    let mut all = vec![
        (TokenRefusal::NotAForm, "invalid_request"),
        (TokenRefusal::ParametersInUrl, "invalid_request"),
        (TokenRefusal::Unreadable(ParamFault::Twice("scope".into())), "invalid_request"),
        (TokenRefusal::Unreadable(ParamFault::TooLong("scope".into())), "invalid_request"),
        (TokenRefusal::Missing("code"), "invalid_request"),
        (TokenRefusal::TwoAuthentications, "invalid_request"),
        (TokenRefusal::ClientIdDiffers, "invalid_request"),
        (TokenRefusal::MalformedVerifier, "invalid_request"),
        (TokenRefusal::SystemScope(SystemScopeFault::NoneLeft), "invalid_scope"),
        (TokenRefusal::SystemScope(SystemScopeFault::TooLong), "invalid_scope"),
        (TokenRefusal::Authorization(Fault::RedirectUriNotRegistered), "invalid_request"),
        (TokenRefusal::Authorization(Fault::RequestUriPushed), "invalid_request"),
        (TokenRefusal::Authorization(Fault::MalformedScope), "invalid_scope"),
        (TokenRefusal::Authorization(Fault::ScopeNotRegistered(Scope::Clinician)), "invalid_scope"),
        (TokenRefusal::Authorization(Fault::NoScopeLeft), "invalid_scope"),
        (TokenRefusal::Authorization(Fault::NotAUserClient), "unauthorized_client"),
        (TokenRefusal::MalformedBasic, "invalid_client"),
        (TokenRefusal::ClientNotAuthenticated, "invalid_client"),
        (TokenRefusal::GrantTypeNotForClient, "unauthorized_client"),
        (TokenRefusal::MayNotIntrospect, "unauthorized_client"),
        (TokenRefusal::UnknownGrantType, "unsupported_grant_type"),
    ];
    for refused in REFUSED {
        let code = match refused {
            Refused::WrongScope => "invalid_scope",
            Refused::NoProof | Refused::OtherKey => "invalid_dpop_proof",
            _ => "invalid_grant",
        };
        all.push((TokenRefusal::Refused(refused), code));
    }
    all.extend(ProofFault::ALL.map(|fault| {
        let code = if fault == ProofFault::NonceNeeded { "use_dpop_nonce" } else { "invalid_dpop_proof" };
        (TokenRefusal::Proof(fault), code)
    }));
    all.extend(AssertionFault::ALL.map(|fault| (TokenRefusal::Assertion(fault), "invalid_client")));
    all.extend(Revoked::ALL.map(|revoked| (TokenRefusal::Revoked(revoked), "invalid_grant")));
    all
}

#[test]
fn every_refusal_has_its_error_code() {
    for (refusal, code) in every_refusal() {
        assert_eq!(refusal.error().word(), code, "{refusal:?}");
    }
}

#[test]
fn the_error_codes_are_those_of_the_rfc() {
    use TokenError::{
        InvalidClient, InvalidGrant, InvalidRequest, InvalidScope, UnauthorizedClient, UnsupportedGrantType,
    };
    let codes = [InvalidRequest, InvalidClient, InvalidGrant, UnauthorizedClient, UnsupportedGrantType, InvalidScope];
    let words = codes.map(TokenError::word);
    for word in words {
        assert!(every_refusal().iter().any(|(_, code)| *code == word), "{word} is never said");
        assert!(include_str!("../../docs/gaps.md").contains(&format!("`{word}`")), "{word} is not decided");
    }
    use RedirectError::{AccessDenied, ConsentRequired, InteractionRequired, LoginRequired};
    let silent = [LoginRequired, ConsentRequired, InteractionRequired].map(RedirectError::word);
    assert_eq!(silent, ["login_required", "consent_required", "interaction_required"]);
    use RedirectError::{ServerError, TemporarilyUnavailable};
    let redirects = [AccessDenied, ServerError, TemporarilyUnavailable].map(RedirectError::word);
    assert_eq!(redirects, ["access_denied", "server_error", "temporarily_unavailable"]);
}

/// RFC 6749 5.2: the description holds printable ASCII without the double quote and the backslash.
#[test]
fn every_description_is_plain_words_that_the_rfc_allows() {
    let odd = "\"\\\u{0}é".to_owned();
    let sent = || (odd.clone(), String::new());
    let twice = Params::read([sent(), sent()]).expect_err("sent twice");
    let refusals = every_refusal().into_iter().map(|(refusal, _)| refusal);
    for refusal in refusals.chain([TokenRefusal::Unreadable(twice)]) {
        let words = refusal.description();
        let allowed = |c: char| matches!(c, ' '..='~') && !matches!(c, '"' | '\\');
        assert!(words.len() > 20 && words.chars().all(allowed), "{refusal:?}: {words}");
    }
}

#[test]
fn a_description_names_the_parameter_that_it_is_about() {
    for (refusal, name) in [
        (TokenRefusal::Missing("redirect_uri"), "redirect_uri"),
        (TokenRefusal::Unreadable(ParamFault::Twice("scope".into())), "scope was sent twice"),
        (TokenRefusal::Unreadable(ParamFault::TooLong("scope".into())), "scope is too long"),
        (TokenRefusal::UnknownGrantType, "grant_type"),
        (TokenRefusal::MalformedVerifier, "code_verifier"),
        (TokenRefusal::Refused(Refused::WrongRedirectUri), "redirect_uri"),
        (TokenRefusal::Refused(Refused::WrongVerifier), "code_verifier"),
        (TokenRefusal::Refused(Refused::UnexpectedVerifier), "code_verifier"),
        (TokenRefusal::Refused(Refused::WrongScope), "scope"),
    ] {
        assert!(refusal.description().contains(name), "{refusal:?}");
    }
}

#[test]
fn whoever_must_grant_again_is_told_so() {
    let over = [Refused::CodeExpired, Refused::SessionExpired, Refused::SessionRevoked].map(TokenRefusal::Refused);
    for refusal in over.into_iter().chain(Revoked::ALL.map(TokenRefusal::Revoked)) {
        assert!(refusal.description().ends_with(" again"), "{refusal:?}");
    }
}

#[test]
fn only_a_replay_is_said_to_have_been_used_before() {
    for revoked in Revoked::ALL {
        let replay = matches!(revoked, Revoked::CodeReplayed | Revoked::RefreshTokenReplayed);
        let words = TokenRefusal::Revoked(revoked).description();
        assert_eq!(words.contains("was used before"), replay, "{revoked:?}: {words}");
    }
}

#[test]
fn each_reason_to_revoke_has_a_word_of_its_own() {
    let mut words = Revoked::ALL.map(Revoked::word).to_vec();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), Revoked::ALL.len());
}

#[test]
fn each_client_kind_may_use_its_own_grant_types() {
    use GrantType::{AuthorizationCode, ClientCredentials, RefreshToken};
    for (kind, grants) in [
        (ClientKind::User, vec![AuthorizationCode, RefreshToken]),
        (ClientKind::System, vec![ClientCredentials]),
        (ClientKind::Tethered, vec![RefreshToken]),
    ] {
        for word in ["authorization_code", "refresh_token", "client_credentials"] {
            let grant = GrantType::named(word).expect("a grant type of the contract");
            assert_eq!(kind.may_use(grant), grants.contains(&grant), "{kind:?} {word}");
        }
        assert_eq!(ClientKind::named(kind.word()), Some(kind));
    }
    for unknown in ["", "password", "Authorization_Code", "urn:ietf:params:oauth:grant-type:device_code"] {
        assert_eq!(GrantType::named(unknown), None, "{unknown:?}");
    }
    assert_eq!(ClientKind::named("User"), None);
}
