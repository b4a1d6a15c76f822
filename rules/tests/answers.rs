//! What a caller of the two APIs hears for each reason to say no.

use rules::answers::{Challenge, Refusal, answer, answer_in};
use rules::clients::{Api, ClientKind};
use rules::dpop::fault::ProofFault;
use rules::lifecycle::Lapse;
use rules::scope::Scope;

const LAPSES: [Lapse; 3] = [Lapse::TokenExpired, Lapse::SessionExpired, Lapse::SessionRevoked];

/// Every refusal with the status and the FHIR code that docs/gaps.md decides, and FHIR's issue type.
fn every_refusal() -> Vec<(Refusal, u16, &'static str, &'static str)> {
    let mut all = vec![
        (Refusal::NoToken, 401, "BAD_AUTHENTICATION", "login"),
        (Refusal::MalformedToken, 401, "BAD_AUTHENTICATION", "login"),
        (Refusal::UnknownToken, 401, "BAD_AUTHENTICATION", "login"),
        (Refusal::BoundToken, 401, "BAD_AUTHENTICATION", "login"),
        (Refusal::UnboundToken, 401, "BAD_AUTHENTICATION", "login"),
        (Refusal::Frozen, 403, "ACCESS_FROZEN_OUTWARD", "forbidden"),
        (Refusal::OrganisationMissing, 400, "BAD_REQUEST", "required"),
        (Refusal::OrganisationTwice, 400, "BAD_REQUEST", "invalid"),
        (Refusal::OrganisationMalformed, 400, "BAD_REQUEST", "value"),
        (Refusal::OrganisationNotGranted, 403, "ORGANISATION_NOT_GRANTED", "forbidden"),
        (Refusal::NotFound("gone".into()), 404, "NOT_FOUND", "not-found"),
        (Refusal::Gone("gone".into()), 410, "GONE", "deleted"),
        (Refusal::OutsideScopes(Some("patient/Observation.rs".into())), 403, "INSUFFICIENT_SCOPE", "forbidden"),
        (Refusal::SystemClientsOnly, 403, "USER_TYPE_NOT_PERM", "forbidden"),
        (Refusal::PreconditionFailed("why".into()), 412, "PRECONDITION_FAILED", "conflict"),
        (Refusal::MethodNotAllowed, 405, "METHOD_NOT_ALLOWED", "not-supported"),
        (Refusal::Invalid("why".into()), 400, "BAD_REQUEST", "invalid"),
        (Refusal::Unprocessable("why".into()), 422, "UNPROCESSABLE", "processing"),
        (Refusal::NotAcceptable("can", "Accept x".into()), 406, "NOT_ACCEPTABLE", "not-supported"),
        (Refusal::UnsupportedMediaType("can"), 415, "UNSUPPORTED_MEDIA_TYPE", "not-supported"),
        (Refusal::TooLarge { most_bytes: 7 }, 413, "TOO_LARGE", "too-long"),
        (Refusal::HeadTooLarge, 431, "TOO_LARGE", "too-long"),
        (Refusal::TooMuchUnread, 429, "TOO_MUCH_UNREAD", "throttled"),
        (Refusal::TooManyReads, 429, "TOO_MANY_READS", "throttled"),
        (Refusal::TooMuchSent, 503, "TOO_MUCH_SENT", "throttled"),
        (Refusal::ForeignOrigin, 403, "FOREIGN_ORIGIN", "forbidden"),
        (Refusal::Conflict("why".into()), 409, "CONFLICT", "conflict"),
        (Refusal::Unavailable, 503, "UNAVAILABLE", "transient"),
        (Refusal::Trouble, 500, "TROUBLE", "exception"),
    ];
    all.extend(ProofFault::ALL.map(|fault| (Refusal::Proof(fault), 401, "BAD_AUTHENTICATION", "login")));
    for kind in ClientKind::ALL {
        all.push((Refusal::Lapsed(kind, Lapse::TokenExpired), 401, "ACC_TOKEN_EXPIRED", "expired"));
        all.push((Refusal::Lapsed(kind, Lapse::SessionExpired), 401, "API_SESSION_EXPIRED", "expired"));
        all.push((Refusal::Lapsed(kind, Lapse::SessionRevoked), 401, "API_SESSION_INVALID", "login"));
        all.push((Refusal::ClientKindNotPermitted(kind), 403, "USER_TYPE_NOT_PERM", "forbidden"));
    }
    for (is, needs) in Scope::ALL.into_iter().flat_map(|is| Scope::ALL.map(|needs| (is, needs))) {
        all.push((Refusal::UserTypeNotPermitted { is, needs }, 403, "USER_TYPE_NOT_PERM", "forbidden"));
    }
    all
}

#[test]
fn every_refusal_has_its_status_and_codes() {
    for (refusal, status, code, issue) in every_refusal() {
        let said = answer(&refusal);
        assert_eq!((said.status, said.code, said.issue), (status, code, issue), "{refusal:?}");
        assert!(!said.message.is_empty(), "{refusal:?}");
    }
}

