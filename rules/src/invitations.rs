//! Invitations: who is invited to make the account of a patient, and how long a pair of code and token can be used.

use crate::limits::{INVITATION_TRIES, INVITED_AGE, NAME_CHARACTERS};
use crate::moment::Moment;

/// What is known of a patient who may be invited.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'c> {
    pub deceased: bool,
    /// Whether there is an account.
    pub registered: bool,
    /// As the Patient says it.
    pub birth_date: Option<&'c str>,
}

/// Why a patient is not invited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    Deceased,
    Registered,
    /// There is none, or not to the day: it is what whoever redeems the invitation must know.
    NoBirthDate,
    TooYoung,
}

/// What stands in the way of inviting this patient, if anything.
#[must_use]
pub fn hindrance(who: Candidate<'_>, now: Moment) -> Option<Hindrance> {
    if who.deceased {
        return Some(Hindrance::Deceased);
    }
    if who.registered {
        return Some(Hindrance::Registered);
    }
    let Some(born) = who.birth_date.and_then(day) else { return Some(Hindrance::NoBirthDate) };
    let (year, month, day) = born;
    ((year + INVITED_AGE, month, day) > today(now)).then_some(Hindrance::TooYoung)
}

/// Whether a pair can still be used: neither over, nor tried with too many wrong dates of birth.
#[must_use]
pub const fn is_open(expires_at: Moment, tries: i64, now: Moment) -> bool {
    !now.is_past(expires_at) && tries < INVITATION_TRIES
}

/// Whether a text can be the e-mail address by which somebody signs in. Whether it is theirs, nobody can see from it.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let fits = text.chars().count() <= NAME_CHARACTERS && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    fits && text.split_once('@').is_some_and(|(who, host)| !who.is_empty() && !host.is_empty() && !host.contains('@'))
}

/// Year, month and day of a whole date.
fn day(text: &str) -> Option<(i64, i64, i64)> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let number = |text: &str, digits: usize| {
        let is_plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_plain { text.parse::<i64>().ok() } else { None }
    };
    let (month, day) = (number(month, 2)?, number(day, 2)?);
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some((number(year, 4)?, month, day))
}

/// The day that it is, in UTC: years are counted from March, so that the odd day is the last of one.
fn today(now: Moment) -> (i64, i64, i64) {
    let days = now.unix_seconds().div_euclid(86_400) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let years = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * years + years / 4 - years / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (years + era * 400 + i64::from(month <= 2), month, day)
}
