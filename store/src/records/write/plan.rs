//! A plan: writes that are made together or not at all, and what became of it.

use super::new_resource::NewResource;
use super::outcome::Stored;
use super::precondition::Precondition;
use super::predecessor::Demand;
use crate::cache::WriteMark;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::reach::Source;

/// One of the writes.
#[derive(Clone, Debug)]
pub enum Act {
    Put { new: Box<NewResource>, source: Source, demand: Demand },
    Delete { resource_type: ResourceType, id: String, source: Source, demand: Demand },
}

impl Act {
    pub(crate) fn named(&self) -> (ResourceType, &str) {
        match self {
            Self::Put { new, .. } => (new.content.resource_type, &new.content.id),
            Self::Delete { resource_type, id, .. } => (*resource_type, id),
        }
    }

    /// What is to be stored.
    pub(crate) const fn content(&self) -> Option<&Preparation> {
        match self {
            Self::Put { new, .. } => Some(&new.content),
            Self::Delete { .. } => None,
        }
    }
}

/// What is to be made; no resource is named twice.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub preconditions: Vec<Precondition>,
    /// Before the looks were made of which the preconditions tell (`Store::mark`), where that is known.
    pub since: Option<WriteMark>,
    pub acts: Vec<Act>,
}

impl Plan {
    /// All that is to be stored.
    pub(crate) fn contents(&self) -> Vec<&Preparation> {
        self.acts.iter().filter_map(Act::content).collect()
    }
}

/// What became of a plan.
#[derive(Clone, Debug)]
pub enum PlanOutcome {
    /// All of it was made; what each act did.
    Done(Vec<Effect>),
    /// Nothing was made: a precondition does not hold any more, or others have changed so much meanwhile that it would take the
    /// writer too long to tell.
    Moved,
    /// Nothing was made: this act cannot be.
    Stopped(usize, Hindrance),
}

/// What an act did.
#[derive(Clone, Debug)]
pub enum Effect {
    Stored(Stored),
    /// Deleted by this version, now or before.
    Deleted(i64),
}

/// Why an act cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    NotThere,
    /// There from another source, which alone may change it.
    OtherSource,
    /// There in this version, or not at all (0), and not as it was demanded.
    OtherVersion(i64),
    /// It would get a label that its writer does not hold.
    LabelNotHeld,
}
