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

/// A date as the two fields of a form have it: the day, or less, and the time of a moment.
#[must_use]
pub fn fields(date: &str, zone: &Zone) -> (String, String) {
    match date.parse::<Timestamp>() {
        Ok(moment) => {
            let moment = Moment(moment.as_millisecond());
            (zone.date(moment), zone.clock(moment))
        }
        Err(_) => (date.to_owned(), String::new()),
    }
}

/// The date that two such fields mean. What is none is told as it was typed, for whoever checks it.
#[must_use]
pub fn of_fields(day: &str, clock: &str, zone: &Zone) -> String {
    match clock {
        "" => day.to_owned(),
        clock => zone.moment_of(day, clock).unwrap_or_else(|| format!("{day} {clock}")),
    }
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

    #[test]
    fn a_date_goes_through_the_fields_of_a_form_and_back() {
        let london = Zone::named("Europe/London").unwrap();
        for date in ["2026", "2026-05", "2026-05-04", "2026-05-04T07:58:00+01:00"] {
            let (day, clock) = fields(date, &london);
            assert_eq!(of_fields(&day, &clock, &london), date);
        }
        assert_eq!(fields("2026-05-04T23:30:00Z", &london), ("2026-05-05".into(), "00:30".into()));
        assert_eq!(of_fields("tomorrow", "09:30", &london), "tomorrow 09:30");
    }
}
