//! What a line of the ledger tells of: the one list of events.

/// What happened. The number is what is written down, and stands for the same for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Event {
    Granted = 1,
    CodeRedeemed = 2,
    Refreshed = 3,
    Revoked = 4,
    OrganisationGranted = 5,
    OrganisationWithdrawn = 6,
    DocumentRead = 7,
    Accessed = 8,
    /// A commit that nobody acknowledged was found not to have happened, and can no longer happen.
    GivenUp = 9,
    /// A change whose caller was told to try again was taken back.
    Undone = 10,
    /// Criteria named a patient, and no more than a number or a reference was given.
    Asked = 11,
    /// A read or a write of a patient's record was refused.
    Refused = 12,
    /// A resource was written for the first time.
    Created = 20,
    Updated = 21,
    Deleted = 22,
    /// Its source took a resource out of a patient's record: its new version is about others.
    TakenOut = 23,
    /// The glass of a patient was broken for a team, and handed back.
    GlassBroken = 24,
    GlassMended = 25,
    /// The label of an item was changed.
    Relabelled = 26,
    SharingDisabled = 27,
    SharingEnabled = 28,
    /// An operator asked why somebody sees something of a record, or does not; a privacy officer, who sees or saw it.
    Explained = 29,
    /// A patient became a team's.
    Registered = 30,
    Deregistered = 31,
    /// A clinician or coordinator became a member of a team.
    Joined = 32,
    Left = 33,
    /// Somebody may see a record who could not, or more of it.
    ConsentGiven = 34,
    ConsentChanged = 35,
    /// A grantee was discharged.
    ConsentEnded = 36,
    RecordFrozen = 37,
    RecordUnfrozen = 38,
    UserMade = 40,
    UserChanged = 41,
    UserTypeChanged = 42,
    PasswordChanged = 43,
    Frozen = 44,
    Unfrozen = 45,
    /// All browsers of a user were signed out for them.
    SignedOut = 46,
    /// A patient was invited to make an account.
    Invited = 47,
    InvitationRedeemed = 48,
    /// The account of a patient was ended, with all its sessions.
    AccountEnded = 49,
    ClientMade = 50,
    ClientChanged = 51,
    ClientSecretChanged = 52,
    ClientKeysChanged = 53,
    ClientDisabled = 54,
    ClientEnabled = 55,
    /// A Team Coordinator printed the further code of an invitation.
    PaperPrinted = 56,
    /// A second factor was set up, or another in its place.
    FactorSet = 57,
    FactorRemoved = 58,
    /// An operator made a link that resets a second factor.
    FactorLinkMade = 59,
    OrganisationMade = 60,
    OrganisationChanged = 61,
    TeamMade = 62,
    TeamChanged = 63,
    /// An operator let somebody register so many clients by themselves.
    ClientInvited = 66,
    ClientInvitationRevoked = 67,
    KeyAdded = 70,
    KeyRetired = 71,
    RingAdopted = 72,
    BackedUp = 80,
    /// The lines of a month that was closed were dropped.
    MonthDropped = 90,
}

/// What sort of deed it is, as FHIR counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Create,
    Read,
    Update,
    Delete,
    Execute,
}

/// What it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Access that was granted, used or ended.
    Access,
    /// A part of somebody's record.
    Record,
    /// Who belongs to whom, and may therefore see more.
    Role,
    /// A user or a client, and how they prove who they are.
    Account,
    /// How the service is set up: organisations, teams, keys.
    Setup,
    /// A copy of everything.
    Copy,
}

