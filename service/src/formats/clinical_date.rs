//! Clinical dates as people read them, as precise as they were given: a year, a month, a day, or a moment.

use super::zone::Zone;
use jiff::Timestamp;
use jiff::civil::Date;
use rules::moment::Moment;

/// `2026`, `May 2026`, `4 May 2026`, or a moment as the clocks of the zone show it. What is no date is told as it is.
#[must_use]
pub fn text(date: &str, zone: &Zone) -> String {
    if let Ok(moment) = date.parse::<Timestamp>() {
        return zone.day_and_time(Moment(moment.as_millisecond()));
    }
    let civil = |text: &str, format: &str| text.parse::<Date>().ok().map(|day| day.strftime(format).to_string());
    let told = match date.len() {
        7 => civil(&format!("{date}-01"), "%B %Y"),
        10 => civil(date, "%-d %B %Y"),
        _ => None,
    };
    told.unwrap_or_else(|| date.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_keeps_the_precision_that_it_was_given() {
        let told = |date: &str| text(date, &Zone::UTC);
        assert_eq!(told("2026"), "2026");
        assert_eq!(told("2026-05"), "May 2026");
        assert_eq!(told("2026-05-04"), "4 May 2026");
        assert_eq!(told("2026-05-04T07:58:00+01:00"), "4 May 2026, 06:58 UTC");
        assert_eq!(told("2026-13"), "2026-13");
        assert_eq!(told("a long time ago"), "a long time ago");
    }
}
