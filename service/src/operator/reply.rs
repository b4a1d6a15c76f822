//! What an operator hears.

use super::consent_summary::ConsentSummary;
use super::summaries::{
    ClientInvitationSummary, ClientSummary, GrantSummary, OrganisationSummary, SigningKeySummary, TeamSummary,
    UserSummary,
};
use super::words;
use crate::explanation::explained::Explanation;
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
    Applied(ApplyReport),
    Imported(ImportReport),
    Clients(Vec<ClientSummary>),
    ClientInvitation(NewClientInvitation),
    ClientInvitations(Vec<ClientInvitationSummary>),
    Organisations(Vec<OrganisationSummary>),
    Teams(Vec<TeamSummary>),
    /// A page; nothing is behind an empty one.
    Users(Vec<UserSummary>),
    Consents(Vec<ConsentSummary>),
    /// A consent as it is now, and whether that was a change.
    Consent {
        changed: bool,
        consent: Box<ConsentSummary>,
    },
    Why(Box<Explanation>),
    /// A page; nothing is behind an empty one.
    Grants(Vec<GrantSummary>),
    /// Whether it changed anything: what was so before is no failure.
    Changed(bool),
    /// How many sessions of apps were ended.
    Ended(u64),
    Secret(NewSecret),
    /// A link that resets a second factor.
    FactorLink(NewFactorLink),
    Issued(IssueReport),
    /// The ids of the keys, the sealing one last.
    Keys(Vec<String>),
    SigningKeys(Vec<SigningKeySummary>),
    BackedUp,
    /// Not carried out, or not all of it: what is not written in one transaction may have been done in part. Each text
    /// says what was wrong and what would be right.
    Refused(Vec<String>),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ApplyReport {
    pub changes: Vec<Change>,
    /// Secrets that were made; this is the only time that they are told.
    pub secrets: Vec<NewSecret>,
    /// Why not all of it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
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

/// A link that resets a second factor, told this one time, and how many sessions of apps were ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct NewFactorLink {
    #[serde(with = "words::secret")]
    pub link: Secret,
    pub ended: u64,
}

/// An initial access token, told this one time, and the number by which it is taken back.
#[derive(Debug, Serialize, Deserialize)]
pub struct NewClientInvitation {
    pub id: i64,
    #[serde(with = "words::secret")]
    pub token: Secret,
    pub expires_at: String,
}

/// What became of one batch of resources.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ImportReport {
    /// New or changed resources by type.
    pub stored: BTreeMap<String, u64>,
    /// Resources by type that were there already, just so.
    pub unchanged: BTreeMap<String, u64>,
    /// Resources by type that were there already, and were not compared.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub there: BTreeMap<String, u64>,
    /// How many were rejected.
    #[serde(default)]
    pub rejected: u64,
    /// What was wrong, and where.
    pub problems: Vec<String>,
}

/// The sessions that were opened, in the order asked for.
#[derive(Debug, Serialize, Deserialize)]
pub struct IssueReport {
    pub tokens: Vec<GrantToken>,
    /// Why there are fewer than asked for.
    pub problem: Option<String>,
}

/// An opened session and its refresh token, which is told this once.
#[derive(Debug, Serialize, Deserialize)]
pub struct GrantToken {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    pub grant: String,
    #[serde(with = "words::secret")]
    pub refresh_token: Secret,
}
