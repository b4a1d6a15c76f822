//! Denials: why something about a record, a consent or a glass is refused, with the code, the status and the words.

use crate::calendar::Day;
use crate::moment::Moment;
use alloc::borrow::Cow;
use alloc::format;

/// Why it is refused, by meaning. What is wrong with the request itself has words of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denial {
    /// Not there, or not for this caller to know: the same answer.
    NotFound,
    /// Seen by the caller, but made by another source.
    NotSource,
    /// Neither a label nor a glass allows it, or the table of rights does not; the words say which.
    NoConsent(&'static str),
    /// The patient's sharing is disabled.
    SharingDisabled,
    /// The record is frozen, for carers and individual professionals.
    FrozenInward,
    /// The caller's own account or record is frozen, or the caller has died.
    FrozenOutward,
    /// Content that the patient and carers read from this moment on.
    NotYetReleased(Moment),
    /// A glass that is none, over, handed back, or of another session, team, user or patient.
    GlassInvalid,
    /// Users of this type do not do this; the words say who does.
    UserTypeNotPermitted(&'static str),
    /// The consent can be changed by professionals only.
    ConsentLocked,
    /// A national identifier that is known, with other demographics.
    IdentityConflict,
    /// A Consent of which something could not be enforced; the words name each element.
    ConsentNotUnderstood(Cow<'static, str>),
    /// What was sent breaks a rule that the words name.
    Unprocessable(&'static str),
    /// A session from before a team was chosen, of a user with several: it reads through all and writes nothing.
    TeamNotChosen,
}

impl Denial {
    /// The FHIR response code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "NOT_FOUND",
            Self::NotSource => "NOT_SOURCE",
            Self::NoConsent(_) => "NO_CONSENT",
            Self::SharingDisabled => "SHARING_DISABLED",
            Self::FrozenInward => "ACCESS_FROZEN_INWARD",
            Self::FrozenOutward => "ACCESS_FROZEN_OUTWARD",
            Self::NotYetReleased(_) => "NOT_YET_RELEASED",
            Self::GlassInvalid => "BTG_INVALID",
            Self::UserTypeNotPermitted(_) => "USER_TYPE_NOT_PERM",
            Self::ConsentLocked => "CONSENT_LOCKED",
            Self::IdentityConflict => "IDENTITY_CONFLICT",
            Self::ConsentNotUnderstood(_) => "CONSENT_NOT_UNDERSTOOD",
            Self::Unprocessable(_) => "UNPROCESSABLE",
            Self::TeamNotChosen => "BAD_REQUEST",
        }
    }

    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::TeamNotChosen => 400,
            Self::NotFound => 404,
            Self::IdentityConflict => 409,
            Self::ConsentNotUnderstood(_) | Self::Unprocessable(_) => 422,
            _ => 403,
        }
    }

    /// FHIR's `issue.code`.
    #[must_use]
    pub const fn issue(&self) -> &'static str {
        match self {
            Self::TeamNotChosen => "required",
            Self::NotFound => "not-found",
            Self::IdentityConflict => "conflict",
            Self::ConsentNotUnderstood(_) => "not-supported",
            Self::Unprocessable(_) => "processing",
            Self::NotYetReleased(_) => "suppressed",
            _ => "forbidden",
        }
    }

    /// What was wrong, and what would be right.
    #[must_use]
    pub fn message(&self) -> Cow<'static, str> {
        let words = match self {
            Self::NotFound => "there is no such thing, or this caller may not see it",
            Self::NotSource => "this was made by somebody else; only the source that made it may change it",
            Self::NoConsent(why) | Self::UserTypeNotPermitted(why) | Self::Unprocessable(why) => why,
            Self::SharingDisabled => {
                "the sharing of this record is disabled; nothing can be shared or added until a privacy officer enables it"
            }
            Self::FrozenInward => "this record is frozen; ask the team that cares for the patient",
            Self::FrozenOutward => "access of this account is frozen",
            Self::NotYetReleased(until) => {
                let day = Day::of(*until).text();
                return Cow::Owned(format!("this has arrived and can be read from {day} on"));
            }
            Self::GlassInvalid => {
                "the token in the header breaktheglass is not valid for this session, team, user and patient, or is over; \
                 break the glass again or leave the header out"
            }
            Self::TeamNotChosen => "grant access again and choose a team",
            Self::ConsentLocked => "this consent can be changed by professionals only; ask the team that locked it",
            Self::IdentityConflict => {
                "a patient with this national identifier is known under another name or date of birth; check both"
            }
            Self::ConsentNotUnderstood(words) => return words.clone(),
        };
        Cow::Borrowed(words)
    }
}
