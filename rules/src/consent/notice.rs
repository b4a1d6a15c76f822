//! Notices: of what somebody is told in the service, and who.

use crate::consent::actor::Act;
use crate::consent::record::{Consent, Grantee};
use crate::ids::{OrganisationId, PatientId, TeamId, UserId};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoticeKind {
    /// A team has a record in its care that it did not have.
    AddedToTeam,
    /// A consent was widened, narrowed, locked or unlocked.
    ConsentChanged,
    /// The care of somebody has ended.
    Discharged,
    /// Somebody is asked to care for a patient.
    CarerInvited,
    GlassBroken,
    SharingDisabled,
    /// A record was frozen, or that or its disabled sharing lifted.
    RecordState,
    /// A result or a letter has arrived, to be read from a day on.
    ResultArrived,
    /// A message was sent to whoever is told.
    Message,
    /// Something about somebody's own account: how they prove who they are was changed. It is about no record, and told on our pages
    /// alone.
    Account,
}

/// What is told of a password that was changed by a link.
pub const OF_RESET: &str = "the password of your account was changed by a link that was sent to your e-mail address";

/// What is told of a message: what it says is in the message alone.
pub const OF_MESSAGE: &str = "a message has arrived";

/// Who is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Recipient {
    Patient(PatientId),
    User(UserId),
    Team(TeamId),
    /// The privacy officers of an organisation.
    Officers(OrganisationId),
}

impl NoticeKind {
    pub const ALL: [Self; 10] = [
        Self::AddedToTeam,
        Self::ConsentChanged,
        Self::Discharged,
        Self::CarerInvited,
        Self::GlassBroken,
        Self::SharingDisabled,
        Self::RecordState,
        Self::ResultArrived,
        Self::Message,
        Self::Account,
    ];

    /// The word of the database and the custom REST API.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AddedToTeam => "ADDED_TO_TEAM",
            Self::ConsentChanged => "CONSENT_CHANGED",
            Self::Discharged => "DISCHARGED",
            Self::CarerInvited => "CARER_INVITED",
            Self::GlassBroken => "GLASS_BROKEN",
            Self::SharingDisabled => "SHARING_DISABLED",
            Self::RecordState => "RECORD_STATE",
            Self::ResultArrived => "RESULT_ARRIVED",
            Self::Message => "MESSAGE",
            Self::Account => "ACCOUNT",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Of a consent that was changed.
    #[must_use]
    pub fn of_change(before: Option<&Consent>, after: &Consent) -> Self {
        let had = before.is_some_and(|before| !before.discharged);
        match (after.discharged, after.grantee) {
            (true, _) if had => Self::Discharged,
            (false, Grantee::Team(_)) if !had => Self::AddedToTeam,
            _ => Self::ConsentChanged,
        }
    }

    /// Of a state of the record that was set or lifted.
    #[must_use]
    pub const fn of_state(state: RecordState) -> Self {
        match state {
            RecordState::SharingDisabled => Self::SharingDisabled,
            RecordState::Frozen | RecordState::Unfrozen | RecordState::SharingEnabled => Self::RecordState,
        }
    }
}

impl Recipient {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Patient(_) => "PATIENT",
            Self::User(_) => "USER",
            Self::Team(_) => "TEAM",
            Self::Officers(_) => "OFFICERS",
        }
    }

    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Patient(PatientId(number))
            | Self::User(UserId(number))
            | Self::Team(TeamId(number))
            | Self::Officers(OrganisationId(number)) => number,
        }
    }

    /// The recipient of a word and a number, as rows have them.
    #[must_use]
    pub fn named(word: &str, number: i64) -> Option<Self> {
        let all = [
            Self::Patient(PatientId(number)),
            Self::User(UserId(number)),
            Self::Team(TeamId(number)),
            Self::Officers(OrganisationId(number)),
        ];
        all.into_iter().find(|recipient| recipient.word() == word)
    }
}

/// What is told of a change of a consent, given to somebody of this name.
#[must_use]
pub fn of_consent(after: &Consent, acts: &[Act], name: &str) -> String {
    let labels = after.labels.words();
    if !after.accepted {
        return format!("{name} was invited to care for this record, with {labels}");
    }
    let last = acts.iter().map(|act| match act {
        Act::Widen(_) => format!("{name} may see more of this record now: {labels}"),
        Act::Narrow(_) => format!("{name} sees less of this record now: {labels}"),
        Act::Discharge => format!("the care of {name} has ended; nothing of this record is open by that consent"),
        Act::Lock => format!("the consent for {name} can be changed by professionals only now"),
        Act::Unlock => format!("the consent for {name} can be changed by the patient again"),
    });
    let told: Vec<String> = last.collect();
    if told.is_empty() { format!("the consent for {name} was confirmed: {labels}") } else { told.join("; ") }
}

/// What is told of a broken glass.
#[must_use]
pub fn of_glass(user: &str, team: &str) -> String {
    format!("{user} of {team} looked into this record in an emergency, beyond what was shared")
}

/// What is told of a state of the record that was set or lifted.
#[must_use]
pub const fn of_state(state: RecordState) -> &'static str {
    match state {
        RecordState::Frozen => {
            "this record was frozen: its patient, carers and professionals without a team cannot open it"
        }
        RecordState::Unfrozen => "this record is not frozen any more",
        RecordState::SharingDisabled => "the sharing of this record was disabled; every consent has ended",
        RecordState::SharingEnabled => "the sharing of this record is enabled again; share anew with whom you wish",
    }
}

/// A state of a record, as somebody sets or lifts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordState {
    Frozen,
    Unfrozen,
    SharingDisabled,
    SharingEnabled,
}
