//! The time zone in which pages tell people the time. Machines are told it in UTC, whatever the zone.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use rules::moment::Moment;

/// A time zone by its name in the IANA database. The database is built in: what a machine has of it differs.
#[derive(Clone, Debug)]
pub struct Zone(TimeZone);

impl Zone {
    pub const UTC: Self = Self(TimeZone::UTC);

    /// `Europe/London`, `UTC`; `None` if there is no such zone.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        TimeZone::get(name).ok().map(Self)
    }

    /// `15 November 2026`.
    #[must_use]
    pub fn day(&self, moment: Moment) -> String {
        self.write(moment, "%-d %B %Y")
    }

    /// `15 November 2026, 09:30 UTC`.
    #[must_use]
    pub fn day_and_time(&self, moment: Moment) -> String {
        self.write(moment, "%-d %B %Y, %H:%M %Z")
    }

    /// `09:30 UTC`.
    #[must_use]
    pub fn time(&self, moment: Moment) -> String {
        self.write(moment, "%H:%M %Z")
    }

    /// `2026-11-15`: the day that a moment is on here, for machines.
    #[must_use]
    pub fn date(&self, moment: Moment) -> String {
        self.write(moment, "%Y-%m-%d")
    }

    /// `09:30`: what its clocks show, as a field for a time has it.
    #[must_use]
    pub fn clock(&self, moment: Moment) -> String {
        self.write(moment, "%H:%M")
    }

    /// `2026-11-15T09:30:00+00:00`: the moment at which its clocks show this time of this day (`2026-11-15`, `09:30`). A time that
    /// they leave out in spring is the one after it, and of one that they show twice it is the first.
    #[must_use]
    pub fn moment_of(&self, day: &str, clock: &str) -> Option<String> {
        let at = day.parse::<Date>().ok()?.to_datetime(Time::strptime("%H:%M", clock).ok()?);
        let at = at.to_zoned(self.0.clone()).ok()?;
        Some(at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
    }

    fn write(&self, moment: Moment, format: &str) -> String {
        self.at(moment).strftime(format).to_string()
    }

    /// Moments beyond the calendar (the end of time) are its last.
    fn at(&self, moment: Moment) -> Zoned {
        let clamped = moment.0.clamp(Timestamp::MIN.as_millisecond(), Timestamp::MAX.as_millisecond());
        Timestamp::from_millisecond(clamped).unwrap_or(Timestamp::MAX).to_zoned(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-10-25T00:30:00Z, half an hour before London's clocks go back.
    const BEFORE: Moment = Moment(1_792_888_200_000);

    #[test]
    fn a_moment_is_told_as_the_clocks_of_its_zone_show_it() {
        let london = Zone::named("Europe/London").unwrap();
        assert_eq!(london.day_and_time(BEFORE), "25 October 2026, 01:30 BST");
        assert_eq!(london.day_and_time(BEFORE.plus_seconds(3600)), "25 October 2026, 01:30 GMT");
        assert_eq!(Zone::UTC.day_and_time(BEFORE), "25 October 2026, 00:30 UTC");
    }

    #[test]
    fn a_time_of_a_day_is_the_moment_at_which_the_clocks_show_it() {
        let london = Zone::named("Europe/London").unwrap();
        let of = |day, clock| london.moment_of(day, clock);
        assert_eq!(of("2026-11-15", "09:30").as_deref(), Some("2026-11-15T09:30:00+00:00"));
        assert_eq!(of("2026-07-15", "09:30").as_deref(), Some("2026-07-15T09:30:00+01:00"));
        assert_eq!(of("2026-03-29", "01:30").as_deref(), Some("2026-03-29T02:30:00+01:00"), "left out");
        assert_eq!(of("2026-10-25", "01:30").as_deref(), Some("2026-10-25T01:30:00+01:00"), "shown twice");
        for (day, clock) in [("2026-02-30", "09:30"), ("2026-11", "09:30"), ("2026-11-15", "25:00"), ("", "")] {
            assert_eq!(of(day, clock), None, "{day} {clock}");
        }
    }

    #[test]
    fn a_day_begins_at_midnight_of_the_zone() {
        let auckland = Zone::named("Pacific/Auckland").unwrap();
        let evening = Moment(1_792_888_200_000 - 8 * 3_600_000);
        assert_eq!((Zone::UTC.date(evening), auckland.date(evening)), ("2026-10-24".into(), "2026-10-25".into()));
        assert_eq!((auckland.day(evening), auckland.time(evening)), ("25 October 2026".into(), "05:30 NZDT".into()));
    }

    #[test]
    fn the_end_of_time_is_told_too() {
        assert!(Zone::UTC.day(Moment(i64::MAX)).contains("9999"));
        assert!(!Zone::named("Asia/Tokyo").unwrap().day(Moment(i64::MIN)).is_empty());
    }

    #[test]
    fn a_name_that_is_no_zone_is_none() {
        for name in ["Europe/Atlantis", "", "../etc/passwd", "+02:00"] {
            assert!(Zone::named(name).is_none(), "{name}");
        }
    }
}
