//! Items, as far as seeing one depends on it.

use crate::consent::delay::Delay;
use crate::ids::{PatientId, TeamId, UserId};
use crate::labels::Needs;
use crate::source::Source;

/// What a store knows of an item. All of it is in the item's row and in the few rows of its participants.
#[derive(Clone, Copy, Debug)]
pub struct ItemFacts<'i> {
    /// The patients in whose compartments it is.
    pub patients: &'i [PatientId],
    pub needs: Needs,
    pub source: Source,
    /// Whether its type is a directory's or a definition's.
    pub is_directory: bool,
    /// Senders and recipients of a conversation, the grantee of a Consent.
    pub participants: &'i [Participant],
    /// Whose draft it is, where it is one.
    pub draft: Option<Author>,
    /// A private message.
    pub is_private: bool,
    /// What is kept from patient and carers, until it is released.
    pub delay: Option<Delay>,
    /// What of it is asked for.
    pub part: Part,
}

/// A person or a team that takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Participant {
    Patient(PatientId),
    Person(UserId),
    Team(TeamId),
}

/// The author of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Author {
    Patient(PatientId),
    Person(UserId),
    /// No person: a team's grant (SITE) or a System Client wrote it.
    Source,
}

/// A part of an item that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// The resource itself.
    #[default]
    Resource,
    /// The content that a document carries: its Binary.
    Content,
}

impl Author {
    /// Who writes a draft that this source makes, by a session of this user: the person, wherever there is one.
    #[must_use]
    pub const fn of(source: Source, user: Option<UserId>) -> Self {
        match (source, user) {
            (Source::Patient(patient), _) => Self::Patient(patient),
            (Source::Person(person), _) => Self::Person(person),
            (Source::Team(..), Some(member)) => Self::Person(member),
            (Source::Team(..), None) | (Source::Organisation(_), _) => Self::Source,
        }
    }
}

impl<'i> ItemFacts<'i> {
    /// An ordinary item of these patients' records.
    #[must_use]
    pub const fn new(patients: &'i [PatientId], needs: Needs, source: Source) -> Self {
        Self {
            patients,
            needs,
            source,
            is_directory: false,
            participants: &[],
            draft: None,
            is_private: false,
            delay: None,
            part: Part::Resource,
        }
    }
}
