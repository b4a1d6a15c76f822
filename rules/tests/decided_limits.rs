//! The numbers that docs/gaps.md decides are the numbers of the rules.

use rules::limits;

const GAPS: &str = include_str!("../../docs/gaps.md");

#[test]
fn every_number_that_the_gaps_decide_is_the_one_in_the_rules() {
    for sentence in [
        format!("Token and authorization bodies {} KiB", limits::FORM_BODY_BYTES / 1024),
        format!("FHIR and REST bodies {} MiB", limits::API_BODY_BYTES / 1024 / 1024),
        format!("header block {} KiB", limits::HEADER_BLOCK_BYTES / 1024),
        format!("1 to {} `documentIdentifier`", limits::READ_RECEIPT_DOCUMENTS),
        format!("`refresh_retry_seconds` (0 to {}, default 0)", limits::LONGEST_RETRY_SECONDS),
        format!("allow up to {} tries on the page", limits::MOST_ATTEMPTS),
        format!("`expires_in` {}", limits::SYSTEM_ACCESS_SECONDS),
        format!(
            "at most {} minutes and {} seconds ahead of now",
            limits::ASSERTION_SECONDS / 60,
            limits::ASSERTION_SKEW_SECONDS
        ),
        format!("A caller has {} exports", limits::EXPORTS_PER_CALLER),
        format!("in {} minutes; where there is none, 429", limits::EXPORT_FORSAKEN_SECONDS / 60),
        format!("clocks may differ by {} seconds", limits::ASSERTION_SKEW_SECONDS),
        format!("one of 1 to {} letters, digits, hyphens and dots", limits::REQUEST_ID_BYTES),
        format!(
            "At most {} such lines at once, then {} a second",
            limits::STRANGERS_LINES,
            limits::STRANGERS_LINES_A_SECOND
        ),
        format!("with 1 to {} `patientIdentifier`", limits::INVITATION_PATIENTS),
        format!("`expiry` ({} days later)", limits::INVITATION_SECONDS / 86_400),
        format!("{} wrong dates of birth with the right code and token", limits::INVITATION_TRIES),
        format!("or is under {} (years", limits::INVITED_AGE),
        format!("{}-minute access tokens", limits::SESSION_ACCESS_SECONDS / 60),
    ] {
        assert!(GAPS.contains(&sentence), "docs/gaps.md does not say: {sentence}");
    }
    for bytes in [limits::FORM_BODY_BYTES, limits::API_BODY_BYTES, limits::HEADER_BLOCK_BYTES] {
        assert_eq!(bytes % 1024, 0, "{bytes} is not a whole number of KiB");
    }
}

/// Checked where the test is compiled, since all of them are constants.
#[test]
fn the_limits_fit_into_each_other() {
    const {
        assert!(limits::SESSION_ACCESS_SECONDS <= limits::LONGEST_ACCESS_SECONDS);
        assert!(limits::SYSTEM_ACCESS_SECONDS <= limits::LONGEST_ACCESS_SECONDS);
        assert!(limits::PARAMETER_BYTES < limits::FORM_BODY_BYTES);
        assert!(limits::PARAMETER_BYTES < limits::HEADER_BLOCK_BYTES);
        assert!(limits::CODE_SECONDS < limits::UNREDEEMED_KEPT_SECONDS);
        assert!(limits::SIGN_IN_IDLE_SECONDS <= limits::SIGN_IN_LONGEST_SECONDS);
    }
}
