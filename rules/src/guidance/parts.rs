//! The parts of a record that a line of the ledger names, as the patient calls them.

use alloc::format;
use alloc::string::String;

/// What the ledger says of a question whether documents were read.
pub const READ_RECEIPTS: &str = "DocumentReference/$read-receipt-query";

/// What it says of a question whether somebody is a patient, lives and has an account.
pub const STATUS_QUERY: &str = "Patient/$status-query";
/// What it says of a question when a record last changed.
pub const LAST_DATA_POINT: &str = "Patient/$date-of-last-data-point";
/// What it says of a question whether somebody can be invited to make an account.
pub const INVITATIONS: &str = "Organization/$generate-invitation-tokens";

/// Whether a line is about a question, and not about a resource.
#[must_use]
pub fn is_question(what: &str) -> bool {
    [READ_RECEIPTS, STATUS_QUERY, LAST_DATA_POINT, INVITATIONS].contains(&what)
}

/// Completes "Somebody …": what was done with a part of a record, by what the line says of it: a resource type, alone or with
/// an id behind it.
#[must_use]
pub fn deed(what: &str) -> &'static str {
    match what {
        READ_RECEIPTS => return "Asked whether you have read a letter",
        STATUS_QUERY => return "Asked whether you are registered",
        LAST_DATA_POINT => return "Asked when your record last changed",
        INVITATIONS => return "Asked whether you can be invited to make an account",
        _ => {}
    }
    match what.split('/').next() {
        Some("Patient") => "Opened your personal details",
        Some("DocumentReference") => "Opened the details of a letter",
        Some("Binary") => "Opened a letter",
        _ => "Opened a part of your record",
    }
}

/// What became of a part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    Creation,
    Update,
    Deletion,
    /// Its source says that it is about somebody else.
    Removal,
}

/// A part of a record, by what a line says of it.
#[must_use]
pub fn part(what: &str) -> String {
    match what.split('/').next() {
        Some("Patient") => "your personal details".into(),
        Some("DocumentReference") => "a letter".into(),
        Some("Binary") => "the content of a letter".into(),
        Some(name) if !name.is_empty() => format!("a part of your record ({name})"),
        _ => "a part of your record".into(),
    }
}

/// Completes "Somebody …": what was written into a record, by what the line says of it.
#[must_use]
pub fn writing(kind: Writing, what: &str) -> String {
    let part = part(what);
    match kind {
        Writing::Creation => format!("Wrote {part}"),
        Writing::Update => format!("Changed {part}"),
        Writing::Deletion => format!("Deleted {part}"),
        Writing::Removal => format!("Took {part} away: it is no longer about you"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_told_by_its_type_whether_or_not_its_id_is_known() {
        assert_eq!(deed("Binary"), deed("Binary/letter-1"));
        assert_ne!(deed(READ_RECEIPTS), deed("DocumentReference/1"));
        assert_ne!(deed(STATUS_QUERY), deed("Patient/1"));
        assert!(is_question(LAST_DATA_POINT) && !is_question("Patient/1"));
        assert_eq!(deed("Observation"), deed(""));
    }

    #[test]
    fn what_was_written_is_told_by_its_type_and_by_what_became_of_it() {
        assert_eq!(writing(Writing::Creation, "DocumentReference/1"), "Wrote a letter");
        assert_eq!(writing(Writing::Update, "Observation/1/_history/2"), "Changed a part of your record (Observation)");
        assert_eq!(writing(Writing::Deletion, ""), "Deleted a part of your record");
        assert_eq!(
            writing(Writing::Removal, "DocumentReference/1/_history/2"),
            "Took a letter away: it is no longer about you"
        );
    }
}
