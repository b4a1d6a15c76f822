//! The authorization request: every way to be an invalid one, and what a valid one asks for.

use rules::authorize::{Fault, Registration, Service, ValidRequest, check, is_verifier};
use rules::bound_key::KeyThumbprint;
use rules::clients::ClientKind;
use rules::params::{ParamFault, Params};
use rules::scope::{Scope, UserType};
use rules::smart::request::{Vocabulary, spelt};
use rules::smart::word::SmartScope;

const VOCABULARY: Vocabulary =
    Vocabulary { is_type: |of| ["Observation", "Patient"].contains(&of), has_token: |_, _| true };
const SERVICE: Service<'static> = Service { audience: "https://records.example/fhir", vocabulary: &VOCABULARY };
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A request with `response_type=code` and, in its place or behind it, `changes`.
#[expect(clippy::expect_used, reason = "a request that cannot be read is a fault of the test")]
fn request(changes: &[(&str, &str)]) -> Params<'static> {
    let replaced = changes.iter().any(|(name, _)| *name == "response_type");
    let first = if replaced { None } else { Some(("response_type", "code")) };
    let pairs = first.into_iter().chain(changes.iter().copied());
    Params::read(pairs.map(|(name, value)| (name.to_owned(), value.to_owned()))).expect("readable parameters")
}

/// Checks `changes` for a User Client with these redirect URIs, registered for PATIENT and TEAMCOORD.
fn asked_with(uris: &[&str], require_pkce: bool, changes: &[(&str, &str)]) -> Result<ValidRequest, Fault> {
    let redirect_uris: Vec<String> = uris.iter().map(|uri| (*uri).to_owned()).collect();
    let client = Registration {
        kind: ClientKind::User,
        redirect_uris: &redirect_uris,
        scopes: &[Scope::Patient, Scope::TeamCoord],
        require_pkce,
        pkce_when_sent: false,
        redirect_extra_query: false,
        smart_scopes: &[],
        user_types: &[],
        can_be_launched: false,
    };
    check(&request(changes), &client, &SERVICE)
}

fn asked(changes: &[(&str, &str)]) -> Result<ValidRequest, Fault> {
    asked_with(&["https://app.example/cb"], false, changes)
}

#[test]
fn a_bare_request_takes_the_single_registered_redirect_uri_and_no_scope() {
    let expected = ValidRequest {
        redirect_uri: "https://app.example/cb".into(),
        redirect_uri_sent: false,
        scope: None,
        scope_spelt: None,
        state: None,
        challenge: None,
        key: None,
        smart: None,
    };
    assert_eq!(asked(&[]), Ok(expected.clone()));
    let empty =
        [("redirect_uri", ""), ("scope", ""), ("state", ""), ("code_challenge", ""), ("code_challenge_method", "")];
    assert_eq!(asked(&empty), Ok(expected), "a parameter without a value is treated as omitted");
}

