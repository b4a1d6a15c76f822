//! Actors: who wants to change a consent or a state, and what the table of consent rights lets them do.

use crate::consent::basis::BasisKind;
use crate::consent::denial::Denial;
use crate::consent::record::{Consent, Grantee, Locker};
use crate::ids::{OrganisationId, TeamId, UserId};
use crate::labels::Labels;

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    Patient,
    /// A carer, with the own consent as it is now.
    Carer {
        user: UserId,
        held: Labels,
        manages: bool,
    },
    /// A CLINICIAN for a team, which holds these labels; of SITE it is the user who attests, if one was named.
    Clinician {
        team: TeamId,
        attesting: Option<UserId>,
        held: Labels,
    },
    /// TEAMCOORD, for a team that holds these labels.
    Coordinator {
        team: TeamId,
        held: Labels,
    },
    /// For its organisation.
    SystemClient(OrganisationId),
    /// Of its organisation.
    PrivacyOfficer(OrganisationId),
    /// The operator of the service, by world file or command line.
    Operator,
    /// Anybody else: an ADMIN, a professional without a team.
    Other,
}

/// One thing that a change does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A consent is made, or opens more than before: these labels, a later end, `manages`.
    Widen(Labels),
    /// It opens less: without these labels, with an earlier end, without `manages`.
    Narrow(Labels),
    Discharge,
    Lock,
    Unlock,
}

/// To whom the consent is given, as far as rights depend on it.
#[derive(Clone, Copy, Debug)]
pub struct GranteeFacts {
    pub grantee: Grantee,
    /// The team's organisation, and its `default_access`.
    pub organisation: Option<OrganisationId>,
    pub default_access: Labels,
}

const NOT_YOURS: Denial =
    Denial::NoConsent("you may not change this consent; the patient, or the team that it is about, may");
const NOT_HELD: Denial = Denial::NoConsent("only labels that you hold yourself can be given");
const TOO_MUCH: Denial = Denial::NoConsent(
    "an implied consent opens what the team's default_access has and no more; ask the patient to consent",
);
const NOT_IMPLIED: Denial = Denial::NoConsent("this needs the basis EXPLICIT");
const ONLY_IMPLIED: Denial =
    Denial::NoConsent("only the basis IMPLIED can be given here; a CLINICIAN attests an explicit consent");
const NO_LOCK: Denial =
    Denial::NoConsent("a consent is locked and unlocked by a CLINICIAN whose team holds a label, or a privacy officer");

impl Actor {
    /// Whether the patient must be one of the actor's organisation: to all others it is as if there were no such patient.
    #[must_use]
    pub const fn needs_association(self) -> bool {
        match self {
            Self::Clinician { .. } | Self::Coordinator { .. } | Self::SystemClient(_) | Self::PrivacyOfficer(_) => true,
            Self::Patient | Self::Carer { .. } | Self::Operator | Self::Other => false,
        }
    }

    /// Who locks, where this actor does.
    #[must_use]
    pub const fn locker(self) -> Locker {
        match self {
            Self::Clinician { team, .. } | Self::Coordinator { team, .. } => Locker::Team(team),
            _ => Locker::Officer,
        }
    }

    /// Whether the table lets the actor do one thing with the consent of a pair. `basis` is that of the consent as it shall be.
    pub fn may(self, act: Act, to: &GranteeFacts, before: Option<&Consent>, basis: BasisKind) -> Result<(), Denial> {
        let is_locked = before.is_some_and(|consent| consent.locked.is_some());
        if is_locked && matches!(self, Self::Patient | Self::Carer { .. }) {
            return Err(Denial::ConsentLocked);
        }
        match (self, act) {
            (Self::Operator, _) | (Self::PrivacyOfficer(_), Act::Lock | Act::Unlock) => Ok(()),
            (Self::Clinician { held, .. }, Act::Lock | Act::Unlock) if !held.is_none() => Ok(()),
            (_, Act::Lock | Act::Unlock) => Err(NO_LOCK),
            (_, Act::Widen(labels)) => self.may_widen(labels, to, basis),
            (_, Act::Narrow(labels)) => self.may_narrow(labels, to),
            (_, Act::Discharge) => self.may_discharge(to, before),
        }
    }

