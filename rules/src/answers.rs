//! The errors table of the two APIs: what each client kind hears, in which API, for each reason to say no.

use crate::clients::{Api, ClientKind};
use crate::consent::denial::Denial;
use crate::dpop::fault::ProofFault;
use crate::lifecycle::Lapse;
use crate::limits::{EXPORTS_PER_CALLER, HEADER_BLOCK_BYTES};
use crate::rest_errors::RestError;
use crate::scope::Scope;
use alloc::{borrow::Cow, format, string::String, vec::Vec};

/// The code system of the response codes in FHIR answers.
pub const RESPONSE_CODE_SYSTEM: &str = "urn:recordgate:response-code";

/// Why a call of either API is refused, by meaning. Two voices say it: FHIR's and the custom REST API's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No `Authorization` header.
    NoToken,
    /// An `Authorization` header that is not `Bearer`, one space, a token; or two of them.
    MalformedToken,
    /// No token of ours, or of something that no longer exists.
    UnknownToken,
    /// A token that is bound to a key, sent as one that is not.
    BoundToken,
    /// A token that is bound to no key, sent as one that is.
    UnboundToken,
    /// Why the proof that goes with a token is not taken.
    Proof(ProofFault),
    /// A genuine token that no longer opens anything; the kind of client decides the wording.
    Lapsed(ClientKind, Lapse),
    /// A client kind that may not call this API.
    ClientKindNotPermitted(ClientKind),
    /// The session's scope does not cover the operation.
    UserTypeNotPermitted {
        is: Scope,
        needs: Scope,
    },
    /// The session was not granted to tell who its user is.
    IdentityNotGranted,
    /// The calling patient's access is frozen.
    Frozen,
    OrganisationMissing,
    OrganisationTwice,
    OrganisationMalformed,
    /// Unknown, not granted or withdrawn: the same answer for all three.
    OrganisationNotGranted,
    /// Out of reach or not there: the same answer, so nothing can be probed.
    NotFound(String),
    /// It was there and was deleted; said only to those who may see that.
    Gone(String),
    MethodNotAllowed,
    /// The same of what is there, with the words of what would be right.
    NotAllowed(&'static str),
    /// What the rules of consent deny.
    Denied(Denial),
    /// A PUT of something new, of this type, under an id that is no UUID.
    IdNotChosen(&'static str),
    /// The request cannot be understood; says what was wrong and what would be right.
    Invalid(String),
    /// Parameters of a search that cannot be answered: each by its name, and a sentence of what is wrong with it.
    Parameters(Vec<(String, String)>),
    /// The request is understood, but what it carries breaks a rule.
    Unprocessable(String),
    /// What there is, and what was asked for.
    NotAcceptable(&'static str, String),
    UnsupportedMediaType(&'static str),
    TooLarge {
        most_bytes: usize,
    },
    /// More headers, or longer ones, than a request may have.
    HeadTooLarge,
    /// A browser sent it from a page of somebody else.
    ForeignOrigin,
    Conflict(String),
    /// There, and seen by the caller, but made by another source, which alone may change it.
    OtherSource,
    /// A sort of resource that only System Clients write.
    SystemClientsOnly,
    /// What the scopes of a session do not cover; with one that would, where there is one.
    OutsideScopes(Option<String>),
    /// What only the service itself writes: an AuditEvent, or what says that it is the service's.
    LedgerOnly,
    /// What the caller demanded of the resource does not hold.
    PreconditionFailed(String),
    /// A range of bytes that the content, of this length, does not reach.
    RangeNotSatisfiable {
        length: u64,
    },
    /// A read that would take more of the database's time than one may.
    TooCostly,
    /// The caller has not taken as much of earlier answers as one may leave.
    TooMuchUnread,
    /// The caller has as many searches and lists waiting as one may have.
    TooManyReads,
    /// The bodies that the caller has under way are as many bytes as one caller may have.
    TooMuchSent,
    /// The caller has as many exports that are being counted as one may have; one of them is given up in so many seconds, at the latest.
    TooManyExports {
        wait: i64,
    },
    /// Trouble on our side; the reason is in the log.
    Unavailable,
    Trouble,
}

/// One answer: the status, the FHIR response code and issue type, and the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub code: &'static str,
    /// FHIR's `issue.code`.
    pub issue: &'static str,
    pub message: Cow<'static, str>,
    /// What `WWW-Authenticate` says.
    pub challenge: Challenge,
}

/// What an answer asks of the bearer of a token (RFC 6750 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Challenge {
    /// Nothing: a token would not help.
    None,
    /// A token.
    Token,
    /// Another token than this one.
    InvalidToken,
    /// Another proof of the token's key (RFC 9449, 7.1).
    InvalidProof,
    /// A proof with a nonce.
    NonceNeeded,
    /// A token that may do more; with this scope, where one would do.
    InsufficientScope(Option<Scope>),
}

/// The errors table: what a caller hears for `refusal`. The FHIR voice says the code, the custom REST voice the message.
/// Where the status is not the same in both, `answer_in` says so.
#[must_use]
pub fn answer(refusal: &Refusal) -> Answer {
    let plain = |status, code, issue, message: &'static str| Answer {
        status,
        code,
        issue,
        message: Cow::Borrowed(message),
        challenge: challenge(status),
    };
    let detail = |status, code, issue, message: &str| Answer {
        status,
        code,
        issue,
        message: Cow::Owned(message.into()),
        challenge: challenge(status),
    };
    match refusal {
        Refusal::NoToken => plain(401, "BAD_AUTHENTICATION", "login", "send the header Authorization: Bearer <token>"),
        Refusal::MalformedToken => plain(
            401,
            "BAD_AUTHENTICATION",
            "login",
            "the Authorization header must be the word Bearer, one space, then the access token",
        ),
        Refusal::UnknownToken => Answer {
            challenge: Challenge::InvalidToken,
            ..plain(401, "BAD_AUTHENTICATION", "login", "the access token is not valid")
        },
        Refusal::BoundToken => Answer {
            challenge: Challenge::InvalidToken,
            ..plain(
                401,
                "BAD_AUTHENTICATION",
                "login",
                "the access token is bound to a key; send Authorization: DPoP <token>, with a proof in the header DPoP",
            )
        },
        Refusal::UnboundToken => Answer {
            challenge: Challenge::InvalidToken,
            ..plain(
                401,
                "BAD_AUTHENTICATION",
                "login",
                "the access token is bound to no key; send Authorization: Bearer <token>",
            )
        },
        Refusal::Proof(fault) => Answer {
            challenge: match fault {
                ProofFault::NonceNeeded => Challenge::NonceNeeded,
                ProofFault::OtherKey => Challenge::InvalidToken,
                _ => Challenge::InvalidProof,
            },
            ..detail(401, "BAD_AUTHENTICATION", "login", &fault.words())
        },
        Refusal::Lapsed(kind, lapse) => lapsed(*kind, *lapse),
        Refusal::ClientKindNotPermitted(kind) => detail(
            403,
            "USER_TYPE_NOT_PERM",
            "forbidden",
            &format!("a {} cannot call this API; it may call the FHIR API", kind.contract_name()),
        ),
        Refusal::UserTypeNotPermitted { is, needs } => Answer {
            challenge: Challenge::InsufficientScope(Some(*needs)),
            ..detail(
                403,
                "USER_TYPE_NOT_PERM",
                "forbidden",
                &format!("User type {} can't execute API call requiring scope {}", is.word(), needs.word()),
            )
        },
        Refusal::IdentityNotGranted => {
            plain(403, "INSUFFICIENT_SCOPE", "forbidden", "the session was not granted the scope openid")
        }
        Refusal::Frozen => plain(403, "ACCESS_FROZEN_OUTWARD", "forbidden", "access of this account is frozen"),
        Refusal::OrganisationMissing => plain(
            400,
            "BAD_REQUEST",
            "required",
            "a System Client must name the organisation that it acts for in the header X-Org-Public-Id",
        ),
        Refusal::OrganisationTwice => plain(400, "BAD_REQUEST", "invalid", "send the header X-Org-Public-Id once"),
        Refusal::OrganisationMalformed => {
            plain(400, "BAD_REQUEST", "value", "the header X-Org-Public-Id must be a UUID")
        }
        Refusal::OrganisationNotGranted => plain(
            403,
            "ORGANISATION_NOT_GRANTED",
            "forbidden",
            "the organisation named in X-Org-Public-Id has not granted this client access",
        ),
        Refusal::NotFound(what) => detail(404, "NOT_FOUND", "not-found", what),
        Refusal::Gone(what) => detail(410, "GONE", "deleted", what),
        Refusal::MethodNotAllowed => {
            plain(405, "METHOD_NOT_ALLOWED", "not-supported", "this path does not support this HTTP method")
        }
        Refusal::NotAllowed(why) => plain(405, "METHOD_NOT_ALLOWED", "not-supported", why),
        Refusal::Denied(denial) => Answer {
            status: denial.status(),
            code: denial.code(),
            issue: denial.issue(),
            message: denial.message(),
            challenge: challenge(denial.status()),
        },
        Refusal::IdNotChosen(name) => detail(
            405,
            "METHOD_NOT_ALLOWED",
            "not-supported",
            &format!(
                "there is no {name} of this id that this caller may see, and an id of the client's own choice must be a UUID in \
                 small letters; POST to have one given, or have the operator allow this client any id (client_ids = \"any\")"
            ),
        ),
        Refusal::Invalid(why) => detail(400, "BAD_REQUEST", "invalid", why),
        Refusal::Parameters(faults) => {
            let words: Vec<&str> = faults.iter().map(|(_, words)| words.as_str()).collect();
            detail(400, "BAD_REQUEST", "invalid", &words.join("; "))
        }
        Refusal::Unprocessable(why) => detail(422, "UNPROCESSABLE", "processing", why),
        Refusal::NotAcceptable(can, asked) => {
            detail(406, "NOT_ACCEPTABLE", "not-supported", &format!("{asked} was asked for; {can}"))
        }
        Refusal::UnsupportedMediaType(can) => detail(415, "UNSUPPORTED_MEDIA_TYPE", "not-supported", can),
        Refusal::TooLarge { most_bytes } => {
            detail(413, "TOO_LARGE", "too-long", &format!("the body may be at most {most_bytes} bytes long"))
        }
        Refusal::HeadTooLarge => detail(
            431,
            "TOO_LARGE",
            "too-long",
            &format!("the first line and the headers may be at most {HEADER_BLOCK_BYTES} bytes long"),
        ),
        Refusal::ForeignOrigin => Answer {
            challenge: Challenge::None,
            ..plain(403, "FOREIGN_ORIGIN", "forbidden", "this may not be called from a page of another website")
        },
        Refusal::Conflict(why) => detail(409, "CONFLICT", "conflict", why),
        Refusal::OtherSource => plain(
            403,
            "NOT_SOURCE",
            "forbidden",
            "this was made by somebody else; only the source that made it may change it",
        ),
        Refusal::SystemClientsOnly => plain(
            403,
            "USER_TYPE_NOT_PERM",
            "forbidden",
            "this is for System Clients only, for the organisation that they name",
        ),
        Refusal::OutsideScopes(needed) => Answer {
            challenge: Challenge::InsufficientScope(None),
            ..detail(
                403,
                "INSUFFICIENT_SCOPE",
                "forbidden",
                &match needed {
                    Some(scope) => format!("the scopes of this session do not cover this; {scope} would"),
                    None => "this is not for sessions with scopes of SMART".into(),
                },
            )
        },
        Refusal::LedgerOnly => plain(
            403,
            "LEDGER_ONLY",
            "forbidden",
            "what the ledger tells is written by this service alone: nobody else stores AuditEvents, or resources with an \
             identifier of this service (urn:recordgate:…)",
        ),
        Refusal::PreconditionFailed(why) => detail(412, "PRECONDITION_FAILED", "conflict", why),
        Refusal::RangeNotSatisfiable { length } => detail(
            416,
            "RANGE_NOT_SATISFIABLE",
            "value",
            &format!("the content has {length} bytes; ask for a range within it, or leave Range out"),
        ),
        Refusal::TooCostly => plain(
            422,
            "TOO_COSTLY",
            "too-costly",
            "this would take too long to answer; ask for less, for example with a system before the value",
        ),
        Refusal::TooMuchUnread => plain(
            429,
            "TOO_MUCH_UNREAD",
            "throttled",
            "this caller has not taken what it asked for before; read that first, or try again in a moment",
        ),
        Refusal::TooManyReads => plain(
            429,
            "TOO_MANY_READS",
            "throttled",
            "this caller has too many searches and lists waiting; wait for their answers, or try again in a moment",
        ),
        Refusal::TooMuchSent => plain(
            503,
            "TOO_MUCH_SENT",
            "throttled",
            "the bodies that this caller has under way are as much as one caller may send at once; wait for their answers",
        ),
        Refusal::TooManyExports { .. } => detail(
            429,
            "TOO_MANY_EXPORTS",
            "throttled",
            &format!(
                "{EXPORTS_PER_CALLER} exports of this caller are under way; ask for their status until one is complete, or DELETE one"
            ),
        ),
        Refusal::Unavailable => plain(503, "UNAVAILABLE", "transient", "the service is busy; try again in a moment"),
        Refusal::Trouble => plain(500, "TROUBLE", "exception", "something went wrong on our side; it has been logged"),
    }
}

