//! Dates: every one is a span of time.

use crate::extraction::index_value::IndexValue;
use crate::extraction::walk::items;
use crate::parameters::value_type::ValueType;
use crate::values::span::Span;
use serde_json::Value;

/// What a parameter of dates finds in a value.
pub(crate) fn date(value_type: ValueType, value: &Value) -> Option<IndexValue<'static>> {
    let span = match value_type {
        ValueType::Period => period(value),
        ValueType::Timing => timing(value),
        _ => read(Some(value)),
    };
    span.map(IndexValue::Date)
}

fn read(value: Option<&Value>) -> Option<Span> {
    Span::read(value?.as_str()?)
}

/// A side that is missing has no end. A side that cannot be read is not taken for one that is missing.
fn period(period: &Value) -> Option<Span> {
    let side = |member| match period.get(member) {
        None => Some(None),
        there => read(there).map(Some),
    };
    let (start, end) = (side("start")?, side("end")?);
    (start.is_some() || end.is_some()).then(|| Span::between(start, end))
}

/// From the first to the last of its events, and the bounds of its repetition.
fn timing(timing: &Value) -> Option<Span> {
    let events = items(timing, "event").iter().filter_map(|event| read(Some(event)));
    let bounds = timing.get("repeat").and_then(|repeat| repeat.get("boundsPeriod")).and_then(period);
    events.chain(bounds).reduce(Span::joined)
}
