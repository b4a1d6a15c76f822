//! Numbers and quantities.

use crate::extraction::index_value::{Amount, IndexValue};
use crate::extraction::walk::text;
use crate::parameters::value_type::ValueType;
use crate::values::magnitude::Interval;
use crate::values::unit::{UCUM, Unit};
use serde_json::Value;

/// The system of the codes of currencies.
const CURRENCIES: &str = "urn:iso:std:iso:4217";

/// What a parameter of numbers finds in a value.
pub(crate) fn number(value: &Value) -> Option<IndexValue<'static>> {
    let interval = match value {
        Value::Number(number) => Interval::point(number.as_f64()?),
        range => sides(range)?,
    };
    Some(IndexValue::Number(interval))
}

/// What a parameter of quantities finds in a value.
pub(crate) fn quantity(value_type: ValueType, value: &Value) -> Option<IndexValue<'_>> {
    let amount = match value_type {
        ValueType::Range => {
            let unit = value.get("low").or_else(|| value.get("high"))?;
            amount(sides(value)?, text(unit, "system"), text(unit, "code"), text(unit, "unit"))
        }
        ValueType::Money => {
            let currency = text(value, "currency");
            amount(Interval::point(decimal(value, "value")?), currency.map(|_| CURRENCIES), currency, None)
        }
        ValueType::SampledData => {
            let origin = value.get("origin")?;
            amount(samples(value)?, text(origin, "system"), text(origin, "code"), text(origin, "unit"))
        }
        _ => amount(compared(value)?, text(value, "system"), text(value, "code"), text(value, "unit")),
    };
    Some(IndexValue::Quantity(amount))
}

fn amount<'a>(written: Interval, system: Option<&'a str>, code: Option<&'a str>, unit: Option<&'a str>) -> Amount<'a> {
    let canonical = code.filter(|_| system == Some(UCUM)).and_then(Unit::read).map(|unit| {
        let interval = Interval { low: unit.canonical(written.low), high: unit.canonical(written.high) };
        (interval, unit.base())
    });
    Amount { written, system, code, unit, canonical }
}

fn decimal(value: &Value, member: &str) -> Option<f64> {
    value.get(member)?.as_f64()
}

/// A quantity that is only known to be below or above a number is all of the numbers there.
fn compared(quantity: &Value) -> Option<Interval> {
    let value = decimal(quantity, "value")?;
    Some(match text(quantity, "comparator") {
        Some("<") => Interval { low: f64::NEG_INFINITY, high: value.next_down() },
        Some("<=") => Interval { low: f64::NEG_INFINITY, high: value },
        Some(">=") => Interval { low: value, high: f64::INFINITY },
        Some(">") => Interval { low: value.next_up(), high: f64::INFINITY },
        _ => Interval::point(value),
    })
}

/// From `low` to `high`; a side that is missing has no end.
fn sides(range: &Value) -> Option<Interval> {
    let side = |member| decimal(range.get(member)?, "value");
    let (low, high) = (side("low"), side("high"));
    (low.is_some() || high.is_some())
        .then(|| Interval { low: low.unwrap_or(f64::NEG_INFINITY), high: high.unwrap_or(f64::INFINITY) })
}

/// From the lowest to the highest sample.
fn samples(data: &Value) -> Option<Interval> {
    let origin = decimal(data.get("origin")?, "value")?;
    let factor = decimal(data, "factor").unwrap_or(1.0);
    // Beside numbers there are E, U and L, for what could not be measured.
    let samples = text(data, "data")?.split_whitespace().filter_map(|sample| sample.parse::<f64>().ok());
    let samples = samples.filter(|sample| sample.is_finite()).map(|sample| Interval::point(origin + sample * factor));
    samples.reduce(|all, one| Interval { low: all.low.min(one.low), high: all.high.max(one.high) })
}
