//! Delay: results and letters that a team or an organisation keeps from patient and carers for some days.

use crate::calendar::Day;
use crate::consent::denial::Denial;
use crate::moment::Moment;
use crate::source::Source;
use alloc::format;
use alloc::string::String;

/// The extension by which a write asks for it, a whole number of days.
pub const HIDDEN_DAYS_EXTENSION: &str = "urn:recordgate:hidden-days";
/// The types that can be delayed.
pub const DELAYED_TYPES: [&str; 3] = ["DocumentReference", "DiagnosticReport", "Observation"];

/// An item that was not released yet. Release is a write, made by background work: what opens may come late, so the moment of a
/// call is not compared with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    pub until: Moment,
    pub hides: Hides,
}

/// What is kept back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hides {
    /// The resource is seen, its content is not.
    Content,
    /// All of it.
    Item,
}

impl Delay {
    /// That of an item of which all is held back, until a moment that does not matter to who sees it.
    pub const OF_AN_ITEM: Self = Self { until: Moment(i64::MAX), hides: Hides::Item };

    /// That of an item of a type.
    #[must_use]
    pub fn of(type_name: &str, until: Moment) -> Self {
        let hides = if type_name == "DocumentReference" { Hides::Content } else { Hides::Item };
        Self { until, hides }
    }

    /// Whether it is time for the write that releases it.
    #[must_use]
    pub const fn is_due(&self, now: Moment) -> bool {
        now.is_past(self.until)
    }

    /// What the patient is told at once.
    #[must_use]
    pub fn notice(&self) -> String {
        format!("a result has arrived, to be read from {}", Day::of(self.until).text())
    }
}

/// Whether what a source sends of a type can be delayed.
#[must_use]
pub fn is_for(type_name: &str, source: &Source) -> bool {
    DELAYED_TYPES.contains(&type_name) && matches!(source, Source::Team(..) | Source::Organisation(_))
}

/// The delay that a write asks for; none of 0 days.
pub fn wanted(
    type_name: &str,
    source: &Source,
    days: i64,
    most_days: i64,
    now: Moment,
) -> Result<Option<Delay>, Denial> {
    if !DELAYED_TYPES.contains(&type_name) {
        return Err(Denial::Unprocessable(
            "urn:recordgate:hidden-days is for DocumentReference, DiagnosticReport and Observation only",
        ));
    }
    if !matches!(source, Source::Team(..) | Source::Organisation(_)) {
        return Err(Denial::Unprocessable("only teams and organisations may hide what they send for some days"));
    }
    if !(0..=most_days).contains(&days) {
        return Err(Denial::Unprocessable("the number of hidden days is negative, or more than the service allows"));
    }
    Ok((days > 0).then(|| Delay::of(type_name, now.plus_seconds(days * 86_400))))
}
