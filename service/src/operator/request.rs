//! What an operator can ask for.

use super::consent_declaration::ConsentDeclaration;
use super::declaration::Declaration;
use super::words;
use crate::explanation::viewer_name::ViewerName;
use crate::secrets::secret::Secret;
use rules::invitations::FurtherProof;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// Hears how far a long request is: done and in all.
pub type Progress = Arc<dyn Fn(u64, u64) + Send + Sync>;

/// One thing that an operator asks for.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    Apply {
        declared: Box<Declaration>,
        how: How,
    },
    /// One batch.
    Import {
        organisation: String,
        team: Option<String>,
        resources: Vec<ResourceText>,
        mode: ImportMode,
    },
    Clients {
        only: Option<String>,
    },
    DisableClient {
        client_id: String,
    },
    EnableClient {
        client_id: String,
    },
    /// Says that a client which registered itself is what it says.
    ApproveClient {
        client_id: String,
    },
    /// Makes an initial access token.
    InviteClients(ClientInviter),
    /// The initial access tokens that can still be used.
    ClientInvitations,
    RevokeClientInvitation {
        id: i64,
    },
    RotateSecret {
        client_id: String,
    },
    /// The public keys that the client has from now on, each a JWK on one line, or where they are.
    ChangeKeys {
        client_id: String,
        jwks: Vec<String>,
        #[serde(default)]
        jwks_url: Option<String>,
    },
    /// Whether the client gets no tokens but such as are bound to a key.
    BindTokens {
        client_id: String,
        bound: bool,
    },
    Organisations,
    /// What an organisation asks for of whoever redeems one of its invitations.
    SetInvitationProof {
        organisation: String,
        #[serde(with = "words::further_proof")]
        proof: FurtherProof,
    },
    Withdraw {
        organisation: String,
        client_id: String,
    },
    Teams,
    /// A page of users: those whose names come after this one.
    Users {
        after: String,
    },
    SetPassword {
        username: String,
        #[serde(with = "words::secret")]
        password: Secret,
        /// Whether to end the access of the user's apps too.
        end_sessions: bool,
    },
    EndSessions {
        username: String,
    },
    /// Ends an account that a patient made by invitation.
    EndAccount {
        username: String,
    },
    /// A link that resets a user's second factor.
    ResetFactors {
        username: String,
    },
    Freeze {
        username: String,
        frozen: bool,
    },
    /// The consents of a patient, by the id of the Patient resource.
    Consents {
        patient: String,
    },
    SetConsent {
        wanted: Box<ConsentDeclaration>,
    },
    /// Why somebody sees an item of a patient's record, or does not.
    Why(Box<WhyQuestion>),
    /// Accepts an invitation for the carer who was invited.
    AcceptConsent {
        id: String,
    },
    FreezeRecord {
        patient: String,
        frozen: bool,
        reason: String,
    },
    DisableSharing {
        patient: String,
        disabled: bool,
        reason: String,
    },
    /// A page of grants, newest first: those before this one; the newest, where there is none.
    Grants {
        username: Option<String>,
        team: Option<String>,
        before: Option<i64>,
    },
    Revoke {
        grants: Vec<i64>,
    },
    /// `check_only` tells what stands in the way and opens nothing.
    Issue {
        client_id: String,
        who: Recipient,
        #[serde(default)]
        choice: ChosenNames,
        check_only: bool,
    },
    Keys,
    RotateKey,
    /// The keys that sign id_tokens.
    SigningKeys,
    RotateSigningKeys,
    RetireKey {
        id: String,
    },
    AdoptRing,
    Backup {
        to: PathBuf,
    },
}

/// What whoever gets an initial access token may register.
#[derive(Debug, Serialize, Deserialize)]
pub struct ClientInviter {
    /// Who is responsible for the clients, as people read it who are asked for access.
    pub owner: String,
    /// Who may sign in with them, by the words for the types.
    pub user_types: Vec<String>,
    /// For how many clients it is good.
    pub uses: i64,
    /// For how many seconds.
    pub seconds: i64,
}

