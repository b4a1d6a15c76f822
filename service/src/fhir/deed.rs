//! A write that somebody asks for, by a request of its own or with others: what is to be done to what, what was done, and what is
//! said where something stands in the way.

use crate::fhir::patch_body::Patch;
use crate::fhir::{answer, conditions};
use fhir::search::query::Query;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use std::sync::Arc;
use store::resource::Resource;
use store::transaction::Hindrance;
use store::write::{Demand, Stored};

/// What is to be done.
#[derive(Debug)]
pub(super) enum Deed {
    /// `unless`: not if something meets these criteria already.
    Create {
        text: Arc<str>,
        unless: Option<Query>,
    },
    Update {
        aim: Aim,
        text: Arc<str>,
        demand: Demand,
    },
    Patch {
        aim: Aim,
        patch: Patch,
        demand: Demand,
    },
    Delete {
        aim: Aim,
        demand: Demand,
    },
}

/// To what.
#[derive(Debug)]
pub(super) enum Aim {
    Id(String),
    Criteria(Query),
}

/// What was done.
#[derive(Debug)]
pub(super) enum Done {
    Stored {
        id: String,
        stored: Stored,
    },
    /// Nothing: this is there already.
    Already(Arc<Resource>),
    /// By this version, if there was anything.
    Deleted(Option<i64>),
}

impl Deed {
    /// What a hindrance means; nothing where it is worth another try.
    pub(super) fn refusal(&self, of: ResourceType, hindrance: Hindrance) -> Option<Refusal> {
        match (self, hindrance) {
            // The caller demanded nothing: the patch is applied to what is there then.
            (Self::Patch { demand, .. }, Hindrance::OtherVersion(_)) if !matches!(demand, Demand::Version(_)) => None,
            (Self::Create { .. }, Hindrance::OtherSource) => {
                Some(Refusal::Conflict(format!("there is a {} of the new id already; try again", of.name())))
            }
            (_, hindrance) => Some(refusal(of, hindrance)),
        }
    }
}

/// What somebody hears of what stands in the way. Another source is one that this caller does not see.
pub(super) fn refusal(of: ResourceType, hindrance: Hindrance) -> Refusal {
    match hindrance {
        Hindrance::OtherVersion(version) => conditions::not_met(version),
        Hindrance::NotThere | Hindrance::OtherSource => answer::not_there(of),
    }
}

/// What is said where others were quicker every time.
pub(super) fn overtaken() -> Refusal {
    Refusal::Conflict("what this rests on was changed by others while it was done; try again".into())
}
