//! What an operator declares, checked by itself: every text has its form, every duration its bounds. Whether what it
//! refers to is there only the store can tell.

use super::consent_declaration::ConsentDeclaration;
use super::words;
use crate::secrets::secret::Secret;
use rules::clients::{ClientIds, ClientKind};
use rules::invitations::FurtherProof;
use rules::labels::{Label, Labels};
use rules::scope::{Scope, ScopeEcho, UserType};
use rules::smart::word::SmartScope;
use serde::{Deserialize, Serialize};

/// Everything that one `apply` declares. `at` is where it stands (`file:line`), for messages.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Declaration {
    pub organisations: Vec<OrganisationDeclaration>,
    pub teams: Vec<TeamDeclaration>,
    pub users: Vec<UserDeclaration>,
    #[serde(default)]
    pub patients: Vec<PatientDeclaration>,
    pub clients: Vec<ClientDeclaration>,
    pub organisation_grants: Vec<GrantDeclaration>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct OrganisationDeclaration {
    pub at: String,
    pub public_id: String,
    pub name: String,
    /// What is asked for beside code, token and date of birth; left out, it stays as it is.
    #[serde(default, with = "words::further_proof_if_any")]
    pub invitation_proof: Option<FurtherProof>,
    /// The label of what comes without one: its code, or `none`; left out, it stays as it is.
    #[serde(default, with = "words::default_label_if_any")]
    pub default_label: Option<Option<Label>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TeamDeclaration {
    pub at: String,
    pub public_id: String,
    pub organisation: String,
    pub name: String,
    /// What is left out of the settings stays as it is.
    #[serde(default)]
    pub settings: TeamSettingsDeclaration,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct TeamSettingsDeclaration {
    /// The label of what the team makes without one.
    #[serde(with = "words::label_if_any")]
    pub default_label: Option<Label>,
    /// The labels that it is given where nothing is said.
    #[serde(with = "words::labels_if_any")]
    pub default_access: Option<Labels>,
    /// Whether it may break the glass.
    pub break_glass: Option<bool>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct UserDeclaration {
    pub at: String,
    pub username: String,
    pub password: Password,
    #[serde(with = "words::user_type")]
    pub user_type: UserType,
    pub name: String,
    pub patient: Option<String>,
    pub teams: Vec<String>,
    /// The public id of the organisation of a privacy officer.
    #[serde(default)]
    pub organisation: Option<String>,
    /// Of a patient: to whom, and what.
    #[serde(default)]
    pub consents: Vec<ConsentDeclaration>,
}

/// A patient, who may have no account, and the teams that have them.
#[derive(Debug, Serialize, Deserialize)]
pub struct PatientDeclaration {
    pub at: String,
    /// Of the Patient resource.
    pub id: String,
    pub teams: Vec<String>,
}

/// How a declaration gives a password.
#[derive(Debug, Serialize, Deserialize)]
pub enum Password {
    Text(#[serde(with = "words::secret")] Secret),
    /// An argon2id string, taken as it is.
    Hash(#[serde(with = "words::secret")] Secret),
    /// Not at all: a user who is there already keeps theirs.
    Kept,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ClientDeclaration {
    pub at: String,
    pub client_id: String,
    #[serde(with = "words::client_kind")]
    pub kind: ClientKind,
    pub owner: String,
    pub product: String,
    pub redirect_uris: Vec<String>,
    #[serde(with = "words::scopes")]
    pub scopes: Vec<Scope>,
    /// `None` and neither `jwks` nor `jwks_url`: a registered client keeps what it has; a new System Client gets a secret.
    #[serde(with = "words::secret_if_any")]
    pub secret: Option<Secret>,
    /// Public keys, each a JWK on one line.
    pub jwks: Vec<String>,
    #[serde(default)]
    pub jwks_url: Option<String>,
    pub session_seconds: Option<i64>,
    pub access_seconds: i64,
    pub refresh_tokens: bool,
    pub require_pkce: bool,
    pub retry_seconds: i64,
    #[serde(with = "words::scope_echo")]
    pub scope_echo: ScopeEcho,
    pub redirect_extra_query: bool,
    pub may_introspect: bool,
    #[serde(default, with = "words::smart_scopes")]
    pub smart_scopes: Vec<SmartScope>,
    #[serde(default, with = "words::user_types")]
    pub user_types: Vec<UserType>,
    /// The word of the algorithm; left out: the usual one.
    #[serde(default)]
    pub id_token_algorithm: Option<String>,
    #[serde(default)]
    pub sector: Option<String>,
    #[serde(default)]
    pub default_organisation: Option<String>,
    #[serde(default)]
    pub require_par: bool,
    #[serde(default)]
    pub dpop_bound: bool,
    #[serde(default)]
    pub pkce_when_sent: bool,
    #[serde(default)]
    pub launch_url: Option<String>,
    #[serde(default)]
    pub post_logout_redirect_uris: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct GrantDeclaration {
    pub at: String,
    pub organisation: String,
    pub client: String,
    /// Which ids the client may choose; left out, it stays as it is.
    #[serde(default, with = "words::client_ids_if_any")]
    pub client_ids: Option<ClientIds>,
    /// The teams through which the client looks; left out, it stays as it is.
    #[serde(default)]
    pub through: Option<Vec<String>>,
}
