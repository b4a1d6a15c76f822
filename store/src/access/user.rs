//! A user account.

use rules::ids::UserId;
use rules::moment::Moment;
use rules::scope::UserType;

/// A user account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Our own number for it; 0 before it is there.
    pub id: UserId,
    /// In lower case: people do not remember which letters they wrote large.
    pub username: String,
    pub password_hash: PasswordHash,
    pub user_type: UserType,
    pub name: String,
    /// The id of the Patient resource of a PATIENT.
    pub patient_id: Option<String>,
    /// The public id of the organisation of a privacy officer.
    pub organisation: Option<String>,
    pub frozen_at: Option<Moment>,
    /// Whether the patient whose account it is has died.
    pub deceased: bool,
    /// Whether the record of that patient is frozen.
    pub record_frozen: bool,
}

impl User {
    /// Whether nobody may come in by this account, though their password be right.
    #[must_use]
    pub const fn is_shut_out(&self) -> bool {
        self.frozen_at.is_some() || self.deceased || self.record_frozen
    }
}

/// What is stored of a password: an argon2id string.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}
