//! Numbers of any length, compared without rounding.

use std::cmp::Ordering;

/// A number, as its sign, its digits without zeros at either end, and how many of them stand before the point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    is_negative: bool,
    digits: Vec<u8>,
    scale: i64,
}

impl Decimal {
    /// The number that this JSON number writes; `None` for a text that is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if whole.is_empty() || power.is_empty() || ![whole, fraction, power].into_iter().all(is_digits) {
            return None;
        }
        // An exponent beyond an i64 is as far away as any number gets.
        let power: i64 = power.parse().unwrap_or(i64::MAX / 2);
        let power = if exponent.starts_with('-') { -power } else { power };
        let digits = [whole, fraction].concat().into_bytes();
        let leading = digits.iter().take_while(|digit| **digit == b'0').count();
        let trailing = digits.iter().rev().take_while(|digit| **digit == b'0').count();
        let Some(digits) = digits.get(leading..digits.len().saturating_sub(trailing)).filter(|left| !left.is_empty())
        else {
            return Some(Self { is_negative: false, digits: Vec::new(), scale: 0 });
        };
        let before_the_point = i64::try_from(whole.len()).ok()? - i64::try_from(leading).ok()?;
        Some(Self { is_negative, digits: digits.to_vec(), scale: power.saturating_add(before_the_point) })
    }

    /// Whether it is less than zero.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.is_negative
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.scale.cmp(&other.scale).then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;
    use proptest::prelude::*;

    fn number(text: &str) -> Decimal {
        Decimal::read(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn spellings_of_one_number_are_equal() {
        for (one, other) in
            [("1", "1.0"), ("100", "1e2"), ("0.01", "1E-2"), ("-0", "0.000"), ("12.5e1", "125"), ("0e9", "0")]
        {
            assert_eq!(number(one), number(other), "{one} {other}");
        }
    }

    #[test]
    fn numbers_are_in_their_order_however_long_they_are() {
        let order = [
            "-1e99999999999999999999",
            "-10",
            "-9.99",
            "-1e-400",
            "0",
            "1e-400",
            "0.1",
            "0.10000000000000000000001",
            "2",
            "10",
        ];
        for pair in order.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "-", "a", "1e", "1.2.3", "--1", ".5", "1e+-2"] {
            assert!(Decimal::read(text).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn small_numbers_are_ordered_as_the_machine_orders_them(a in -9999i32..9999, b in -9999i32..9999) {
            let spelt = |n: i32| format!("{}.{:02}", n / 100, (n % 100).abs());
            let sign = |n: i32| if n < 0 && n > -100 { format!("-{}", spelt(n)) } else { spelt(n) };
            prop_assert_eq!(number(&sign(a)).cmp(&number(&sign(b))), a.cmp(&b));
        }
    }
}
