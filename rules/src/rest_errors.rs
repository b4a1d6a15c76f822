//! The errors table of the custom REST API (docs/rest.md, section 1): status, code and words of each row that is its own. What
//! both APIs answer alike is in `answers`.

use crate::calendar::instant;
use crate::consent::denial::Denial;
use crate::scope::Scope;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

/// What is said of a message that is no draft any more, by either API.
pub const MESSAGE_WAS_SENT: &str = "a message that was sent cannot be changed or deleted; only drafts can";

/// Why an operation of the custom REST API is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestError {
    /// A parameter, a member or a type of JSON that the operation does not have.
    BadRequest(String),
    /// The session's scope is none of those that the operation is for.
    UserTypeNotPermitted {
        is: Scope,
        needs: Vec<Scope>,
    },
    /// A System Client, which has the FHIR API.
    SystemClient,
    NotSource,
    NoConsent,
    SharingDisabled,
    FrozenOutward,
    FrozenInward,
    /// The moment from which on the content can be read.
    NotYetReleased(String),
    GlassInvalid,
    ConsentLocked,
    /// By the kind's own word: `Allergy`.
    NotFound(&'static str),
    MethodNotAllowed {
        method: String,
        offered: Vec<&'static str>,
    },
    OtherVersion {
        current: i64,
        sent: i64,
    },
    Conflict(String),
    Deleted(&'static str),
    /// All that is wrong with the values that were sent.
    Unprocessable(String),
}

/// Status, code and words of one error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestAnswer {
    pub status: u16,
    pub code: &'static str,
    pub message: Cow<'static, str>,
}

impl RestError {
    /// The row of the table.
    #[must_use]
    pub fn answer(&self) -> RestAnswer {
        let plain = |status, code, message: &'static str| RestAnswer { status, code, message: message.into() };
        let told = |status, code, message: String| RestAnswer { status, code, message: message.into() };
        match self {
            Self::BadRequest(why) => told(400, "BAD_REQUEST", why.clone()),
            Self::UserTypeNotPermitted { is, needs } => told(403, "USER_TYPE_NOT_PERM", user_type(*is, needs)),
            Self::SystemClient => plain(403, "USER_TYPE_NOT_PERM", "a System Client can't call the custom REST API"),
            Self::NotSource => plain(403, "NOT_SOURCE", "only who made this may change it"),
            Self::NoConsent => {
                plain(403, "NO_CONSENT", "no consent for this record; ask the patient, or break the glass")
            }
            Self::SharingDisabled => {
                plain(403, "SHARING_DISABLED", "sharing of this record is disabled; ask the privacy officer")
            }
            Self::FrozenOutward => plain(403, "ACCESS_FROZEN_OUTWARD", "access of this account is frozen"),
            Self::FrozenInward => plain(403, "ACCESS_FROZEN_INWARD", "access to this record is frozen"),
            Self::NotYetReleased(moment) => {
                told(403, "NOT_YET_RELEASED", format!("the content can be read from {moment}"))
            }
            Self::GlassInvalid => {
                plain(403, "BTG_INVALID", "the breaktheglass token is not valid for this patient and session")
            }
            Self::ConsentLocked => plain(403, "CONSENT_LOCKED", "only professionals may change this consent"),
            Self::NotFound(kind) => told(404, "NOT_FOUND", format!("{kind} not found")),
            Self::MethodNotAllowed { method, offered } => {
                let offered = offered.join(", ");
                told(405, "METHOD_NOT_ALLOWED", format!("{method} is not offered here; {offered} are"))
            }
            Self::OtherVersion { current, sent } => {
                told(409, "CONFLICT", format!("version {current} is current; {sent} was sent"))
            }
            Self::Conflict(why) => told(409, "CONFLICT", why.clone()),
            Self::Deleted(kind) => told(410, "DELETED", format!("{kind} was deleted")),
            Self::Unprocessable(why) => told(422, "UNPROCESSABLE", why.clone()),
        }
    }

    /// The row of a denial about a record; none where the denial has words of its own.
    #[must_use]
    pub fn of_denial(denial: &Denial) -> Option<Self> {
        match denial {
            Denial::NotFound => Some(Self::NotFound("Patient")),
            Denial::NotSource => Some(Self::NotSource),
            Denial::SharingDisabled => Some(Self::SharingDisabled),
            Denial::FrozenInward => Some(Self::FrozenInward),
            Denial::FrozenOutward => Some(Self::FrozenOutward),
            Denial::NotYetReleased(from) => Some(Self::NotYetReleased(instant(*from))),
            Denial::GlassInvalid => Some(Self::GlassInvalid),
            Denial::ConsentLocked => Some(Self::ConsentLocked),
            Denial::NoConsent(_)
            | Denial::UserTypeNotPermitted(_)
            | Denial::IdentityConflict
            | Denial::ConsentNotUnderstood(_)
            | Denial::Unprocessable(_)
            | Denial::TeamNotChosen => None,
        }
    }

    /// A message that is no draft any more is changed and deleted by nobody.
    #[must_use]
    pub fn message_was_sent() -> Self {
        Self::Conflict(MESSAGE_WAS_SENT.into())
    }

    /// An account is not one organisation's to deactivate whose patient another has in its care, too.
    #[must_use]
    pub fn account_of_several() -> Self {
        Self::Conflict(
            "a team of another organisation has the patient in its care, too; nobody else ends the account".into(),
        )
    }

    /// One specimen of each.
    #[must_use]
    pub fn every() -> Vec<Self> {
        vec![
            Self::BadRequest("unknown member colour".into()),
            Self::UserTypeNotPermitted { is: Scope::Patient, needs: vec![Scope::TeamCoord] },
            Self::SystemClient,
            Self::NotSource,
            Self::NoConsent,
            Self::SharingDisabled,
            Self::FrozenOutward,
            Self::FrozenInward,
            Self::NotYetReleased("2026-11-16T00:00:00.000Z".into()),
            Self::GlassInvalid,
            Self::ConsentLocked,
            Self::NotFound("Patient"),
            Self::MethodNotAllowed { method: "PATCH".into(), offered: vec!["GET", "PUT"] },
            Self::OtherVersion { current: 3, sent: 2 },
            Self::message_was_sent(),
            Self::Deleted("Allergy"),
            Self::Unprocessable("dateTaken: is no date".into()),
        ]
    }
}

/// SITE is not named: it may what CLINICIAN or TEAMCOORD may.
fn user_type(is: Scope, needs: &[Scope]) -> String {
    let named: Vec<&str> = needs.iter().filter(|scope| **scope != Scope::Site).map(|scope| scope.word()).collect();
    format!("User type {} can't execute API call requiring scope {}", is.word(), named.join(" or "))
}
