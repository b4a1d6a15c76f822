//! The parts of a record that a line of the ledger names, as the patient calls them.

/// What the ledger says of a question whether documents were read.
pub const READ_RECEIPTS: &str = "DocumentReference/$read-receipt-query";

/// Completes "Somebody …": what was done with a part of a record, by what the line says of it: a resource type, alone or with
/// an id behind it.
#[must_use]
pub fn deed(what: &str) -> &'static str {
    if what == READ_RECEIPTS {
        return "Asked whether you have read a letter";
    }
    match what.split('/').next() {
        Some("Patient") => "Opened your personal details",
        Some("DocumentReference") => "Opened the details of a letter",
        Some("Binary") => "Opened a letter",
        _ => "Opened a part of your record",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_told_by_its_type_whether_or_not_its_id_is_known() {
        assert_eq!(deed("Binary"), deed("Binary/letter-1"));
        assert_ne!(deed(READ_RECEIPTS), deed("DocumentReference/1"));
        assert_eq!(deed("Observation"), deed(""));
    }
}
