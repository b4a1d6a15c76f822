//! What an operator hears.

use super::summaries::{ClientShown, GrantShown, OrganisationShown, TeamShown, UserShown};
use super::words;
use crate::secrets::secret::Secret;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The answer to a request; `Progress` may come before it any number of times.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    Progress {
        done: u64,
        all: u64,
    },
    Applied(Applied),
    Imported(Imported),
    Clients(Vec<ClientShown>),
    Organisations(Vec<OrganisationShown>),
    Teams(Vec<TeamShown>),
    Users(Vec<UserShown>),
    Grants(Vec<GrantShown>),
    /// Whether it changed anything: what was so before is no failure.
    Changed(bool),
    Secret(NewSecret),
    Issued(Vec<IssuedGrant>),
    /// The ids of the keys, the sealing one last.
    Keys(Vec<String>),
    BackedUp,
    /// Nothing was done; each text says what was wrong and what would be right.
    Refused(Vec<String>),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Applied {
    pub changes: Vec<Change>,
    /// Secrets that were made; this is the only time that they are told.
    pub secrets: Vec<NewSecret>,
}

/// What became of one declared thing.
#[derive(Debug, Serialize, Deserialize)]
pub struct Change {
    pub what: String,
    pub name: String,
    /// `created`, `updated` or `unchanged`.
    pub change: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct NewSecret {
    pub client_id: String,
    #[serde(with = "words::secret")]
    pub secret: Secret,
}

/// What became of one batch of resources.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Imported {
    /// New or changed resources by type.
    pub stored: BTreeMap<String, u64>,
    /// Resources by type that were there already, just so.
    pub unchanged: BTreeMap<String, u64>,
    /// What was wrong, and where.
    pub problems: Vec<String>,
}

/// An opened session and its refresh token, which is told this once.
#[derive(Debug, Serialize, Deserialize)]
pub struct IssuedGrant {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    pub grant: String,
    #[serde(with = "words::secret")]
    pub refresh_token: Secret,
}
