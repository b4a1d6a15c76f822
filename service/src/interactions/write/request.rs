//! A write that somebody asks for, by a request of its own or with others: what is to be done to what, what was done, and what is
//! said where something stands in the way.

use crate::interactions::absence;
use crate::interactions::noted::Noted;
use crate::interactions::write::patch_body::Patch;
use crate::interactions::write::version_demand;
use fhir::search::query::Query;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::consent::label_right::NOT_HELD;
use rules::limits::REPLACED_INDEX_ROWS;
use rules::rest_errors::MESSAGE_WAS_SENT;
use rules::smart::permissions::{ItemInteraction, Permissions};
use std::sync::Arc;
use store::write::resource_write::{Demand, Stored};
use store::write::transaction::Hindrance;

/// The types that nothing is written of by criteria, and those that are not patched: a Binary is its content.
pub const NOT_BY_CRITERIA: &[&str] = &["Binary"];
pub const NOT_PATCHED: &[&str] = &["Binary"];
/// Those that the service alone writes: they tell what its ledger tells.
pub const NOT_WRITTEN: &[&str] = &["AuditEvent"];

/// Those that are not stored: nobody would be notified, and whoever subscribed would rely on it.
pub const NOT_STORED: &[&str] = &["Subscription"];

/// What is to be done.
#[derive(Debug)]
pub(crate) enum WriteRequest {
    /// `unless`: not if something meets these criteria already.
    Create {
        text: Arc<str>,
        unless: Option<Query>,
    },
    Update {
        aim: WriteTarget,
        text: Arc<str>,
        demand: Demand,
    },
    Patch {
        aim: WriteTarget,
        patch: Patch,
        demand: Demand,
    },
    Delete {
        aim: WriteTarget,
        demand: Demand,
    },
}

/// To what.
#[derive(Debug)]
pub(crate) enum WriteTarget {
    Id(String),
    Criteria(Query),
}

/// What was done.
#[derive(Debug)]
pub(crate) enum WriteOutcome {
    Stored {
        id: String,
        stored: Stored,
    },
    /// Nothing: this is there already.
    Already(Noted),
    /// By this version, if there was anything.
    Deleted(Option<i64>),
}

impl WriteRequest {
    /// The resource as it was sent, where it was sent whole.
    pub(crate) const fn text(&self) -> Option<&Arc<str>> {
        match self {
            Self::Create { text, .. } | Self::Update { text, .. } => Some(text),
            Self::Patch { .. } | Self::Delete { .. } => None,
        }
    }

    /// What it needs of the scopes of a session.
    pub(crate) const fn needed(&self) -> Permissions {
        Permissions::of(match self {
            Self::Create { .. } => ItemInteraction::Create,
            Self::Update { .. } | Self::Patch { .. } => ItemInteraction::Update,
            Self::Delete { .. } => ItemInteraction::Delete,
        })
    }

    /// What a hindrance means; nothing where it is worth another try.
    pub(crate) fn refusal(&self, of: ResourceType, hindrance: Hindrance) -> Option<Refusal> {
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
pub(crate) fn refusal(of: ResourceType, hindrance: Hindrance) -> Refusal {
    match hindrance {
        Hindrance::OtherVersion(version) => version_demand::not_met(version),
        Hindrance::LabelNotHeld => Refusal::Denied(NOT_HELD),
        Hindrance::NotThere | Hindrance::OtherSource => absence::not_there(of),
        Hindrance::Sent => Refusal::Conflict(MESSAGE_WAS_SENT.into()),
    }
}

/// What is said where others were quicker every time.
pub(crate) fn overtaken() -> Refusal {
    Refusal::Conflict("what this rests on was changed by others while it was done; try again".into())
}

/// What is said of a transaction for which everybody else's writes would wait too long.
pub(crate) fn too_large() -> Refusal {
    Refusal::Unprocessable(format!(
        "this transaction changes more than {REPLACED_INDEX_ROWS} of the values by which searches find what is there already, or \
         defines a SearchParameter beside much else: send it as several transactions, or as a batch"
    ))
}
