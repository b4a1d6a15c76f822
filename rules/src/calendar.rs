//! Days and moments as people write them: a date of birth, the day that it is, an instant in a header.

use crate::moment::Moment;
use alloc::format;
use alloc::string::String;

/// A day of the calendar; days are compared as they follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: i64,
    month: i64,
    day: i64,
}

impl Day {
    /// A whole date, `2010-02-28`; `None` for a part of one.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (year, rest) = text.split_once('-')?;
        let (month, day) = rest.split_once('-')?;
        let number = |text: &str, digits: usize| {
            let is_plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
            if is_plain { text.parse::<i64>().ok() } else { None }
        };
        let (month, day) = (number(month, 2)?, number(day, 2)?);
        let is_day = (1..=12).contains(&month) && (1..=31).contains(&day);
        is_day.then_some(Self { year: number(year, 4)?, month, day })
    }

    /// The day that it is, in UTC: years are counted from March, so that the odd day is the last of one.
    #[must_use]
    pub const fn of(now: Moment) -> Self {
        let days = now.unix_seconds().div_euclid(86_400) + 719_468;
        let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let years = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * years + years / 4 - years / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        Self { year: years + era * 400 + (month <= 2) as i64, month, day }
    }

    /// The same day so many years later. Who is born on the 29th of February has the 1st of March where there is none.
    #[must_use]
    pub const fn years_later(self, years: i64) -> Self {
        Self { year: self.year + years, ..self }
    }

    /// Its first moment, in UTC.
    #[must_use]
    pub const fn begins(self) -> Moment {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let from_march = if self.month > 2 { self.month - 3 } else { self.month + 9 };
        let of_year = (153 * from_march + 2) / 5 + self.day - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
        Moment(days * 86_400_000)
    }

    /// Whether who was born on this day is so old at a moment.
    #[must_use]
    pub const fn is_so_old(self, years: i64, now: Moment) -> bool {
        now.is_past(self.years_later(years).begins())
    }

    #[must_use]
    pub fn text(self) -> String {
        let Self { year, month, day } = self;
        format!("{year:04}-{month:02}-{day:02}")
    }
}

/// A moment as FHIR writes an instant, in UTC, to the millisecond.
#[must_use]
pub fn instant(at: Moment) -> String {
    let of_day = at.0.rem_euclid(86_400_000);
    let (seconds, thousandths) = (of_day / 1000, of_day % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{}T{hour:02}:{minute:02}:{second:02}.{thousandths:03}Z", Day::of(at).text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_as_it_is_written_and_begins_at_its_first_millisecond() {
        for (text, seconds) in [("1970-01-01", 0), ("2000-02-29", 951_782_400), ("1969-12-31", -86_400)] {
            let Some(day) = Day::read(text) else { panic!("{text}") };
            assert_eq!((day.text().as_str(), day.begins()), (text, Moment(seconds * 1000)));
            assert_eq!(Day::of(day.begins()), day);
            assert!(Day::of(Moment(day.begins().0 - 1)) < day);
            assert_eq!(Day::of(Moment(day.begins().0 + 86_399_999)), day);
        }
        for no_day in ["2010-02", "2010", "", "2010-13-01", "2010-01-32", "10-01-01", "2010-1-1", "+200-01-01"] {
            assert_eq!(Day::read(no_day), None, "{no_day}");
        }
    }

    #[test]
    fn somebody_is_so_old_from_the_first_moment_of_the_birthday_on() {
        let Some(born) = Day::read("2008-02-29") else { panic!("a day") };
        assert_eq!(born.years_later(16).begins(), Day::read("2024-02-29").map_or(Moment(0), Day::begins));
        assert_eq!(born.years_later(18).begins(), Day::read("2026-03-01").map_or(Moment(0), Day::begins));
        let birthday = born.years_later(16).begins();
        assert!(born.is_so_old(16, birthday) && !born.is_so_old(16, Moment(birthday.0 - 1)));
    }

    #[test]
    fn an_instant_has_its_milliseconds() {
        assert_eq!(instant(Moment(951_782_400_007)), "2000-02-29T00:00:00.007Z");
        assert_eq!(instant(Moment(-1)), "1969-12-31T23:59:59.999Z");
    }
}
