//! What the store holds, as the command line shows it: names and times, nothing secret.

use super::check_client::WHEN_SENT;
use crate::formats::durations::duration;
use crate::formats::when::rfc3339;
use crate::secrets::public_key::PublicKey;
use rules::clients::AuthenticationMethod;
use rules::invitations::is_ended_name;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::client_invitations::ClientInvitation;
use store::clients::Client;
use store::grants::Grant;
use store::people::User;
use store::signing_keys::KeptSigningKey;

#[derive(Debug, Serialize, Deserialize)]
pub struct ClientSummary {
    pub client_id: String,
    pub kind: String,
    pub owner: String,
    pub product: String,
    pub redirect_uris: Vec<String>,
    pub scopes: Vec<String>,
    /// `none`, `client_secret` or `private_key_jwt`.
    pub authentication: String,
    pub has_secret: bool,
    /// The ids of its public keys, in their order.
    pub key_ids: Vec<String>,
    /// Where its keys are, if they are not registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks_url: Option<String>,
    /// A duration or `never`; absent for a System Client, which has no session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    pub access_token: String,
    pub refresh_tokens: bool,
    pub require_pkce: bool,
    pub refresh_retry_seconds: i64,
    pub scope_echo: String,
    pub redirect_extra_query: bool,
    pub may_introspect: bool,
    /// Who may sign in with it, beside those for whose scope it is registered.
    #[serde(default)]
    pub user_types: Vec<String>,
    /// By which its id_tokens are signed.
    #[serde(default)]
    pub id_token_signed_response_alg: String,
    /// Within which clients know a user by the same id; absent: it alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sector: Option<String>,
    /// The organisation that a System Client acts for where a call names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_organisation: Option<String>,
    #[serde(default)]
    pub require_par: bool,
    #[serde(default)]
    pub dpop_bound_access_tokens: bool,
    /// `when-sent`; absent: as required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pkce: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_url: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub post_logout_redirect_uris: Vec<String>,
    /// Whether it registered itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub registered_itself: bool,
    /// Whether no operator has checked it since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchecked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disabled_at: Option<String>,
}

/// An initial access token that can still be used, without the token.
#[derive(Debug, Serialize, Deserialize)]
pub struct ClientInvitationSummary {
    pub id: i64,
    pub owner: String,
    pub user_types: Vec<String>,
    pub uses_left: i64,
    pub expires_at: String,
}

impl From<&ClientInvitation> for ClientInvitationSummary {
    fn from(invitation: &ClientInvitation) -> Self {
        Self {
            id: invitation.id.0,
            owner: invitation.owner.clone(),
            user_types: invitation.user_types.iter().map(|of| of.word().to_owned()).collect(),
            uses_left: invitation.uses_left,
            expires_at: rfc3339(invitation.expires_at),
        }
    }
}

impl From<&Client> for ClientSummary {
    fn from(client: &Client) -> Self {
        let session = client.session_seconds.map_or_else(|| "never".into(), duration);
        Self {
            client_id: client.client_id.clone(),
            kind: client.kind.word().into(),
            owner: client.owner.clone(),
            product: client.product.clone(),
            redirect_uris: client.redirect_uris.clone(),
            scopes: scopes(client),
            authentication: match client.authentication() {
                AuthenticationMethod::SecretBasic | AuthenticationMethod::SecretPost => "client_secret",
                other => other.word(),
            }
            .into(),
            has_secret: client.secret.is_some(),
            key_ids: client.keys.iter().map(|key| key_id(&key.jwk)).collect(),
            jwks_url: client.jwks_url.as_ref().map(|at| at.url.clone()),
            session: client.kind.has_session().then_some(session),
            access_token: duration(client.access_seconds),
            refresh_tokens: client.refresh_tokens,
            require_pkce: client.require_pkce,
            refresh_retry_seconds: client.retry_seconds,
            scope_echo: client.scope_echo.word().into(),
            redirect_extra_query: client.redirect_extra_query,
            may_introspect: client.may_introspect,
            user_types: client.user_types.iter().map(|of| of.word().into()).collect(),
            id_token_signed_response_alg: client.id_token_algorithm().word().into(),
            sector: client.sector.clone(),
            default_organisation: client.default_organisation.clone(),
            require_par: client.require_par,
            dpop_bound_access_tokens: client.dpop_bound,
            pkce: client.pkce_when_sent.then(|| WHEN_SENT.to_owned()),
            launch_url: client.launch_url.clone(),
            post_logout_redirect_uris: client.post_logout_redirect_uris.clone(),
            registered_itself: client.registration.is_some(),
            unchecked: client.unchecked,
            disabled_at: client.disabled_at.map(rfc3339),
        }
    }
}

