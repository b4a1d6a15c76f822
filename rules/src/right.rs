//! Rights: why an item was seen, and how long that may be remembered.

/// Why an item was seen: the first that fits, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Right {
    /// The session is about this record, and its user is the patient.
    Own,
    /// The viewer made it.
    Source,
    /// Sender or recipient of the conversation, grantee of the Consent, author of the draft.
    Participant,
    /// The patient's sight allows it.
    Consent,
    /// The glass was broken for this patient.
    Glass,
    /// It is nobody's record: a directory or a definition, there for every caller.
    Directory,
}

impl Right {
    pub const ALL: [Self; 6] =
        [Self::Own, Self::Source, Self::Participant, Self::Consent, Self::Glass, Self::Directory];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Own => "self",
            Self::Source => "source",
            Self::Participant => "participant",
            Self::Consent => "consent",
            Self::Glass => "glass",
            Self::Directory => "directory",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.word() == word)
    }

    /// The number that a query says it by: in the order of rights.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Own => 1,
            Self::Source => 2,
            Self::Participant => 3,
            Self::Consent => 4,
            Self::Glass => 5,
            Self::Directory => 6,
        }
    }

    /// How long what was seen by it may be remembered and answered again without asking.
    #[must_use]
    pub const fn validity(self) -> RightValidity {
        match self {
            Self::Own | Self::Source | Self::Directory => RightValidity::WhileUnchanged,
            Self::Participant | Self::Consent => RightValidity::WhileInSight,
            Self::Glass => RightValidity::ForThatCall,
        }
    }

    /// Whether opening the content of a letter by it counts as the patient's having read it: a carer's opening does not.
    #[must_use]
    pub const fn marks_read(self) -> bool {
        matches!(self, Self::Own)
    }

    /// Whether it is by the eyes of a team or an organisation that something is seen.
    #[must_use]
    pub const fn has_eyes(self) -> bool {
        matches!(self, Self::Source | Self::Participant | Self::Consent | Self::Glass)
    }

    #[must_use]
    pub fn numbered(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.number() == number)
    }
}

/// How long a right opens what it opened once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightValidity {
    /// As long as the resource is as it is.
    WhileUnchanged,
    /// As long as, besides, nothing changes of who sees its patient, and that sight has not ended, which is compared at each call.
    WhileInSight,
    /// Not at all: a glass is asked for at each call.
    ForThatCall,
}
