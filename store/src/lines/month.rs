//! A month of the ledger: which one an id is in. Ids grow with time, so a month is a range of them.

use crate::error::{Error, Result};
use crate::ids;
use rules::moment::Moment;
use std::collections::BTreeSet;
use time::{Date, OffsetDateTime, Time};

/// A month of the calendar, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Month {
    first_day: Date,
}

impl Month {
    /// The month that an id was made in.
    pub(crate) fn of_id(id: i64) -> Result<Self> {
        let at = OffsetDateTime::from_unix_timestamp(ids::made_at(id).0.div_euclid(1000));
        let first_day = at.ok().and_then(|at| at.date().replace_day(1).ok());
        first_day.map(|first_day| Self { first_day }).ok_or_else(|| Error::Impossible(format!("a line's id is {id}")))
    }

    /// The months of some ids, each once.
    pub(crate) fn of_ids(ids: impl IntoIterator<Item = i64>) -> Result<BTreeSet<Self>> {
        ids.into_iter().map(Self::of_id).collect()
    }

    fn next(self) -> Self {
        let (year, month) = (self.first_day.year(), self.first_day.month());
        let year = if month == time::Month::December { year + 1 } else { year };
        let next = Date::from_calendar_date(year, month.next(), 1);
        Self { first_day: next.unwrap_or(Date::MAX) }
    }

    /// The ids of its lines: from the first on, and below the second.
    pub(crate) fn ids(self) -> (i64, i64) {
        (ids::least(self.start()), ids::least(self.next().start()))
    }

    /// As it is written in names: `2027_01`.
    pub(crate) fn name(self) -> String {
        format!("{:04}_{:02}", self.first_day.year(), u8::from(self.first_day.month()))
    }

    fn start(self) -> Moment {
        Moment(self.first_day.with_time(Time::MIDNIGHT).assume_utc().unix_timestamp().saturating_mul(1000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(at: i64) -> Month {
        Month::of_id(ids::least(Moment(at))).unwrap()
    }

    #[test]
    fn a_month_begins_and_ends_when_the_calendar_says() {
        for (at, name) in [
            (1_800_000_000_000, "2027_01"),
            (1_709_164_800_000, "2024_02"),
            (1_709_251_199_999, "2024_02"),
            (1_709_251_200_000, "2024_03"),
        ] {
            assert_eq!(month(at).name(), name, "at {at}");
        }
    }

    #[test]
    fn months_follow_each_other_without_a_gap() {
        let mut month = Month::of_id(1).unwrap();
        for _ in 0..800 {
            let (first, end) = month.ids();
            assert_eq!(Month::of_id(first).unwrap(), month);
            assert_eq!(Month::of_id(end - 1).unwrap(), month);
            assert_eq!(month.next().ids().0, end);
            month = month.next();
        }
    }
}
