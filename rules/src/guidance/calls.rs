//! The refusals of the two APIs: one specimen of each wording, and its guidance.

use super::denials;
use super::proofs;
use super::words::{Guidance, SESSION_EXPIRED, SESSION_REVOKED, VARIES};
use crate::answers::Refusal;
use crate::clients::ClientKind;
use crate::dpop::fault::ProofFault;
use crate::lifecycle::Lapse;
use crate::limits::API_BODY_BYTES;
use crate::scope::Scope;
use alloc::{vec, vec::Vec};

/// One specimen of every refusal, and of every wording that it has.
#[must_use]
pub fn every() -> Vec<Refusal> {
    let mut all = vec![
        Refusal::NoToken,
        Refusal::MalformedToken,
        Refusal::UnknownToken,
        Refusal::BoundToken,
        Refusal::UnboundToken,
        Refusal::Lapsed(ClientKind::User, Lapse::TokenExpired),
        Refusal::Lapsed(ClientKind::System, Lapse::TokenExpired),
        Refusal::Lapsed(ClientKind::User, Lapse::SessionExpired),
        Refusal::Lapsed(ClientKind::User, Lapse::SessionRevoked),
        Refusal::ClientKindNotPermitted(ClientKind::System),
        Refusal::UserTypeNotPermitted { is: Scope::Patient, needs: Scope::Clinician },
        Refusal::IdentityNotGranted,
        Refusal::Frozen,
        Refusal::OrganisationMissing,
        Refusal::OrganisationTwice,
        Refusal::OrganisationMalformed,
        Refusal::OrganisationNotGranted,
        Refusal::NotFound(VARIES.into()),
        Refusal::Gone(VARIES.into()),
        Refusal::MethodNotAllowed,
        Refusal::NotAllowed(VARIES),
        Refusal::IdNotChosen("Patient"),
        Refusal::Invalid(VARIES.into()),
        Refusal::Parameters(vec![(VARIES.into(), VARIES.into())]),
        Refusal::Unprocessable(VARIES.into()),
        Refusal::NotAcceptable(VARIES, VARIES.into()),
        Refusal::UnsupportedMediaType(VARIES),
        Refusal::TooLarge { most_bytes: API_BODY_BYTES },
        Refusal::HeadTooLarge,
        Refusal::ForeignOrigin,
        Refusal::Conflict(VARIES.into()),
        Refusal::OtherSource,
        Refusal::SystemClientsOnly,
        Refusal::OutsideScopes(Some("patient/Observation.rs".into())),
        Refusal::OutsideScopes(None),
        Refusal::LedgerOnly,
        Refusal::PreconditionFailed(VARIES.into()),
        Refusal::RangeNotSatisfiable { length: 1 },
        Refusal::TooCostly,
        Refusal::TooMuchUnread,
        Refusal::TooManyReads,
        Refusal::TooMuchSent,
        Refusal::TooManyExports { wait: 1 },
        Refusal::Unavailable,
        Refusal::Trouble,
    ];
    all.extend(ProofFault::ALL.map(Refusal::Proof));
    all.extend(denials::every().into_iter().map(Refusal::Denied));
    all
}