const EVENTS: [(Event, &str, Deed, Topic); 62] = [
    (Event::Granted, "granted", Deed::Create, Topic::Access),
    (Event::CodeRedeemed, "code-redeemed", Deed::Execute, Topic::Access),
    (Event::Refreshed, "refreshed", Deed::Execute, Topic::Access),
    (Event::Revoked, "revoked", Deed::Delete, Topic::Access),
    (Event::OrganisationGranted, "organisation-granted", Deed::Create, Topic::Access),
    (Event::OrganisationWithdrawn, "organisation-withdrawn", Deed::Delete, Topic::Access),
    (Event::DocumentRead, "document-read", Deed::Read, Topic::Record),
    (Event::Accessed, "accessed", Deed::Read, Topic::Record),
    (Event::GivenUp, "given-up", Deed::Execute, Topic::Access),
    (Event::Undone, "undone", Deed::Execute, Topic::Access),
    (Event::Asked, "asked", Deed::Read, Topic::Record),
    (Event::Refused, "refused", Deed::Read, Topic::Record),
    (Event::Created, "created", Deed::Create, Topic::Record),
    (Event::Updated, "updated", Deed::Update, Topic::Record),
    (Event::Deleted, "deleted", Deed::Delete, Topic::Record),
    (Event::TakenOut, "taken-out", Deed::Delete, Topic::Record),
    (Event::GlassBroken, "glass-broken", Deed::Execute, Topic::Record),
    (Event::GlassMended, "glass-mended", Deed::Execute, Topic::Record),
    (Event::Relabelled, "relabelled", Deed::Update, Topic::Record),
    (Event::SharingDisabled, "sharing-disabled", Deed::Update, Topic::Role),
    (Event::SharingEnabled, "sharing-enabled", Deed::Update, Topic::Role),
    (Event::Explained, "explained", Deed::Read, Topic::Role),
    (Event::Registered, "registered", Deed::Create, Topic::Role),
    (Event::Deregistered, "deregistered", Deed::Delete, Topic::Role),
    (Event::Joined, "joined", Deed::Create, Topic::Role),
    (Event::Left, "left", Deed::Delete, Topic::Role),
    (Event::ConsentGiven, "consent-given", Deed::Create, Topic::Role),
    (Event::ConsentChanged, "consent-changed", Deed::Update, Topic::Role),
    (Event::ConsentEnded, "consent-ended", Deed::Delete, Topic::Role),
    (Event::RecordFrozen, "record-frozen", Deed::Update, Topic::Role),
    (Event::RecordUnfrozen, "record-unfrozen", Deed::Update, Topic::Role),
    (Event::UserMade, "user-made", Deed::Create, Topic::Account),
    (Event::UserChanged, "user-changed", Deed::Update, Topic::Account),
    (Event::UserTypeChanged, "user-type-changed", Deed::Update, Topic::Role),
    (Event::PasswordChanged, "password-changed", Deed::Update, Topic::Account),
    (Event::Frozen, "frozen", Deed::Update, Topic::Account),
    (Event::Unfrozen, "unfrozen", Deed::Update, Topic::Account),
    (Event::SignedOut, "signed-out", Deed::Execute, Topic::Account),
    (Event::Invited, "invited", Deed::Create, Topic::Account),
    (Event::InvitationRedeemed, "invitation-redeemed", Deed::Execute, Topic::Account),
    (Event::AccountEnded, "account-ended", Deed::Delete, Topic::Account),
    (Event::ClientMade, "client-made", Deed::Create, Topic::Account),
    (Event::ClientChanged, "client-changed", Deed::Update, Topic::Account),
    (Event::ClientSecretChanged, "client-secret-changed", Deed::Update, Topic::Account),
    (Event::ClientKeysChanged, "client-keys-changed", Deed::Update, Topic::Account),
    (Event::ClientDisabled, "client-disabled", Deed::Update, Topic::Account),
    (Event::ClientEnabled, "client-enabled", Deed::Update, Topic::Account),
    (Event::PaperPrinted, "paper-printed", Deed::Create, Topic::Account),
    (Event::FactorSet, "factor-set", Deed::Update, Topic::Account),
    (Event::FactorRemoved, "factor-removed", Deed::Delete, Topic::Account),
    (Event::FactorLinkMade, "factor-link-made", Deed::Create, Topic::Account),
    (Event::OrganisationMade, "organisation-made", Deed::Create, Topic::Setup),
    (Event::OrganisationChanged, "organisation-changed", Deed::Update, Topic::Setup),
    (Event::TeamMade, "team-made", Deed::Create, Topic::Setup),
    (Event::TeamChanged, "team-changed", Deed::Update, Topic::Setup),
    (Event::ClientInvited, "client-invited", Deed::Create, Topic::Account),
    (Event::ClientInvitationRevoked, "client-invitation-revoked", Deed::Delete, Topic::Account),
    (Event::KeyAdded, "key-added", Deed::Create, Topic::Setup),
    (Event::KeyRetired, "key-retired", Deed::Delete, Topic::Setup),
    (Event::RingAdopted, "ring-adopted", Deed::Update, Topic::Setup),
    (Event::BackedUp, "backed-up", Deed::Read, Topic::Copy),
    (Event::MonthDropped, "month-dropped", Deed::Delete, Topic::Setup),
];

impl Event {
    /// Every event, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        EVENTS.into_iter().map(|(event, ..)| event)
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        self.entry().map_or("", |(_, word, ..)| word)
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        EVENTS.into_iter().find(|(_, known, ..)| *known == word).map(|(event, ..)| event)
    }

    #[must_use]
    pub fn deed(self) -> Deed {
        self.entry().map_or(Deed::Execute, |(_, _, deed, _)| deed)
    }

    #[must_use]
    pub fn topic(self) -> Topic {
        self.entry().map_or(Topic::Setup, |(.., topic)| topic)
    }

    /// Whether lines of it are put together where they tell the same of one second.
    pub(crate) const fn is_summed(self) -> bool {
        matches!(self, Self::Accessed | Self::Asked | Self::Refused)
    }

    pub(crate) const fn number(self) -> u8 {
        self as u8
    }

    pub(crate) fn numbered(number: u8) -> Option<Self> {
        Self::all().find(|event| event.number() == number)
    }

    fn entry(self) -> Option<(Self, &'static str, Deed, Topic)> {
        EVENTS.into_iter().find(|(event, ..)| *event == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_event_has_a_number_and_a_word_of_its_own() {
        let numbers: HashSet<u8> = Event::all().map(Event::number).collect();
        let words: HashSet<&str> = Event::all().map(Event::word).collect();
        assert_eq!((numbers.len(), words.len()), (EVENTS.len(), EVENTS.len()));
        for event in Event::all() {
            assert_eq!(Event::numbered(event.number()), Some(event));
            assert_eq!(Event::named(event.word()), Some(event));
        }
        assert_eq!((Event::numbered(0), Event::named("")), (None, None));
    }

    #[test]
    fn events_are_listed_in_the_order_of_their_numbers() {
        assert!(Event::all().map(Event::number).is_sorted());
    }
}
