//! Why access ended, in words for the people whose access it was: patients, clinicians, Team Coordinators.

use crate::revocation::Revoked;

/// A session whose duration is over, which nobody had to end.
pub const TIME_WAS_UP: &str = "The time that it was given for was over.";

/// Why a session was ended, as a sentence. "We" is the service.
#[must_use]
pub const fn sentence(why: Revoked) -> &'static str {
    match why {
        Revoked::RefreshTokenReplayed => {
            "An old key of this app was used again, so we closed its access; it may have been copied."
        }
        Revoked::CodeReplayed => {
            "A code that works once was used a second time, so we closed the access; it may have been copied."
        }
        Revoked::TokenFromTheFuture => {
            "The app showed a key that we had no memory of after our data was restored, so we closed its access."
        }
        Revoked::NoLongerCovered => {
            "The type of the account, or what the app may ask for, was changed, so the access ended."
        }
        Revoked::PatientChanged => {
            "The account was given another record than the one that the access was granted to, so the access ended."
        }
        Revoked::ByPatient => "You took the access back.",
        Revoked::ByCoordinator => "A Team Coordinator took the access back.",
        Revoked::ByOperator => "The operator of this service ended the access.",
        Revoked::ByClient => "The app gave its access up.",
        Revoked::SignedOut => "The access was for as long as you were signed in, and that ended.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_sentence_of_its_own() {
        for (at, why) in Revoked::ALL.into_iter().enumerate() {
            let words = sentence(why);
            assert!(words.ends_with('.') && words.starts_with(char::is_uppercase), "{words}");
            assert!(Revoked::ALL.iter().skip(at + 1).all(|other| sentence(*other) != words), "{words}");
            assert!(!words.contains("token") && words != TIME_WAS_UP, "no jargon: {words}");
        }
    }
}
