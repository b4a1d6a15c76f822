//! The consent record: what one patient has given to one grantee, and what it comes to at a moment.

use crate::calendar::Day;
use crate::consent::basis::Basis;
use crate::ids::{PatientId, TeamId, UserId};
use crate::labels::Labels;
use crate::moment::Moment;
use core::fmt;
use core::str::FromStr;

/// The id of a consent, which is the `Consent.id` of its FHIR form too: a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConsentId(pub u128);

/// To whom a consent is given. Never to a single professional of a team, never to an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grantee {
    Team(TeamId),
    /// A CLINICIAN user with no team.
    Professional(UserId),
    /// A PATIENT user.
    Carer(UserId),
}

/// Who locked a consent. The team that did may end others' care by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Locker {
    Team(TeamId),
    Officer,
}

/// One record for a pair of patient and grantee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    pub id: ConsentId,
    pub patient: PatientId,
    pub grantee: Grantee,
    /// General, mental, sexual, social: the labels granted.
    pub labels: Labels,
    /// Care has ended: the labels are kept, but without effect.
    pub discharged: bool,
    /// "Professional edit only": patient and carers cannot change it.
    pub locked: Option<Locker>,
    /// A carer may change other consents as the patient may, within the labels held.
    pub manages: bool,
    pub basis: Option<Basis>,
    /// The patient took labels away, and nobody has consented explicitly since.
    pub withdrawn: bool,
    /// At that moment it is over.
    pub ends_at: Option<Moment>,
    /// Whether a carer who was invited has accepted; nobody else needs to.
    pub accepted: bool,
}

/// What a consent comes to at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConsentState {
    /// Invited, not accepted.
    Pending,
    Active,
    Discharged,
    Ended,
}

impl ConsentState {
    pub const ALL: [Self; 4] = [Self::Pending, Self::Active, Self::Discharged, Self::Ended];

    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Active => "ACTIVE",
            Self::Discharged => "DISCHARGED",
            Self::Ended => "ENDED",
        }
    }
}

impl Grantee {
    /// The word of the database, the world file and the custom REST API.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Team(_) => "TEAM",
            Self::Professional(_) => "PROFESSIONAL",
            Self::Carer(_) => "CARER",
        }
    }

    /// The grantee of a word and a number, as rows have them.
    #[must_use]
    pub fn named(word: &str, number: i64) -> Option<Self> {
        let all = [Self::Team(TeamId(number)), Self::Professional(UserId(number)), Self::Carer(UserId(number))];
        all.into_iter().find(|grantee| grantee.word() == word)
    }

    #[must_use]
    pub const fn is_carer(self) -> bool {
        matches!(self, Self::Carer(_))
    }

    /// The labels of a consent of which nothing is said: the team's `default_access`; to persons nothing.
    #[must_use]
    pub const fn default_labels(self, default_access: Labels) -> Labels {
        match self {
            Self::Team(_) => default_access,
            Self::Professional(_) | Self::Carer(_) => Labels::NONE,
        }
    }

    /// The end of a consent of which nothing is said: a carer's for a child is over at the birthday of `age` years.
    #[must_use]
    pub fn default_end(self, born: Option<Day>, age: i64, now: Moment) -> Option<Moment> {
        let birthday = born?.years_later(age).begins();
        (self.is_carer() && !now.is_past(birthday)).then_some(birthday)
    }
}

impl Consent {
    /// A consent of which nothing has been said yet.
    #[must_use]
    pub const fn new(id: ConsentId, patient: PatientId, grantee: Grantee) -> Self {
        Self {
            id,
            patient,
            grantee,
            labels: Labels::NONE,
            discharged: false,
            locked: None,
            manages: false,
            basis: None,
            withdrawn: false,
            ends_at: None,
            accepted: !grantee.is_carer(),
        }
    }

    #[must_use]
    pub fn state(&self, now: Moment) -> ConsentState {
        match self {
            Self { discharged: true, .. } => ConsentState::Discharged,
            Self { ends_at: Some(end), .. } if now.is_past(*end) => ConsentState::Ended,
            Self { accepted: false, .. } => ConsentState::Pending,
            _ => ConsentState::Active,
        }
    }

    /// The labels that it opens at a moment.
    #[must_use]
    pub fn in_force(&self, now: Moment) -> Labels {
        match self.state(now) {
            ConsentState::Active => self.labels,
            ConsentState::Pending | ConsentState::Discharged | ConsentState::Ended => Labels::NONE,
        }
    }

    /// The labels that it opens until its end, if it has one.
    #[must_use]
    pub const fn until_its_end(&self) -> Labels {
        if self.discharged || !self.accepted { Labels::NONE } else { self.labels }
    }
}

impl fmt::Display for ConsentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = |from: u32, bits: u32| (self.0 >> from) & ((1 << bits) - 1);
        let (first, second, third) = (group(96, 32), group(80, 16), group(64, 16));
        write!(f, "{first:08x}-{second:04x}-{third:04x}-{:04x}-{:012x}", group(48, 16), group(0, 48))
    }
}

/// A text that is no UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoUuid;

impl FromStr for ConsentId {
    type Err = NoUuid;

    fn from_str(text: &str) -> Result<Self, NoUuid> {
        let (mut number, mut digits) = (0_u128, 0);
        for (at, letter) in text.char_indices() {
            match (at, letter) {
                (8 | 13 | 18 | 23, '-') => {}
                (8 | 13 | 18 | 23, _) => return Err(NoUuid),
                _ => (number, digits) = (number << 4 | u128::from(letter.to_digit(16).ok_or(NoUuid)?), digits + 1),
            }
        }
        if digits == 32 && text.len() == 36 { Ok(Self(number)) } else { Err(NoUuid) }
    }
}
