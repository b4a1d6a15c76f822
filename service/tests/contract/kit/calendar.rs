//! When everything begins, and how long things take.

use rules::moment::Moment;

/// When every world begins.
pub const START: Moment = Moment(1_794_735_000_000);
/// The same, as FHIR writes it.
pub const NOW: &str = "2026-11-15T09:30:00.000Z";
pub const MINUTE: i64 = 60;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;
