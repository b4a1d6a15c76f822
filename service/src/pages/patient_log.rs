//! Places in a patient's access log, as addresses of pages say them.

use rules::moment::Moment;
use store::ledger::LedgerPosition;

/// A place as an address says it: `1763199000000.42`.
pub(super) fn text(place: LedgerPosition) -> String {
    format!("{}.{}", place.at.0, place.id)
}

/// The place that an address says.
pub(super) fn place(text: &str) -> Option<LedgerPosition> {
    let (at, id) = text.split_once('.')?;
    Some(LedgerPosition { at: Moment(at.parse().ok()?), id: id.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written_and_nothing_else_is() {
        let written = LedgerPosition { at: Moment(1_763_199_000_000), id: 42 };
        assert_eq!(place(&text(written)), Some(written));
        for wrong in ["", "42", "x.1", "1.", ".1", "1.2.3"] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }
}
