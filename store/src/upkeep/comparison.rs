//! What is declared beside what is there: what each thing would be, and whether that is a change.

use crate::access::clients::Client;
use crate::access::organisations::Organisation;
use crate::access::people::User;
use rules::ids::{ClientId, OrganisationId, UserId};

/// What one part of the world turned out to need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Created,
    Updated,
    Unchanged,
}

/// An organisation as declared, which keeps what is not declared.
pub(super) fn wanted_organisation(
    before: Option<&Organisation>,
    wanted: &Organisation,
    new_id: impl FnOnce() -> OrganisationId,
) -> Organisation {
    Organisation {
        id: before.map_or_else(new_id, |before| before.id),
        invitation_proof: wanted.invitation_proof.or_else(|| before.and_then(|before| before.invitation_proof)),
        ..wanted.clone()
    }
}

/// A user as declared, who keeps what is not declared.
pub(super) fn wanted_user(before: Option<&User>, wanted: &User, new_id: impl FnOnce() -> UserId) -> User {
    User {
        id: before.map_or_else(new_id, |before| before.id),
        frozen_at: before.and_then(|before| before.frozen_at),
        deceased: before.is_some_and(|before| before.deceased),
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
