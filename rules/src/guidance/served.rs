//! What a service does: each interaction with the FHIR type that it is served of, read off its routes.

use super::record_parts::RecordPart;
use alloc::vec::Vec;

/// What can be done with resources of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interaction {
    Read,
    VersionRead,
    History,
    TypeHistory,
    SystemHistory,
    Create,
    Update,
    Patch,
    Delete,
    ConditionalCreate,
    ConditionalUpdate,
    ConditionalPatch,
    ConditionalDelete,
    Search,
    SystemSearch,
    /// Of no type: requests that come together.
    Batch,
    Transaction,
    /// The operation of this name, at one of its levels.
    Operation(&'static str, Level),
}

/// Of what an operation is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Of the service; what it is served of has no name.
    System,
    Type,
    Instance,
}

impl Interaction {
    /// Whether something is stored or deleted by it.
    #[must_use]
    pub const fn is_write(self) -> bool {
        use Interaction::{ConditionalCreate, ConditionalDelete, ConditionalPatch, ConditionalUpdate};
        matches!(self, Self::Create | Self::Update | Self::Patch | Self::Delete)
            || matches!(self, ConditionalCreate | ConditionalUpdate | ConditionalPatch | ConditionalDelete)
    }

    /// As a CapabilityStatement names it. An operation is none of its interactions, and what depends on criteria is said of a type
    /// in other ways.
    #[must_use]
    pub const fn code(self) -> Option<&'static str> {
        match self {
            Self::Read => Some("read"),
            Self::VersionRead => Some("vread"),
            Self::History => Some("history-instance"),
            Self::TypeHistory => Some("history-type"),
            Self::SystemHistory => Some("history-system"),
            Self::Create => Some("create"),
            Self::Update => Some("update"),
            Self::Patch => Some("patch"),
            Self::Delete => Some("delete"),
            Self::Search => Some("search-type"),
            Self::SystemSearch => Some("search-system"),
            Self::ConditionalCreate | Self::ConditionalUpdate | Self::ConditionalPatch | Self::ConditionalDelete => {
                None
            }
            Self::Batch => Some("batch"),
            Self::Transaction => Some("transaction"),
            Self::Operation(..) => None,
        }
    }
}

/// Everything that a service does: interactions, each with a FHIR type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    pub(super) all: Vec<(Interaction, &'static str)>,
    /// The types that can be in nobody's record, for everybody to read.
    directories: Vec<&'static str>,
}

impl FromIterator<(Interaction, &'static str)> for Served {
    fn from_iter<I: IntoIterator<Item = (Interaction, &'static str)>>(served: I) -> Self {
        Self { all: served.into_iter().collect(), directories: Vec::new() }
    }
}

impl Served {
    /// Stands in the place of a type where all types are meant at once.
    pub const SYSTEM: &'static str = "";

    /// The same, where these types are directories' and definitions'.
    #[must_use]
    pub fn with_directories(self, directories: impl IntoIterator<Item = &'static str>) -> Self {
        Self { directories: directories.into_iter().collect(), ..self }
    }

    /// The part of a record that a type is in.
    #[must_use]
    pub fn part(&self, resource_type: &str) -> RecordPart {
        RecordPart::of(resource_type, self.directories.contains(&resource_type))
    }

    #[must_use]
    pub fn has(&self, interaction: Interaction, resource_type: &str) -> bool {
        self.of(resource_type).any(|known| known == interaction)
    }

    /// The types, or the service itself (an empty name), of which an operation is served, each with the level.
    pub fn operation(&self, code: &str) -> impl Iterator<Item = (Level, &'static str)> {
        self.all.iter().filter_map(move |(known, of)| match known {
            Interaction::Operation(name, level) if *name == code => Some((*level, *of)),
            _ => None,
        })
    }

    /// What is served of one type, in the order in which it was told.
    pub fn of(&self, resource_type: &str) -> impl Iterator<Item = Interaction> {
        self.all.iter().filter(move |(_, of)| *of == resource_type).map(|(known, _)| *known)
    }
}
