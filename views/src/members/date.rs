//! Dates and moments as text, which keep the precision that they were given.

use crate::members::faults::Faults;
use crate::members::member::Member;
use crate::members::place::Place;
use crate::members::schema::JsonSchema;
use fhir::json::Node;
use fhir::values::date::{CalendarDate, DateTime};
use fhir::values::span::Span;
use rules::rest_faults::ValueFault;
use serde::Serialize;
use serde_json::{Value, json};

/// A year, a month, a day or a moment (FHIR's dateTime).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ClinicalDate(pub String);

/// A moment, to the second or finer, with its zone (FHIR's instant).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Instant(pub String);

/// A year, a month or a day (FHIR's date).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Day(pub String);

fn read(
    sent: &Node<'_>,
    place: Place<'_>,
    faults: &mut Faults,
    is_one: fn(&str) -> bool,
    fault: ValueFault<'_>,
) -> String {
    let Some(text) = sent.text() else {
        faults.wrong_type(place, "a string", sent.sort());
        return String::new();
    };
    if !is_one(text) {
        faults.value(place, &fault);
    }
    text.into()
}

macro_rules! dated {
    ($($name:ident: $is_one:expr, $fault:expr;)+) => {$(
        impl $name {
            /// All the time that it means; none where it is no date.
            #[must_use]
            pub fn span(&self) -> Option<Span> {
                Span::read(&self.0)
            }
        }

        impl JsonSchema for $name {
            fn json_schema() -> Value {
                json!({ "type": "string" })
            }
        }

        impl Member for $name {
            const IS_REQUIRED: bool = true;

            fn read(sent: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self {
                Self(read(sent, place, faults, $is_one, $fault))
            }
        }
    )+};
}

dated! {
    ClinicalDate: is_clinical, ValueFault::NoDate;
    Instant: |text| DateTime::read(text).is_some_and(|read| read.is_instant()), ValueFault::NoMoment;
    Day: |text| CalendarDate::read(text).is_some(), ValueFault::NoDay;
}

/// Whether a text is a date or a moment as FHIR writes it.
pub(crate) fn is_clinical(text: &str) -> bool {
    DateTime::read(text).is_some_and(|read| read.is_date_time())
}

/// Notes an end that is before its start.
pub(crate) fn in_order(
    (start, from): (&str, Option<Span>),
    (place, until): (Place<'_>, Option<Span>),
    faults: &mut Faults,
) {
    if let (Some(from), Some(until)) = (from, until)
        && until.high <= from.low
    {
        faults.value(place, &ValueFault::BeforeStart(start));
    }
}