/// How a declaration is made so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum How {
    /// New things are made, known ones changed.
    Apply,
    /// Nothing is changed; only told what would be.
    DryRun,
    /// All of it must be new: what is there already is not changed by accident.
    OnlyNew,
}

impl Request {
    /// What the log calls a request that changes something. Nothing else of a request is logged: it may hold secrets.
    pub(super) const fn change(&self) -> Option<&'static str> {
        Some(match self {
            Self::Apply { how: How::DryRun, .. } | Self::Import { mode: ImportMode::CheckOnly, .. } => return None,
            Self::Issue { check_only: true, .. } => return None,
            Self::Clients { .. } | Self::ClientInvitations | Self::Organisations | Self::Teams | Self::Users { .. } => {
                return None;
            }
            Self::Consents { .. } | Self::Why(_) | Self::Grants { .. } | Self::Keys | Self::SigningKeys => return None,
            Self::Apply { .. } => "apply",
            Self::Import { .. } => "import",
            Self::DisableClient { .. } => "disable client",
            Self::EnableClient { .. } => "enable client",
            Self::ApproveClient { .. } => "approve client",
            Self::InviteClients(_) => "invite clients",
            Self::RevokeClientInvitation { .. } => "revoke invitation of clients",
            Self::RotateSecret { .. } => "rotate secret",
            Self::ChangeKeys { .. } => "change keys of client",
            Self::BindTokens { .. } => "bind or unbind tokens of client",
            Self::SetInvitationProof { .. } => "set invitation proof of organisation",
            Self::Withdraw { .. } => "withdraw organisation grant",
            Self::SetPassword { .. } => "set password",
            Self::EndSessions { .. } => "end sessions of user",
            Self::EndAccount { .. } => "end account",
            Self::ResetFactors { .. } => "reset second factor",
            Self::Freeze { .. } => "freeze or unfreeze user",
            Self::SetConsent { .. } => "set consent",
            Self::AcceptConsent { .. } => "accept consent",
            Self::FreezeRecord { .. } => "freeze or unfreeze record",
            Self::DisableSharing { .. } => "disable or enable sharing of record",
            Self::Revoke { .. } => "revoke grants",
            Self::Issue { .. } => "issue grants",
            Self::RotateKey => "rotate key",
            Self::RotateSigningKeys => "rotate the keys that sign",
            Self::RetireKey { .. } => "retire key",
            Self::AdoptRing => "adopt key ring",
            Self::Backup { .. } => "backup",
        })
    }
}

/// What is asked of why somebody sees something.
#[derive(Debug, Serialize, Deserialize)]
pub struct WhyQuestion {
    pub viewer: ViewerName,
    /// The id of the Patient resource.
    pub patient: String,
    /// `Observation/123`; the Patient resource itself, where nothing is named.
    pub item: Option<String>,
    /// The moment that is asked about, in milliseconds since 1970; now, where none is named.
    pub at: Option<i64>,
    /// Whether the viewer presents the token of an open glass.
    pub glass: bool,
}

/// For whom sessions are opened.
#[derive(Debug, Serialize, Deserialize)]
pub enum Recipient {
    /// Users of a User Client, a session each, in this order.
    Users(Vec<String>),
    /// A team of a Tethered-Token System Client, on behalf of one of its Team Coordinators.
    Team { team: String, by: String },
}

/// What the users choose, where there is a choice.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ChosenNames {
    /// The id of the Patient resource of somebody whom a PATIENT user cares for.
    pub record: Option<String>,
    /// The public id of one of the user's teams.
    pub team: Option<String>,
}

/// How a batch is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportMode {
    /// What is new or changed is stored.
    Store,
    /// What the source has stored before is left alone, without being read or compared.
    OnlyNew,
    /// What is wrong is told, and nothing is stored.
    CheckOnly,
}

/// One resource as it was given, and where it stands.
#[derive(Serialize, Deserialize)]
pub struct ResourceText {
    pub at: String,
    pub json: String,
}

impl std::fmt::Debug for ResourceText {
    /// A record is nobody's business who reads a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ResourceText({})", self.at)
    }
}