/// What a refusal means, and what to do about it.
#[must_use]
pub const fn guidance(refusal: &Refusal) -> Guidance {
    let words = Guidance::new;
    match refusal {
        Refusal::NoToken => words(
            "The request has no access token.",
            "Get one from the token endpoint and send it in the Authorization header.",
        ),
        Refusal::MalformedToken => words(
            "The Authorization header cannot be read, or was sent twice.",
            "Send it once: the word Bearer, one space, the access token.",
        ),
        Refusal::UnknownToken => words(
            "No access token of this service, or of something that is gone.",
            "Get a new access token; a refresh token or a code is not one.",
        ),
        Refusal::BoundToken => words(
            "The access token is bound to a key (DPoP), and was sent as a bearer token.",
            "Send it with the scheme DPoP and a proof of the key; without the key it opens nothing.",
        ),
        Refusal::UnboundToken => words(
            "The access token is bound to no key, and was sent with the scheme DPoP.",
            "Send it with the scheme Bearer, or send a proof with the token request to get one that is bound.",
        ),
        Refusal::Proof(fault) => proofs::guidance(*fault),
        Refusal::Lapsed(_, lapse) => lapsed(*lapse),
        Refusal::ClientKindNotPermitted(_) => {
            words("This kind of client may not call this API.", "Call the FHIR API instead.")
        }
        Refusal::UserTypeNotPermitted { .. } => words(
            "The session's scope does not cover this operation.",
            "Ask for a grant from a user of the type that the words name.",
        ),
        Refusal::IdentityNotGranted => words(
            "The session says nothing of who its user is.",
            "Ask for the scope openid, and fhirUser or profile beside it.",
        ),
        Refusal::Frozen => words(
            "The account is frozen, or its patient has died; the session stays.",
            "Stop calling, and tell the patient to ask the people who run the service.",
        ),
        Refusal::OrganisationMissing => words(
            "A System Client did not say for which organisation it acts.",
            "Send the organisation's public id in X-Org-Public-Id on every call.",
        ),
        Refusal::OrganisationTwice => {
            words("X-Org-Public-Id was sent more than once.", "Send it once; one call is for one organisation.")
        }
        Refusal::OrganisationMalformed => words(
            "X-Org-Public-Id is no UUID.",
            "Send the public id as the organisation gave it, for example 123e4567-e89b-12d3-a456-426614174000.",
        ),
        Refusal::OrganisationNotGranted => words(
            "The organisation is unknown, has not granted this client access, or has taken it back.",
            "Ask the organisation for access, or check its public id.",
        ),
        Refusal::NotFound(_) => words(
            "There is no such thing, or this caller may not see it; the answer is the same.",
            "Check the path and the id, and whether the caller has a right to see it.",
        ),
        Refusal::Gone(_) => words(
            "It was deleted; its earlier versions are still there.",
            "Read it by a version of its _history, or stop asking for it.",
        ),
        Refusal::MethodNotAllowed => {
            words("The path is there, but not for this method.", "Use a method that Allow names.")
        }
        Refusal::NotAllowed(_) => {
            words("This is not done to what is there; the words say what is.", "Do what the words name instead.")
        }
        Refusal::Denied(denial) => denials::guidance(denial),
        Refusal::IdNotChosen(_) => words(
            "PUT stores something new under an id of the client's own choice only where that is a UUID: other ids are guessed, and somebody else's may be hidden.",
            "Take a UUID, or POST; for a migration the operator can allow a System Client any id (organisation grant --client-ids any).",
        ),
        Refusal::Invalid(_) => {
            words("The request cannot be understood; the words say what is wrong.", "Correct what the words name.")
        }
        Refusal::Parameters(_) => words(
            "A search has parameters that there are not, or values that they do not take; each is an issue, with the parameter in expression.",
            "Correct the parameters that are named; GET /fhir/metadata lists those of every type.",
        ),
        Refusal::Unprocessable(_) => words(
            "The request is understood, but what it carries breaks a rule that the words name.",
            "Correct the resource; sending it again unchanged will not help.",
        ),
        Refusal::NotAcceptable(..) => words(
            "The request accepts no media type that there is.",
            "Accept what the words name, or leave Accept out.",
        ),
        Refusal::UnsupportedMediaType(_) => {
            words("The body is of a media type that is not read here.", "Send the Content-Type that the words name.")
        }
        Refusal::TooLarge { .. } => words("The body is too long.", "Send less; the operator can raise the limit."),
        Refusal::HeadTooLarge => words(
            "The request has more headers, or longer ones, than it may.",
            "Send fewer; no call of ours needs them.",
        ),
        Refusal::ForeignOrigin => words(
            "A page of another website called what only our own may.",
            "Call it from a program, or from a page of the service itself.",
        ),
        Refusal::Conflict(_) => words(
            "Something with the new id is there already, or a message was sent, which nobody changes.",
            "Send the request again; what was sent stays, and another message can follow it.",
        ),
        Refusal::OtherSource => words(
            "It is there, and another source made it, which alone may change it.",
            "Ask whoever made it to change it, or store something of your own.",
        ),
        Refusal::OutsideScopes(_) => words(
            "The session was granted scopes of SMART, and none of them covers this.",
            "Ask for a scope that does, and have the person grant it; some operations are for sessions without such scopes alone.",
        ),
        Refusal::SystemClientsOnly => words(
            "Directories, definitions and Patients are not for users and teams to write, nor are invitations for them to make.",
            "Have the organisation's System Client do it.",
        ),
        Refusal::LedgerOnly => words(
            "An AuditEvent, or a resource with an identifier in a system of the service, would pass for what the service itself noted.",
            "Leave it out; what a client wants to tell of its own deeds is a Provenance, without such identifiers.",
        ),
        Refusal::PreconditionFailed(_) => words(
            "If-Match or another condition of the request does not hold; the words say what is there.",
            "Read the newest version, and decide again.",
        ),
        Refusal::RangeNotSatisfiable { .. } => words(
            "The range of bytes begins behind the end of the content.",
            "Ask for bytes that Content-Range says there are, or for all of them.",
        ),
        Refusal::TooCostly => words(
            "The answer would take more of the database's time than one request may.",
            "Ask for less: a system before the value, fewer alternatives, a smaller page.",
        ),
        Refusal::TooMuchUnread => words(
            "Large answers that this caller asked for are still under way, as many bytes of them as one caller may have.",
            "Read the answers that are under way, or close their connections; ask for fewer large ones at once.",
        ),
        Refusal::TooManyReads => words(
            "As many searches, histories and lists of this caller as one may have are waiting for their turn; others are not turned away for it.",
            "Send fewer at once; wait as long as Retry-After says, and then try again.",
        ),
        Refusal::TooMuchSent => words(
            "Requests of this caller that are not answered yet have as many bytes of bodies as one caller may have.",
            "Send fewer large bodies at once; try again after the seconds that Retry-After says.",
        ),
        Refusal::TooManyExports { .. } => words(
            "As many exports of this caller as one may have are under way: begun, and not complete.",
            "Ask for the status of one until it is complete: then the next can begin. One that nobody asks for is given up as soon as Retry-After says.",
        ),
        Refusal::Unavailable => {
            words("The service is busy or its database is away.", "Try again after the seconds that Retry-After says.")
        }
        Refusal::Trouble => words(
            "A fault on our side.",
            "Tell the people who run the service the id in X-Request-Id; their log has it too.",
        ),
    }
}

const fn lapsed(lapse: Lapse) -> Guidance {
    match lapse {
        Lapse::TokenExpired => Guidance::new(
            "The access token's lifetime is over.",
            "Get a new one: with the refresh token, or with client_credentials for a System Client.",
        ),
        Lapse::SessionExpired => SESSION_EXPIRED,
        Lapse::SessionRevoked => SESSION_REVOKED,
    }
}
