//! Numbers as they are printed.

pub(crate) fn round(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

/// 12345.6 as 12,346.
pub(crate) fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_grouped_by_thousands() {
        assert_eq!(["999", "1,000", "112,346"], [999.4, 999.6, 112_345.6].map(thousands)[..]);
    }

    #[test]
    fn a_value_is_rounded_to_as_many_digits_as_are_printed() {
        assert!((round(0.5004, 3) - 0.5).abs() < 1e-9);
        assert!((round(0.5006, 3) - 0.501).abs() < 1e-9);
    }
}