/// The contract's scopes, and SMART's.
fn scopes(client: &Client) -> Vec<String> {
    let smart = client.smart_scopes.iter().map(ToString::to_string);
    client.scopes.iter().map(|scope| scope.word().into()).chain(smart).collect()
}

fn key_id(jwk: &str) -> String {
    PublicKey::stored(jwk).ok().and_then(|key| key.kid).unwrap_or_else(|| "(without kid)".into())
}

#[derive(Debug, Serialize, Deserialize)]
pub struct OrganisationSummary {
    pub public_id: String,
    pub name: String,
    /// What it asks for of whoever redeems one of its invitations: `none` or `paper`.
    #[serde(default)]
    pub invitation_proof: String,
    /// The label of what it sends without one: a code, or `none`.
    #[serde(default)]
    pub default_label: String,
    /// The System Clients that it has granted access.
    pub granted: Vec<String>,
    /// The teams through which some of them look, by Client ID.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub through: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TeamSummary {
    pub public_id: String,
    pub name: String,
    pub organisation: String,
    pub organisation_name: String,
    /// The label of what it makes without one.
    #[serde(default)]
    pub default_label: String,
    /// The labels that it is given where nothing is said.
    #[serde(default)]
    pub default_access: Vec<String>,
    #[serde(default)]
    pub break_glass: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct UserSummary {
    /// Our own number, by which the log names people; as text, as those of grants are.
    #[serde(default)]
    pub number: String,
    pub username: String,
    #[serde(rename = "type")]
    pub user_type: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patient: Option<String>,
    /// The organisation of a privacy officer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organisation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frozen_at: Option<String>,
    /// Only where it is so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deceased: bool,
    /// Only where it is so: an account that was made by invitation and is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
}

impl From<&User> for UserSummary {
    fn from(user: &User) -> Self {
        Self {
            number: user.id.0.to_string(),
            username: user.username.clone(),
            user_type: user.user_type.word().into(),
            name: user.name.clone(),
            patient: user.patient_id.clone(),
            organisation: user.organisation.clone(),
            frozen_at: user.frozen_at.map(rfc3339),
            deceased: user.deceased,
            ended: is_ended_name(&user.username),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub struct GrantSummary {
    /// As text: JavaScript and others cannot hold a 64-bit number.
    pub grant: String,
    pub client_id: String,
    pub product: String,
    pub scope: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The Team Coordinator who granted a team's access, and whether they no longer coordinate that team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granter: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granter_has_left: Option<bool>,
    pub granted_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_why: Option<String>,
}

impl From<&Grant> for GrantSummary {
    fn from(grant: &Grant) -> Self {
        Self {
            grant: grant.id.to_string(),
            client_id: grant.client_id.clone(),
            product: grant.product.clone(),
            scope: grant.scope.word().into(),
            username: grant.username.clone(),
            team: grant.team.clone(),
            granter: grant.granter.as_ref().map(|granter| granter.username.clone()),
            granter_has_left: grant.granter.as_ref().map(|granter| granter.has_left),
            granted_at: rfc3339(grant.granted_at),
            last_used_at: grant.last_used_at.map(rfc3339),
            ends_at: grant.ends_at.map(rfc3339),
            revoked_at: grant.revoked_at.map(rfc3339),
            revoked_why: grant.revoked_why.clone(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub struct SigningKeySummary {
    pub id: String,
    pub algorithm: String,
    pub made_at: String,
    /// Since when another key signs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_at: Option<String>,
}

impl From<&KeptSigningKey> for SigningKeySummary {
    fn from(key: &KeptSigningKey) -> Self {
        Self {
            id: key.id.clone(),
            algorithm: key.algorithm.clone(),
            made_at: rfc3339(key.made_at),
            replaced_at: key.replaced_at.map(rfc3339),
        }
    }
}
