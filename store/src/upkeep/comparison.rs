//! What is declared beside what is there: what each thing would be, and whether that is a change.

use crate::access::clients::Client;
use crate::access::organisations::{Organisation, Team, TeamSettings};
use crate::access::people::User;
use rules::ids::{ClientId, OrganisationId, TeamId, UserId};
use rules::invitations::FurtherProof;
use rules::labels::{DEFAULT_LABEL, Label, Labels};

/// What one part of the world turned out to need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Created,
    Updated,
    Unchanged,
}

/// An organisation as it is declared. What is `None` stays as it is, or has its default in a new one.
#[derive(Clone, Debug, Default)]
pub struct WantedOrganisation {
    pub public_id: String,
    pub name: String,
    pub invitation_proof: Option<FurtherProof>,
    pub default_label: Option<Option<Label>>,
}

/// A team as it is declared. What is `None` stays as it is, or has its default in a new one.
#[derive(Clone, Debug, Default)]
pub struct WantedTeam {
    pub public_id: String,
    pub name: String,
    /// The public id of its organisation.
    pub organisation: String,
    pub default_label: Option<Label>,
    pub default_access: Option<Labels>,
    pub break_glass: Option<bool>,
}

impl WantedOrganisation {
    /// One that says nothing more.
    #[must_use]
    pub fn of(public_id: &str, name: &str) -> Self {
        Self { public_id: public_id.into(), name: name.into(), ..Self::default() }
    }
}

impl WantedTeam {
    /// One that says nothing more.
    #[must_use]
    pub fn of(public_id: &str, name: &str, organisation: &str) -> Self {
        Self { public_id: public_id.into(), name: name.into(), organisation: organisation.into(), ..Self::default() }
    }
}

/// An organisation as declared, which keeps what is not declared.
pub(super) fn wanted_organisation(
    before: Option<&Organisation>,
    wanted: &WantedOrganisation,
    new_id: impl FnOnce() -> OrganisationId,
) -> Organisation {
    let there = before.map_or(Some(DEFAULT_LABEL), |before| before.default_label);
    Organisation {
        id: before.map_or_else(new_id, |before| before.id),
        public_id: wanted.public_id.clone(),
        name: wanted.name.clone(),
        invitation_proof: wanted.invitation_proof.or_else(|| before.and_then(|before| before.invitation_proof)),
        default_label: wanted.default_label.unwrap_or(there),
    }
}

/// A team as declared, which keeps what is not declared; its organisation is this one.
pub(super) fn wanted_team(
    before: Option<&Team>,
    wanted: &WantedTeam,
    (organisation, organisation_name): (OrganisationId, String),
    new_id: impl FnOnce() -> TeamId,
) -> Team {
    let there = before.map_or_else(TeamSettings::default, |before| before.settings);
    Team {
        id: before.map_or_else(new_id, |before| before.id),
        public_id: wanted.public_id.clone(),
        organisation,
        organisation_name,
        name: wanted.name.clone(),
        settings: TeamSettings {
            default_label: wanted.default_label.unwrap_or(there.default_label),
            default_access: wanted.default_access.unwrap_or(there.default_access),
            break_glass: wanted.break_glass.unwrap_or(there.break_glass),
        },
    }
}

/// A user as declared, who keeps what is not declared.
pub(super) fn wanted_user(before: Option<&User>, wanted: &User, new_id: impl FnOnce() -> UserId) -> User {
    User {
        id: before.map_or_else(new_id, |before| before.id),
        frozen_at: before.and_then(|before| before.frozen_at),
        deceased: before.is_some_and(|before| before.deceased),
        record_frozen: before.is_some_and(|before| before.record_frozen),
        username: wanted.username.to_lowercase(),
        ..wanted.clone()
    }
}

/// A client as declared, which keeps what is not declared.
pub(super) fn wanted_client(before: Option<&Client>, wanted: &Client, new_id: impl FnOnce() -> ClientId) -> Client {
    let id = before.map_or_else(new_id, |before| before.id);
    Client { id, disabled_at: before.and_then(|before| before.disabled_at), ..wanted.clone() }
}

pub(super) fn changed<T: PartialEq>(before: Option<&T>, wanted: &T) -> Change {
    match before {
        None => Change::Created,
        Some(before) if before == wanted => Change::Unchanged,
        Some(_) => Change::Updated,
    }
}
