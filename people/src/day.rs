//! Days of the calendar, and moments in them, as FHIR writes them.

use std::fmt;

/// A day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub i64);

/// The last day of every record: what comes after it is planned. It is fixed, because every run is to be the same.
pub const LAST: Day = Day::of(2026, 6, 30);

/// Days of four hundred years, after which the calendar repeats.
const ERA: i64 = 146_097;

impl Day {
    /// A day of the calendar that we use, which is taken to have been in use for ever.
    #[must_use]
    pub const fn of(year: i64, month: i64, day: i64) -> Self {
        // Years begin in March here, so that a leap day is the last of its year.
        let year = if month <= 2 { year - 1 } else { year };
        let of_era = year.rem_euclid(400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        Self(year.div_euclid(400) * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
    }

    /// Year, month and day.
    #[must_use]
    pub const fn parts(self) -> (i64, i64, i64) {
        let shifted = self.0 + 719_468;
        let of_era = shifted.rem_euclid(ERA);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + shifted.div_euclid(ERA) * 400;
        (if month <= 2 { year + 1 } else { year }, month, day)
    }

    #[must_use]
    pub const fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// A moment of this day, in Coordinated Universal Time.
    #[must_use]
    pub fn at(self, minute: i64) -> String {
        format!("{self}T{:02}:{:02}:00Z", minute.div_euclid(60), minute.rem_euclid(60))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(Day::of(1970, 1, 1), Day(0));
        assert_eq!(Day::of(2000, 2, 29).to_string(), "2000-02-29");
        assert_eq!(Day::of(2000, 2, 29).plus(1).to_string(), "2000-03-01");
        assert_eq!(Day::of(2023, 12, 31).plus(1).to_string(), "2024-01-01");
        assert_eq!(LAST.at(9 * 60 + 5), "2026-06-30T09:05:00Z");
    }

    #[test]
    fn every_day_of_a_century_is_written_and_read_as_the_same() {
        for number in Day::of(1920, 1, 1).0..Day::of(2030, 1, 1).0 {
            let (year, month, day) = Day(number).parts();
            assert_eq!(Day::of(year, month, day), Day(number));
        }
    }
}
