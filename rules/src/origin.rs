//! Who made a resource, as `meta.source` says it: a name that does not change with our address and that nobody else can set.

use crate::ids::UserId;
use alloc::format;
use alloc::string::String;

/// The name of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceName<'a> {
    /// By its public id.
    Organisation(&'a str),
    /// By its public id.
    Team(&'a str),
    /// By the id of their Patient resource.
    Patient(&'a str),
    /// By our number, because usernames tell more than a reader needs.
    Person(UserId),
}

impl SourceName<'_> {
    /// What `meta.source` says.
    #[must_use]
    pub fn uri(&self) -> String {
        match self {
            Self::Organisation(public_id) => format!("urn:recordgate:organisation:{public_id}"),
            Self::Team(public_id) => format!("urn:recordgate:team:{public_id}"),
            Self::Patient(id) => format!("urn:recordgate:patient:{id}"),
            Self::Person(user) => format!("urn:recordgate:person:{}", user.0),
        }
    }
}
