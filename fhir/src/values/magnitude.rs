//! Numbers: as they are stored, and as they are searched for, where their digits say how exactly they are meant.

/// The numbers from `low` to `high`, both among them. A point has both the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    #[must_use]
    pub const fn point(value: f64) -> Self {
        Self { low: value, high: value }
    }
}

/// A number in a query: `100` means all from `low` (99.5) until before `high` (100.5), and exactly `value` where it is
/// a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Magnitude {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Magnitude {
    /// Reads a decimal number: digits, perhaps a sign, a point, an exponent.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i16>().ok()?),
            None => (text, 0),
        };
        let (negative, number) = match number.strip_prefix('-') {
            Some(number) => (true, number),
            None => (false, number.strip_prefix('+').unwrap_or(number)),
        };
        let (whole, fraction) = number.split_once('.').map_or((number, None), |(whole, part)| (whole, Some(part)));
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !are_digits(whole) || fraction.is_some_and(|part| !are_digits(part)) || number.len() > 36 {
            return None;
        }
        let digits: i128 = format!("{whole}{}", fraction.unwrap_or_default()).parse().ok()?;
        let digits = if negative { -digits } else { digits };
        let exponent = i32::from(exponent) - i32::try_from(fraction.map_or(0, str::len)).ok()?;
        // Half of the last digit to either side, worked out in tenths of it so that no rounding comes in.
        let tenths = |tenths: i128| format!("{tenths}e{}", exponent - 1).parse::<f64>().ok();
        let (value, low, high) = (tenths(digits * 10)?, tenths(digits * 10 - 5)?, tenths(digits * 10 + 5)?);
        (low.is_finite() && high.is_finite()).then(|| Self::around(value, low, high))
    }

    /// Of a number with so many digits that half of its last one is lost, at least the number itself is meant.
    fn around(value: f64, low: f64, high: f64) -> Self {
        Self { value, low: low.min(value), high: if high > value { high } else { value.next_up() } }
    }

    /// The magnitude after a step that keeps the order of numbers, such as into another unit.
    #[must_use]
    pub fn mapped(self, step: impl Fn(f64) -> f64) -> Self {
        Self::around(step(self.value), step(self.low), step(self.high))
    }
}

/// The number times a power of ten, by its decimal digits: 5.35 times a thousandth is exactly what `0.00535` reads as.
#[must_use]
pub fn shifted(value: f64, ten: i32) -> f64 {
    if ten == 0 || !value.is_finite() {
        return value;
    }
    let written = format!("{value:e}");
    let Some((digits, exponent)) = written.split_once('e') else { return value };
    let exponent = exponent.parse::<i32>().unwrap_or_default() + ten;
    format!("{digits}e{exponent}").parse().unwrap_or(value)
}

/// An integer that is greater exactly where the number is, for stores that keep integers. Not for what is no number.
#[must_use]
pub const fn key(value: f64) -> i64 {
    let bits = (value + 0.0).to_bits().cast_signed();
    bits ^ (((bits >> 63) as u64) >> 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_digits_of_a_number_say_how_exactly_it_is_meant() {
        for (text, value, low, high) in [
            ("100", 100.0, 99.5, 100.5),
            ("100.00", 100.0, 99.995, 100.005),
            ("5.4", 5.4, 5.35, 5.45),
            ("-1", -1.0, -1.5, -0.5),
            ("1e2", 100.0, 50.0, 150.0),
            ("1.0E2", 100.0, 95.0, 105.0),
            ("0", 0.0, -0.5, 0.5),
            ("+7", 7.0, 6.5, 7.5),
            ("0.000000000000000000000000001", 1e-27, 0.5e-27, 1.5e-27),
        ] {
            assert_eq!(Magnitude::read(text), Some(Magnitude { value, low, high }), "{text}");
        }
        for text in
            ["1.234567890123456", "0.1234567890123456", "9007199254740993", "123456789012345.67", "-5.551115123125783"]
        {
            let read = Magnitude::read(text).unwrap();
            let stored: f64 = text.parse().unwrap();
            assert!(read.low <= stored && stored < read.high, "{text}: {read:?}");
            let smaller = read.mapped(|value| value / 1000.0);
            assert!(smaller.low <= stored / 1000.0 && stored / 1000.0 < smaller.high, "{text}: {smaller:?}");
        }
        for text in ["", "-", ".5", "5.", "1e", "1e400", "NaN", "inf", "1,5", "0x1", "--1", &"1".repeat(40)] {
            assert_eq!(Magnitude::read(text), None, "{text}");
        }
    }

    #[test]
    fn a_power_of_ten_moves_the_point_and_nothing_else() {
        assert_eq!(shifted(5.35, -3), 0.00535);
        assert_eq!(shifted(0.1, 3), 100.0);
        assert_eq!(shifted(-7.0, 0), -7.0);
        assert_eq!(shifted(f64::INFINITY, 3), f64::INFINITY);
    }

    proptest! {
        #[test]
        fn keys_have_the_order_of_their_numbers(a in proptest::num::f64::NORMAL | proptest::num::f64::ZERO, b in proptest::num::f64::NORMAL) {
            prop_assert_eq!(key(a).cmp(&key(b)), a.partial_cmp(&b).unwrap());
        }
    }

    #[test]
    fn the_two_zeros_are_one() {
        assert_eq!(key(0.0), key(-0.0));
        assert!(key(f64::NEG_INFINITY) < key(f64::MIN) && key(f64::MAX) < key(f64::INFINITY));
    }
}
