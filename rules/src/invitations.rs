//! Invitations: who is invited to make the account of a patient, how long a pair of code and token can be used, what else must be
//! proved, and what an account is called that was ended.

use crate::calendar::Day;
use crate::ids::UserId;
use crate::limits::{INVITATION_TRIES, INVITED_AGE, NAME_CHARACTERS, PAPER_TRIES};
use crate::moment::Moment;
use alloc::format;
use alloc::string::String;

/// What is known of a patient who may be invited.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'c> {
    pub deceased: bool,
    /// Whether the patient is registered now with a team of the organisation that invites. To have written something about
    /// somebody once is not enough to say who they are.
    pub is_ours: bool,
    /// Whether there is an account.
    pub registered: bool,
    /// As the Patient says it.
    pub birth_date: Option<&'c str>,
}

/// Why a patient is not invited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    NotOurs,
    Deceased,
    Registered,
    /// There is none, or not to the day: it is what whoever redeems the invitation must know.
    NoBirthDate,
    TooYoung,
}

impl Hindrance {
    /// As it is told to a team that has the patient.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotOurs => NOT_OURS,
            Self::Deceased => "the patient has died",
            Self::Registered => "the patient has an account",
            Self::NoBirthDate => {
                "the date of birth of the patient is not known to the day, which whoever redeems the invitation must know"
            }
            Self::TooYoung => "the patient is under 16 years old",
        }
    }
}

/// What stands in the way of inviting this patient, if anything.
#[must_use]
pub fn hindrance(who: Candidate<'_>, now: Moment) -> Option<Hindrance> {
    if !who.is_ours {
        return Some(Hindrance::NotOurs);
    }
    if who.deceased {
        return Some(Hindrance::Deceased);
    }
    if who.registered {
        return Some(Hindrance::Registered);
    }
    let Some(born) = who.birth_date.and_then(Day::read) else { return Some(Hindrance::NoBirthDate) };
    (!born.is_so_old(INVITED_AGE, now)).then_some(Hindrance::TooYoung)
}

/// Whether a pair can still be used: neither over, nor tried with too many wrong dates of birth.
#[must_use]
pub const fn is_open(expires_at: Moment, tries: i64, now: Moment) -> bool {
    !now.is_past(expires_at) && tries < INVITATION_TRIES
}

/// What is told of a patient whom the organisation sees and may not invite. It knows with whom its own teams have to do; why
/// anybody else is left out may be another's secret, and is not told.
pub const NOT_OURS: &str = "the patient has no current registration with a team of this organisation, \
    without which it cannot invite them; have the patient registered first";

/// What an organisation asks for, beside code, token and date of birth, of whoever redeems one of its invitations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FurtherProof {
    #[default]
    None,
    /// A code on paper, which only a Team Coordinator of a team that has the patient can print.
    Paper,
}

impl FurtherProof {
    pub const ALL: [Self; 2] = [Self::None, Self::Paper];

    /// The word of the database, the world file and the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Paper => "paper",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|proof| proof.word() == word)
    }
}

/// Whether the code on a paper can still be used: neither over, nor tried too often.
#[must_use]
pub const fn is_paper_open(expires_at: Moment, tries: i64, now: Moment) -> bool {
    !now.is_past(expires_at) && tries < PAPER_TRIES
}

const ENDED: &str = "ended:";

/// The user name of an account that was ended. Nobody signs in by it, and the name that it had can be taken again.
#[must_use]
pub fn ended_name(user: UserId) -> String {
    format!("{ENDED}{}", user.0)
}

/// Whether it is the user name of an account that was ended, however it is spelt; no other account has such a name.
#[must_use]
pub fn is_ended_name(username: &str) -> bool {
    username.get(..ENDED.len()).is_some_and(|start| start.eq_ignore_ascii_case(ENDED))
}

/// Whether a text can be the e-mail address by which somebody signs in. Whether it is theirs, nobody can see from it.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let fits = text.chars().count() <= NAME_CHARACTERS && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    fits && text.split_once('@').is_some_and(|(who, host)| !who.is_empty() && !host.is_empty() && !host.contains('@'))
}