/// What a status asks of the bearer, where the refusal says no more.
const fn challenge(status: u16) -> Challenge {
    match status {
        401 => Challenge::Token,
        403 => Challenge::InsufficientScope(None),
        _ => Challenge::None,
    }
}

/// After how many seconds a caller may try again, where a refusal knows.
#[must_use]
pub const fn wait(refusal: &Refusal) -> Option<i64> {
    match refusal {
        Refusal::TooManyExports { wait } => Some(*wait),
        _ => None,
    }
}

/// What a caller of an API hears. The custom REST API has no status of its own for what is understood and not done: there,
/// what is too costly is a service that is too busy. It names itself to a System Client, which has the other.
#[must_use]
pub fn answer_in(api: Api, refusal: &Refusal) -> Answer {
    match (api, refusal) {
        (Api::CustomRest, Refusal::TooCostly) => Answer { status: 503, ..answer(refusal) },
        (Api::CustomRest, Refusal::Denied(denial)) => match RestError::of_denial(denial) {
            Some(error) => Answer { message: error.answer().message, ..answer(refusal) },
            None => answer(refusal),
        },
        (Api::CustomRest, Refusal::ClientKindNotPermitted(_)) => {
            Answer { message: RestError::SystemClient.answer().message, ..answer(refusal) }
        }
        _ => answer(refusal),
    }
}

/// The contract's table "Expired access token or session on API calls", and the decided answer for a revoked session.
fn lapsed(kind: ClientKind, lapse: Lapse) -> Answer {
    let (code, issue, message) = match lapse {
        Lapse::TokenExpired if kind.has_session() => {
            ("ACC_TOKEN_EXPIRED", "expired", "access token has expired; use the refresh token to get a new one")
        }
        Lapse::TokenExpired => {
            ("ACC_TOKEN_EXPIRED", "expired", "access token has expired; ask for a new one with client_credentials")
        }
        Lapse::SessionExpired => {
            ("API_SESSION_EXPIRED", "expired", "session has expired; access must be granted again")
        }
        Lapse::SessionRevoked => {
            ("API_SESSION_INVALID", "login", "session has been revoked; access must be granted again")
        }
    };
    Answer { status: 401, code, issue, message: Cow::Borrowed(message), challenge: Challenge::InvalidToken }
}