/// FHIR R4's own list of issue types; another word would make the OperationOutcome invalid.
#[test]
fn every_issue_type_is_one_of_fhirs() {
    let known = [
        "invalid",
        "structure",
        "required",
        "value",
        "invariant",
        "security",
        "login",
        "unknown",
        "expired",
        "forbidden",
        "suppressed",
        "processing",
        "not-supported",
        "duplicate",
        "multiple-matches",
        "not-found",
        "deleted",
        "too-long",
        "code-invalid",
        "extension",
        "too-costly",
        "business-rule",
        "conflict",
        "transient",
        "lock-error",
        "no-store",
        "exception",
        "timeout",
        "incomplete",
        "throttled",
        "informational",
    ];
    for (refusal, ..) in every_refusal() {
        assert!(known.contains(&answer(&refusal).issue), "{refusal:?}");
    }
}

#[test]
fn invalid_token_is_said_of_tokens_that_were_read_and_opened_nothing() {
    for (refusal, ..) in every_refusal() {
        let read = matches!(
            refusal,
            Refusal::UnknownToken
                | Refusal::Lapsed(..)
                | Refusal::BoundToken
                | Refusal::UnboundToken
                | Refusal::Proof(ProofFault::OtherKey)
        );
        assert_eq!(answer(&refusal).challenge == Challenge::InvalidToken, read, "{refusal:?}");
    }
}

#[test]
fn another_proof_is_asked_for_where_the_proof_alone_was_wrong() {
    for fault in ProofFault::ALL {
        let challenge = match fault {
            ProofFault::NonceNeeded => Challenge::NonceNeeded,
            ProofFault::OtherKey => Challenge::InvalidToken,
            _ => Challenge::InvalidProof,
        };
        assert_eq!(answer(&Refusal::Proof(fault)).challenge, challenge, "{fault:?}");
    }
}

#[test]
fn insufficient_scope_is_said_of_every_403_that_another_token_could_help_with() {
    for (refusal, status, ..) in every_refusal() {
        let expected = match &refusal {
            Refusal::ForeignOrigin => None,
            Refusal::UserTypeNotPermitted { needs, .. } => Some(Challenge::InsufficientScope(Some(*needs))),
            _ => (status == 403).then_some(Challenge::InsufficientScope(None)),
        };
        let said = Some(answer(&refusal).challenge).filter(|said| matches!(said, Challenge::InsufficientScope(_)));
        assert_eq!(said, expected, "{refusal:?}");
    }
}

#[test]
fn an_expired_token_and_an_expired_session_begin_with_the_contracts_words() {
    for kind in ClientKind::ALL {
        let begins =
            |lapse, words| assert!(answer(&Refusal::Lapsed(kind, lapse)).message.starts_with(words), "{kind:?}");
        begins(Lapse::TokenExpired, "access token has expired;");
        begins(Lapse::SessionExpired, "session has expired;");
        begins(Lapse::SessionRevoked, "session has been revoked;");
    }
}

#[test]
fn a_client_is_told_only_of_ways_that_it_has() {
    for kind in ClientKind::ALL {
        let message = answer(&Refusal::Lapsed(kind, Lapse::TokenExpired)).message;
        assert_eq!(message.contains("refresh token"), kind.may_hold_refresh_token(), "{kind:?}: {message}");
        assert_eq!(message.contains("client_credentials"), !kind.has_session(), "{kind:?}: {message}");
    }
}

#[test]
fn the_three_lapses_of_a_kind_can_be_told_apart() {
    for kind in ClientKind::ALL {
        let mut codes = LAPSES.map(|lapse| answer(&Refusal::Lapsed(kind, lapse)).code).to_vec();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), LAPSES.len(), "{kind:?}");
    }
}

#[test]
fn a_wrong_user_type_hears_the_sentence_of_the_public_record() {
    let refusal = Refusal::UserTypeNotPermitted { is: Scope::Patient, needs: Scope::TeamCoord };
    assert_eq!(answer(&refusal).message, "User type PATIENT can't execute API call requiring scope TEAMCOORD");
}

#[test]
fn a_system_client_on_the_custom_rest_api_hears_where_it_may_go() {
    let refusal = Refusal::ClientKindNotPermitted(ClientKind::System);
    let said = |api| answer_in(api, &refusal).message;
    assert_eq!(said(Api::Fhir), "a System Client cannot call this API; it may call the FHIR API");
    assert_eq!(said(Api::CustomRest), "a System Client can't call the custom REST API");
}

#[test]
fn who_takes_nothing_that_there_is_hears_what_was_asked_for() {
    let told = answer(&Refusal::NotAcceptable("there is JSON", "Accept text/html".into())).message;
    assert_eq!(told, "Accept text/html was asked for; there is JSON");
}

#[test]
fn what_is_wrong_with_a_request_is_passed_on_in_its_own_words() {
    for refusal in [
        Refusal::NotFound("no such thing".into()),
        Refusal::Invalid("no such thing".into()),
        Refusal::Unprocessable("no such thing".into()),
        Refusal::UnsupportedMediaType("no such thing"),
        Refusal::Conflict("no such thing".into()),
    ] {
        assert_eq!(answer(&refusal).message, "no such thing", "{refusal:?}");
    }
    assert!(answer(&Refusal::TooLarge { most_bytes: 10_485_760 }).message.contains("10485760 bytes"));
}
