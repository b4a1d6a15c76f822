//! A plan: writes that are made together or not at all, and what became of it.

use super::new_resource::NewResource;
use super::outcome::Stored;
use super::precondition::Precondition;
use super::predecessor::Demand;
use crate::cache::WriteMark;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::reach::Source;

/// What is made of the text of a resource on its way: the draft of it, the same packed, and what is told of it.
const TEXTS_OF_A_PUT: usize = 3;

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

    /// About how many bytes of memory it takes until it is made: what is to be stored, and the texts that are made of it.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let texts = |content: &Preparation| content.body.before.len() + content.body.after.len();
        match self {
            Self::Put { new, .. } => {
                let Preparation { attachments, .. } = &new.content;
                let all = texts(&new.content) + attachments.iter().map(texts).sum::<usize>();
                new.content.held_bytes() + TEXTS_OF_A_PUT * all
            }
            Self::Delete { .. } => 0,
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
    /// Whether it changes by what searches find.
    pub(crate) fn defines(&self) -> bool {
        self.acts.iter().any(|act| act.named().0 == ResourceType::SearchParameter)
    }

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
    /// Nothing was made: all others' writes would wait for it for too long.
    TooLarge,
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
    /// There, a message that was sent: nobody changes or deletes it.
    Sent,
    /// It would get a label that its writer does not hold.
    LabelNotHeld,
}
