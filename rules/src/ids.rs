//! The numbers that stand for things: one type each, so that none is taken for another. The store makes them; they are
//! unique across all kinds, so that a team, an organisation or a person can be a viewer by number alone.

macro_rules! ids {
    ($($(#[$about:meta])* $name:ident),* $(,)?) => {
        $($(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);

        impl From<i64> for $name {
            fn from(number: i64) -> Self {
                Self(number)
            }
        }

        impl core::str::FromStr for $name {
            type Err = core::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.0.fmt(f)
            }
        })*
    };
}

ids! {
    /// A session: one grant of access.
    SessionId,
    /// A registered client; not its Client ID, which is a text.
    ClientId,
    /// A user account.
    UserId,
    TeamId,
    OrganisationId,
    /// A patient, whether or not there is a Patient resource or an account yet.
    PatientId,
    /// Through whose eyes a caller looks: a team's, an organisation's or a person's number.
    ViewerId,
    /// A stored resource.
    RowId,
    /// A signed-in browser.
    SignInId,
    /// An export that was asked for.
    ExportId,
    /// An initial access token, by which clients register themselves.
    ClientInvitationId,
}

impl From<TeamId> for ViewerId {
    fn from(team: TeamId) -> Self {
        Self(team.0)
    }
}

impl From<OrganisationId> for ViewerId {
    fn from(organisation: OrganisationId) -> Self {
        Self(organisation.0)
    }
}

impl From<UserId> for ViewerId {
    fn from(user: UserId) -> Self {
        Self(user.0)
    }
}
