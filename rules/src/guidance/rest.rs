//! The errors of the custom REST API that are its own: what each means, and what to do about it.

use super::words::Guidance;
use crate::rest_errors::RestError;

/// What an error means, and what to do about it.
#[must_use]
pub const fn guidance(error: &RestError) -> Guidance {
    let words = Guidance::new;
    match error {
        RestError::BadRequest(_) => words(
            "A parameter or a member is not known, is missing, or is of another type; the words name each.",
            "Correct what the words name.",
        ),
        RestError::UserTypeNotPermitted { .. } => words(
            "The session's scope does not cover this operation.",
            "Ask for a grant from a user of a type that the words name.",
        ),
        RestError::SystemClient => {
            words("The custom REST API is for sessions of users and teams.", "Call the FHIR API instead.")
        }
        RestError::NotSource => words(
            "It is there, and somebody else made it, who alone may change it.",
            "Ask whoever made it to change it, or make an item of your own.",
        ),
        RestError::NoConsent => words(
            "The patient has not shared this record with the caller.",
            "Ask the patient to share it; in an emergency a team that may can break the glass.",
        ),
        RestError::SharingDisabled => {
            words("Sharing of this record was disabled for all teams.", "Ask the privacy officer of the organisation.")
        }
        RestError::FrozenOutward => words(
            "The account is frozen; the session stays.",
            "Stop calling, and tell the patient to ask the people who run the service.",
        ),
        RestError::FrozenInward => words(
            "The record is frozen: nobody but its teams reaches it.",
            "Stop calling; the people who run the service can say more.",
        ),
        RestError::NotYetReleased(_) => words(
            "The content is there, and is held back until the moment that the words name.",
            "Ask again at that moment.",
        ),
        RestError::GlassInvalid => words(
            "The header breaktheglass is of another patient or session, or has ended.",
            "Leave the header out, or break the glass anew.",
        ),
        RestError::ConsentLocked => {
            words("The consent was made such that professionals alone change it.", "Ask the team to change it.")
        }
        RestError::NotFound(_) => words(
            "There is no such item, or this caller may not see it; the answer is the same.",
            "Check the id, and whether the caller has a right to see it.",
        ),
        RestError::MethodNotAllowed { .. } => {
            words("The path is there, but not for this method.", "Use a method that Allow names.")
        }
        RestError::OtherVersion { .. } => words(
            "The item was changed since it was read.",
            "Read it again, decide again, and send the version that is current.",
        ),
        RestError::Conflict(_) => {
            words("The item's state does not allow it; the words say why.", "Do as the words say.")
        }
        RestError::Deleted(_) => words(
            "It was deleted; its earlier versions are still there through FHIR.",
            "Stop asking for it, or read its history.",
        ),
        RestError::Unprocessable(_) => words(
            "The request is understood, but values in it cannot be; the words name each.",
            "Correct what the words name; sending it again unchanged will not help.",
        ),
    }
}
