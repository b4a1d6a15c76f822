//! How far the time of day is believed by whoever deletes for good.

use core::time::Duration;
use rules::belief::{ClockBelief, ClockReading};
use rules::limits::{CLOCK_HELD_SECONDS, CLOCK_LEAP_SECONDS};
use rules::moment::Moment;

const KNOWN: Moment = Moment(1_800_000_000_000);
const DAY: i64 = 86_400;

fn at(seconds: i64) -> Moment {
    KNOWN.plus_seconds(seconds)
}

#[test]
fn what_is_believed_follows_from_the_clock_from_what_is_known_and_from_how_long_the_clock_has_held() {
    let held = CLOCK_HELD_SECONDS;
    // The clock and what is known, in seconds; for how long it has held; what is believed.
    let table: [(i64, Option<i64>, u64, i64); 10] = [
        (0, Some(0), 0, 0),
        (CLOCK_LEAP_SECONDS, Some(0), 0, CLOCK_LEAP_SECONDS),
        (CLOCK_LEAP_SECONDS + 1, Some(0), 0, 0),
        (95 * DAY, Some(0), 0, 0),
        (95 * DAY, Some(0), held - 1, 0),
        (95 * DAY, Some(0), held, 95 * DAY),
        (-DAY, Some(0), 0, -DAY),
        (-DAY, Some(0), held, -DAY),
        (95 * DAY, None, 0, 95 * DAY),
        (95 * DAY, Some(95 * DAY - 10), 0, 95 * DAY),
    ];
    for (now, expected, held, believed) in table {
        let reading = ClockReading { now: at(now), expected: expected.map(at), held: Duration::from_secs(held) };
        assert_eq!(reading.believed(), at(believed), "{now} {expected:?} {held}");
        assert_eq!(reading.is_doubtful(), now != believed, "{now} {expected:?} {held}");
    }
}

/// What is believed at each look: at this second of the process's life the clock says so many seconds.
fn believed(newest_line: Option<Moment>, looks: &[(u64, i64)]) -> Vec<i64> {
    let mut belief = ClockBelief::new(newest_line, Duration::ZERO);
    let look = |(uptime, now): &(u64, i64)| {
        (belief.look(at(*now), Duration::from_secs(*uptime)).believed().0 - KNOWN.0) / 1000
    };
    looks.iter().map(look).collect()
}

#[test]
fn a_start_far_ahead_is_believed_when_its_clock_has_held_for_an_hour_and_not_before() {
    let ahead = 95 * DAY;
    let looks = [(0, ahead), (60, ahead + 60), (3599, ahead + 3599), (3600, ahead + 3600), (3660, ahead + 3660)];
    assert_eq!(believed(Some(KNOWN), &looks), [0, 60, 3599, ahead + 3600, ahead + 3660]);
}

#[test]
fn a_clock_that_leaps_and_leaps_back_was_never_believed() {
    let looks = [(0, 5), (60, 95 * DAY), (120, 95 * DAY + 60), (180, 185)];
    assert_eq!(believed(Some(KNOWN), &looks), [5, 65, 125, 185]);
}

#[test]
fn a_clock_that_leaps_on_begins_its_hour_anew() {
    let (first, second) = (10 * DAY, 95 * DAY);
    let looks = [(0, first), (3000, second), (3600, second + 600), (6599, second + 3599), (6600, second + 3600)];
    assert_eq!(believed(Some(KNOWN), &looks), [0, 3000, 3600, 6599, second + 3600]);
}

#[test]
fn a_clock_that_starts_in_the_past_is_right_as_soon_as_it_is_set_right() {
    let looks = [(0, -9000 * DAY), (30, 40), (90, 100)];
    assert_eq!(believed(Some(KNOWN), &looks), [-9000 * DAY, 40, 100]);
}

#[test]
fn a_clock_that_went_back_for_an_hour_is_what_is_known() {
    let looks = [(0, 0), (60, -DAY), (3660, 3600 - DAY), (3720, 3720)];
    assert_eq!(believed(Some(KNOWN), &looks), [0, -DAY, 3600 - DAY, 3660 - DAY]);
}

#[test]
fn where_nothing_was_noted_the_first_look_is_what_is_known() {
    assert_eq!(believed(None, &[(0, 50), (60, 95 * DAY)]), [50, 110]);
}

#[test]
fn time_that_passes_is_no_leap() {
    let looks = [(0, 0), (95 * 86_400, 95 * DAY)];
    assert_eq!(believed(Some(KNOWN), &looks), [0, 95 * DAY]);
}
