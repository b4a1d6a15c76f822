//! States of a patient and of an account, as they are loaded.

use crate::calendar::Day;
use crate::ids::PatientId;

/// What is known of a patient's record as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatientState {
    pub id: PatientId,
    /// Frozen by a professional or a privacy officer.
    pub frozen: bool,
    pub sharing_disabled: bool,
    pub deceased: bool,
    /// Where the Patient says it to the day.
    pub born: Option<Day>,
}

impl PatientState {
    /// A patient of whom nothing is out of the ordinary.
    #[must_use]
    pub const fn normal(id: PatientId) -> Self {
        Self { id, frozen: false, sharing_disabled: false, deceased: false, born: None }
    }

    /// Whether the patient gets nowhere with the own account: as carer of others neither.
    #[must_use]
    pub const fn shuts_out(&self) -> bool {
        self.frozen || self.deceased
    }
}

/// What is known of the account that looks. A team's grant (SITE) and a System Client have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccountState {
    pub frozen: bool,
    /// The user's own record shuts its patient out.
    pub own_record_shuts_out: bool,
}

impl AccountState {
    #[must_use]
    pub const fn is_out(self) -> bool {
        self.frozen || self.own_record_shuts_out
    }
}
