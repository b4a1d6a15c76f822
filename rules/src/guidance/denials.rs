//! The denials of docs/consent.md: one specimen of each, and its guidance.

use super::words::{Guidance, VARIES};
use crate::consent::denial::Denial;
use crate::moment::Moment;
use alloc::borrow::Cow;
use alloc::{vec, vec::Vec};

/// One specimen of every denial.
#[must_use]
pub fn every() -> Vec<Denial> {
    vec![
        Denial::NotFound,
        Denial::NotSource,
        Denial::NoConsent(VARIES),
        Denial::SharingDisabled,
        Denial::FrozenInward,
        Denial::FrozenOutward,
        Denial::NotYetReleased(Moment(0)),
        Denial::GlassInvalid,
        Denial::UserTypeNotPermitted(VARIES),
        Denial::ConsentLocked,
        Denial::IdentityConflict,
        Denial::ConsentNotUnderstood(Cow::Borrowed(VARIES)),
        Denial::Unprocessable(VARIES),
        Denial::TeamNotChosen,
    ]
}

/// What a denial means, and what to do about it.
#[must_use]
pub const fn guidance(denial: &Denial) -> Guidance {
    let words = Guidance::new;
    match denial {
        Denial::NotFound => words(
            "There is no such thing, or this caller may not see it; the answer is the same.",
            "Check the id, and whether the patient shares with the caller what it needs.",
        ),
        Denial::NotSource => words(
            "It is there, and another source made it, which alone may change it.",
            "Ask whoever made it to change it, or store something of your own.",
        ),
        Denial::NoConsent(_) => words(
            "Neither a label that the patient granted nor a broken glass allows it, or who asks may not change this consent.",
            "Ask the patient to share what is needed; where it is urgent and the team may, break the glass.",
        ),
        Denial::SharingDisabled => words(
            "A privacy officer has disabled the sharing of this record.",
            "Wait until it is enabled again; then the patient shares anew.",
        ),
        Denial::FrozenInward => words(
            "The record is frozen for carers and for professionals without a team.",
            "Ask a team that cares for the patient, or a privacy officer.",
        ),
        Denial::FrozenOutward => words(
            "The account, or the record that belongs to it, is frozen, or its patient has died.",
            "Stop calling, and tell the user to ask the people who run the service.",
        ),
        Denial::NotYetReleased(_) => words(
            "It has arrived, and whoever sent it has asked that the patient and carers read it later.",
            "Ask again on the day that the words name.",
        ),
        Denial::GlassInvalid => words(
            "The token of a broken glass is none, is over, was handed back, or is of another session, team, user or patient.",
            "Break the glass again, or leave the header out to see what the patient shares.",
        ),
        Denial::UserTypeNotPermitted(_) => words(
            "Users of this type do not do this; the words say who does.",
            "Have somebody do it whom the words name.",
        ),
        Denial::ConsentLocked => words(
            "A professional has locked this consent: the patient and carers cannot change it.",
            "Ask the team that locked it, or a privacy officer, to unlock it.",
        ),
        Denial::IdentityConflict => words(
            "Somebody has this national identifier under another family name or date of birth.",
            "Check the identifier and the demographics; one person has one record.",
        ),
        Denial::ConsentNotUnderstood(_) => words(
            "The Consent says something that this service could not enforce; no such Consent is stored.",
            "Say only what the words do not name: one grantee, and one label for each provision.",
        ),
        Denial::Unprocessable(_) => words(
            "The request is understood, but what it carries breaks a rule that the words name.",
            "Correct what the words name; sending it again unchanged will not help.",
        ),
        Denial::TeamNotChosen => words(
            "The session is from before a team was chosen, and its user has several, so that nobody knows for which it writes.",
            "Ask the user to grant access again and to choose a team.",
        ),
    }
}