    fn may_widen(self, labels: Labels, to: &GranteeFacts, basis: BasisKind) -> Result<(), Denial> {
        let implied = |permitted: bool| match (permitted, labels.are_within(to.default_access)) {
            (false, _) => Err(NOT_YOURS),
            (true, true) => Ok(()),
            (true, false) => Err(TOO_MUCH),
        };
        let held_only = |held: Labels| match (basis, labels.are_within(held)) {
            (BasisKind::Implied, _) => Err(NOT_IMPLIED),
            (BasisKind::Explicit, false) => Err(NOT_HELD),
            (BasisKind::Explicit, true) => Ok(()),
        };
        match (self, to.grantee, basis) {
            (Self::Patient, _, BasisKind::Explicit) => Ok(()),
            (Self::Patient, _, BasisKind::Implied) => Err(NOT_IMPLIED),
            (Self::Carer { user, manages: true, held }, grantee, _) if grantee != Grantee::Carer(user) => {
                held_only(held)
            }
            (Self::Clinician { team, .. }, Grantee::Team(own), BasisKind::Explicit) if team == own => Ok(()),
            (Self::Clinician { team, .. }, Grantee::Team(own), BasisKind::Implied) => implied(team == own),
            (Self::Clinician { held, .. }, Grantee::Professional(_) | Grantee::Carer(_), _) => held_only(held),
            (Self::Coordinator { team, .. }, Grantee::Team(own), BasisKind::Implied) => implied(team == own),
            (Self::Coordinator { team, .. }, Grantee::Team(own), _) if team == own => Err(ONLY_IMPLIED),
            (Self::Coordinator { held, .. }, Grantee::Carer(_), _) => held_only(held),
            (Self::SystemClient(organisation), Grantee::Team(_), BasisKind::Implied) => {
                implied(to.organisation == Some(organisation))
            }
            (Self::SystemClient(organisation), Grantee::Team(_), _) if to.organisation == Some(organisation) => {
                Err(ONLY_IMPLIED)
            }
            _ => Err(NOT_YOURS),
        }
    }

    fn may_narrow(self, labels: Labels, to: &GranteeFacts) -> Result<(), Denial> {
        match self {
            Self::Patient => Ok(()),
            Self::Carer { user, .. } if to.grantee == Grantee::Carer(user) => Ok(()),
            Self::Carer { manages: true, held, .. } if labels.are_within(held) => Ok(()),
            Self::Carer { manages: true, .. } => Err(NOT_HELD),
            _ if self.is_own_team(to) => Ok(()),
            _ => Err(NOT_YOURS),
        }
    }

    fn may_discharge(self, to: &GranteeFacts, before: Option<&Consent>) -> Result<(), Denial> {
        let is_team = matches!(to.grantee, Grantee::Team(_));
        match self {
            Self::Patient if is_team => Err(Denial::UserTypeNotPermitted(
                "only a professional ends a team's care; take its labels away instead, which hides the record from it",
            )),
            Self::Patient => Ok(()),
            Self::Carer { user, .. } if to.grantee == Grantee::Carer(user) => Ok(()),
            Self::Carer { manages: true, .. } if !is_team => Ok(()),
            Self::Clinician { team, .. } if before.and_then(|consent| consent.locked) == Some(Locker::Team(team)) => {
                Ok(())
            }
            _ if self.is_own_team(to) => Ok(()),
            _ => Err(NOT_YOURS),
        }
    }

    /// Whether the consent is one of the actor's own team, or of a team of the organisation that it acts for.
    fn is_own_team(self, to: &GranteeFacts) -> bool {
        match (self, to.grantee) {
            (Self::Clinician { team, .. } | Self::Coordinator { team, .. }, Grantee::Team(own)) => team == own,
            (Self::SystemClient(organisation), Grantee::Team(_)) => to.organisation == Some(organisation),
            _ => false,
        }
    }
}
