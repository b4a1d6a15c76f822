//! The `[second_factor]` table: of whom a second factor is asked, and how long a browser is remembered.

use super::layers::Layers;
use rules::factors::FactorPolicy;
use rules::limits::FACTOR_REMEMBER_DAYS;
use rules::scope::UserType;

/// Of whom a second factor is asked.
#[derive(Clone, Copy, Debug)]
pub struct FactorSettings {
    pub patient: FactorPolicy,
    pub clinician: FactorPolicy,
    pub team_coordinator: FactorPolicy,
    pub admin: FactorPolicy,
    pub privacy_officer: FactorPolicy,
    /// For how long a browser is remembered after a code; 0: never.
    pub remember_days: i64,
}

impl FactorSettings {
    /// The policy for users of a type.
    #[must_use]
    pub const fn of(&self, user_type: UserType) -> FactorPolicy {
        match user_type {
            UserType::Patient => self.patient,
            UserType::Clinician => self.clinician,
            UserType::TeamCoord => self.team_coordinator,
            UserType::Admin => self.admin,
            UserType::PrivacyOfficer => self.privacy_officer,
        }
    }

    /// How many seconds a browser of a user of this type is remembered, if it is.
    #[must_use]
    pub const fn remembered_seconds(&self, user_type: UserType) -> Option<i64> {
        if self.of(user_type).may_remember() && self.remember_days > 0 {
            Some(self.remember_days * 86_400)
        } else {
            None
        }
    }
}

/// The table as the layers have it; `None` where something of it will not do.
pub(super) fn settings(layers: &mut Layers) -> Option<FactorSettings> {
    let mut policy = |key| layers.value(key, "off, optional or required", FactorPolicy::named);
    let (patient, clinician) = (policy("second_factor.patient"), policy("second_factor.clinician"));
    let (team_coordinator, admin) = (policy("second_factor.teamcoord"), policy("second_factor.admin"));
    let privacy_officer = policy("second_factor.privacy_officer");
    let (fewest, most) = (FACTOR_REMEMBER_DAYS.start(), FACTOR_REMEMBER_DAYS.end());
    let days = layers.value("second_factor.remember", &format!("a number of days from {fewest} to {most}"), |text| {
        text.parse().ok().filter(|days| FACTOR_REMEMBER_DAYS.contains(days))
    });
    Some(FactorSettings {
        patient: patient?,
        clinician: clinician?,
        team_coordinator: team_coordinator?,
        admin: admin?,
        privacy_officer: privacy_officer?,
        remember_days: days?,
    })
}