#[test]
fn a_full_request_is_kept_as_it_was_sent() {
    let full = asked(&[
        ("redirect_uri", "https://app.example/cb"),
        ("scope", "Patient"),
        ("state", "a b&c=\"é"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("dpop_jkt", CHALLENGE),
        ("unknown", "ignored"),
    ]);
    let expected = ValidRequest {
        redirect_uri: "https://app.example/cb".into(),
        redirect_uri_sent: true,
        scope: Some(Scope::Patient),
        scope_spelt: Some("Patient".into()),
        state: Some("a b&c=\"é".into()),
        challenge: Some(CHALLENGE.into()),
        key: KeyThumbprint::read(CHALLENGE),
        smart: None,
    };
    assert_eq!(full, Ok(expected));
}

#[test]
fn a_key_is_named_by_its_thumbprint_or_not_at_all() {
    assert_eq!(asked(&[("dpop_jkt", "")]).map(|request| request.key), Ok(None));
    for wrong in ["x", &"a".repeat(42), &"a".repeat(44), &"+".repeat(43), &"=".repeat(43)] {
        assert_eq!(asked(&[("dpop_jkt", wrong)]), Err(Fault::MalformedKey), "{wrong}");
    }
}

#[test]
fn the_response_type_must_be_code() {
    assert_eq!(asked(&[("response_type", "")]), Err(Fault::MissingResponseType));
    for wrong in ["token", "CODE", "code ", "code token", "id_token"] {
        assert_eq!(asked(&[("response_type", wrong)]), Err(Fault::WrongResponseType), "{wrong:?}");
    }
}

#[test]
fn only_a_user_client_may_ask_users_for_access() {
    for kind in ClientKind::ALL {
        let uris = ["https://app.example/cb".to_owned()];
        let client = Registration {
            kind,
            redirect_uris: &uris,
            scopes: &[Scope::Patient],
            require_pkce: false,
            pkce_when_sent: false,
            redirect_extra_query: false,
            smart_scopes: &[],
            user_types: &[],
            can_be_launched: false,
        };
        let checked = check(&request(&[]), &client, &SERVICE);
        assert_eq!(checked.is_ok(), kind == ClientKind::User, "{kind:?}");
        assert!(checked.is_ok() || checked == Err(Fault::NotAUserClient), "{kind:?}");
    }
}

#[test]
fn a_client_with_several_redirect_uris_must_name_one_of_them() {
    let several = ["https://app.example/cb", "org.example.app:/cb"];
    assert_eq!(asked_with(&several, false, &[]), Err(Fault::RedirectUriNeeded));
    for uri in several {
        let named = asked_with(&several, false, &[("redirect_uri", uri)]).expect("a registered URI");
        assert_eq!((named.redirect_uri.as_str(), named.redirect_uri_sent), (uri, true));
    }
    let foreign = [("redirect_uri", "https://evil.example/cb")];
    assert_eq!(asked_with(&several, false, &foreign), Err(Fault::RedirectUriNotRegistered));
    assert_eq!(asked_with(&[], false, &foreign), Err(Fault::RedirectUriNotRegistered));
    assert_eq!(asked_with(&[], false, &[]), Err(Fault::RedirectUriNeeded));
}

#[test]
fn a_native_client_is_answered_at_the_port_that_it_named() {
    let uri = [("redirect_uri", "http://127.0.0.1:49152/cb")];
    let asked = asked_with(&["http://127.0.0.1/cb"], false, &uri).expect("another port");
    assert_eq!(asked.redirect_uri, "http://127.0.0.1:49152/cb");
}

#[test]
fn further_query_parameters_are_admitted_only_by_the_clients_switch() {
    let uris = ["https://app.example/cb".to_owned()];
    for redirect_extra_query in [false, true] {
        let client = Registration {
            kind: ClientKind::User,
            redirect_uris: &uris,
            scopes: &[],
            require_pkce: false,
            pkce_when_sent: false,
            redirect_extra_query,
            smart_scopes: &[],
            user_types: &[],
            can_be_launched: false,
        };
        let checked = check(&request(&[("redirect_uri", "https://app.example/cb?x=1")]), &client, &SERVICE);
        assert_eq!(checked.is_ok(), redirect_extra_query, "{checked:?}");
    }
}

#[test]
fn the_scope_must_be_one_that_the_client_is_registered_for() {
    for (word, scope) in [("PATIENT", Scope::Patient), ("teamcoord", Scope::TeamCoord), ("TeamCoord", Scope::TeamCoord)]
    {
        let checked = asked(&[("scope", word)]).expect("a registered scope");
        assert_eq!((checked.scope, checked.scope_spelt.as_deref()), (Some(scope), Some(word)));
    }
    assert_eq!(asked(&[("scope", "CLINICIAN")]), Err(Fault::ScopeNotRegistered(Scope::Clinician)));
    for malformed in ["SITE", "ADMIN", "PATIENT TEAMCOORD", "PATIENT ", " ", "SITE openid", "PATIENTS", "ΡATIENT"] {
        assert_eq!(asked(&[("scope", malformed)]), Err(Fault::MalformedScope), "{malformed:?}");
    }
}

#[test]
fn pkce_is_s256_only_and_required_where_the_client_is_registered_so() {
    let with = |require, changes: &[(&str, &str)]| {
        asked_with(&["https://app.example/cb"], require, changes).map(|asked| asked.challenge)
    };
    let s256 = ("code_challenge_method", "S256");
    for require in [false, true] {
        assert_eq!(with(require, &[("code_challenge", CHALLENGE), s256]), Ok(Some(CHALLENGE.to_owned())));
        assert_eq!(with(require, &[s256]), Err(Fault::ChallengeNeeded));
        assert_eq!(with(require, &[("code_challenge", CHALLENGE)]), Err(Fault::ChallengeMethod), "plain by default");
        for method in ["plain", "s256", "S512"] {
            let sent = [("code_challenge", CHALLENGE), ("code_challenge_method", method)];
            assert_eq!(with(require, &sent), Err(Fault::ChallengeMethod), "{method}");
        }
        for malformed in
            [&CHALLENGE[1..], &format!("{CHALLENGE}A"), &CHALLENGE.replace('-', "+"), &CHALLENGE.replace('c', "=")]
        {
            assert_eq!(
                with(require, &[("code_challenge", malformed), s256]),
                Err(Fault::MalformedChallenge),
                "{malformed}"
            );
        }
    }
    assert_eq!(with(false, &[]), Ok(None));
    assert_eq!(with(true, &[]), Err(Fault::ChallengeNeeded));
}

#[test]
fn a_verifier_is_43_to_128_unreserved_characters() {
    for length in 0..=200 {
        assert_eq!(is_verifier(&"a".repeat(length)), (43..=128).contains(&length), "{length}");
    }
    for c in (0..=0xff_u8).map(char::from) {
        let verifier = format!("{c}{}", "a".repeat(50));
        let unreserved = c.is_ascii_alphanumeric() || "-._~".contains(c);
        assert_eq!(is_verifier(&verifier), unreserved, "{c:?}");
    }
}

#[test]
fn each_fault_tells_which_parameter_was_wrong() {
    for (fault, parameter) in [
        (Fault::Unreadable(ParamFault::Twice("state".into())), "state"),
        (Fault::Unreadable(ParamFault::TooLong("state".into())), "state"),
        (Fault::MissingClientId, "client_id"),
        (Fault::UnknownClient, "client_id"),
        (Fault::NotAUserClient, "client_id"),
        (Fault::MissingResponseType, "response_type"),
        (Fault::WrongResponseType, "response_type"),
        (Fault::RedirectUriNeeded, "redirect_uri"),
        (Fault::RedirectUriNotRegistered, "redirect_uri"),
        (Fault::MalformedScope, "scope"),
        (Fault::ScopeNotRegistered(Scope::Clinician), "CLINICIAN"),
        (Fault::ChallengeNeeded, "code_challenge"),
        (Fault::MalformedChallenge, "code_challenge"),
        (Fault::ChallengeMethod, "code_challenge_method"),
        (Fault::MalformedKey, "dpop_jkt"),
    ] {
        let words = fault.words();
        assert!(words.contains(parameter) && words.ends_with('.'), "{fault:?}: {words}");
    }
}

/// A request with words of SMART, of a client that is registered for some of them.
fn asked_in_smart(changes: &[(&str, &str)]) -> Result<ValidRequest, Fault> {
    asked_in_smart_of(false, changes)
}

/// The same of a client that can be opened from here, or not.
fn asked_in_smart_of(can_be_launched: bool, changes: &[(&str, &str)]) -> Result<ValidRequest, Fault> {
    let registered = ["patient/*.rs", "openid", "fhirUser", "launch", "launch/patient", "offline_access"];
    let registered: Vec<SmartScope> = registered.into_iter().filter_map(SmartScope::read).collect();
    let uris = ["https://app.example/cb".to_owned()];
    let client = Registration {
        kind: ClientKind::User,
        redirect_uris: &uris,
        scopes: &[],
        require_pkce: false,
        pkce_when_sent: false,
        redirect_extra_query: false,
        smart_scopes: &registered,
        user_types: &[UserType::Patient],
        can_be_launched,
    };
    check(&request(changes), &client, &SERVICE)
}

const SMART: [(&str, &str); 4] = [
    ("scope", "launch/patient openid patient/Observation.rs patient/Nonsense.rs user/*.cruds online_access"),
    ("aud", "https://records.example/fhir"),
    ("code_challenge", CHALLENGE),
    ("code_challenge_method", "S256"),
];

/// `SMART` with these parameters otherwise; one that is empty is left out.
fn with<'p>(changes: &[(&'p str, &'p str)]) -> Vec<(&'p str, &'p str)> {
    let kept = SMART.into_iter().filter(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
    kept.chain(changes.iter().copied()).collect()
}

#[test]
fn a_smart_request_offers_what_is_registered_of_what_it_asks_for() {
    let asked = asked_in_smart(&SMART).expect("a good request");
    let offer = asked.smart.expect("an offer");
    assert!(offer.is_pure && asked.scope.is_none());
    assert_eq!(spelt(&offer.scopes), "launch/patient openid patient/Observation.rs");
    let slash = asked_in_smart(&with(&[("aud", "https://records.example/fhir/")]));
    assert!(slash.is_ok(), "a slash behind it is the same: {slash:?}");
}

#[test]
fn a_smart_request_is_refused_for_what_smart_demands() {
    let refused = [
        (with(&[("aud", "")]), Fault::MissingAudience),
        (with(&[("aud", "https://records.example.evil.example/fhir")]), Fault::WrongAudience),
        (with(&[("aud", "https://records.example/fhir//")]), Fault::WrongAudience),
        (with(&[("code_challenge", ""), ("code_challenge_method", "")]), Fault::ChallengeNeeded),
        (with(&[("scope", "user/*.cruds letters")]), Fault::NoScopeLeft),
        (with(&[("scope", "offline_access")]), Fault::NoScopeLeft),
        (with(&[("scope", "system/*.rs")]), Fault::NoScopeLeft),
        (with(&[("launch", "rgl_x")]), Fault::UnknownLaunch),
        (with(&[("prompt", "none login")]), Fault::WrongPrompt),
        (with(&[("prompt", "select_account")]), Fault::WrongPrompt),
        (with(&[("response_mode", "fragment")]), Fault::WrongResponseMode),
        (with(&[("nonce", "a\u{7}b")]), Fault::MalformedNonce),
    ];
    for (changes, fault) in refused {
        assert_eq!(asked_in_smart(&changes), Err(fault), "{changes:?}");
    }
    assert!(asked_in_smart(&with(&[("prompt", "login consent")])).is_ok());
    assert!(asked_in_smart(&with(&[("prompt", "none")])).is_ok_and(|asked| asked.smart.is_some_and(|o| o.is_silent)));
}

#[test]
fn the_scope_launch_is_offered_with_the_parameter_and_without_it_dropped() {
    let scope = ("scope", "launch openid patient/Observation.rs");
    let offered = |changes: &[(&str, &str)]| {
        let offer = asked_in_smart_of(true, &with(changes)).expect("a good request").smart.expect("an offer");
        (spelt(&offer.scopes), offer.launch)
    };
    let launched = offered(&[scope, ("launch", "rgh_x")]);
    assert_eq!(launched, ("launch openid patient/Observation.rs".to_owned(), Some("rgh_x".to_owned())));
    assert_eq!(offered(&[scope]), ("openid patient/Observation.rs".to_owned(), None));
    let counts_without_the_scope = offered(&[("scope", "openid"), ("launch", "rgh_x")]);
    assert_eq!(counts_without_the_scope, ("openid".to_owned(), Some("rgh_x".to_owned())));
    let alone = asked_in_smart_of(true, &with(&[("scope", "launch")]));
    assert_eq!(alone, Err(Fault::NoScopeLeft));
}

#[test]
fn what_asks_somebody_to_sign_in_anew_is_read_of_smart_requests() {
    let offer =
        |changes: &[(&str, &str)]| asked_in_smart(&with(changes)).expect("a good request").smart.expect("an offer");
    assert!(offer(&[("prompt", "login")]).asks_to_sign_in && offer(&[("prompt", "login consent")]).asks_to_sign_in);
    assert!(!offer(&[("prompt", "consent")]).asks_to_sign_in && !offer(&[]).asks_to_sign_in);
    assert_eq!((offer(&[("max_age", "90")]).max_age, offer(&[("max_age", "soon")]).max_age), (Some(90), None));
}

#[test]
fn parameters_of_smart_mean_nothing_beside_the_contracts_words_alone() {
    let odd = [("aud", "elsewhere"), ("launch", "x"), ("prompt", "none"), ("response_mode", "fragment")];
    let odd: Vec<(&str, &str)> = odd.into_iter().chain([("scope", "PATIENT")]).collect();
    let expected = asked(&[("scope", "PATIENT")]);
    assert!(expected.is_ok());
    assert_eq!(asked(&odd), expected);
    assert_eq!(asked(&[("scope", "PATIENT openid"), ("aud", "elsewhere")]), Err(Fault::WrongAudience));
}
