//! Why sessions are revoked, and the word for each reason.

/// Why a session is revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revoked {
    /// A used refresh token was presented again.
    RefreshTokenReplayed,
    /// A used authorization code was presented again.
    CodeReplayed,
    /// A token newer than the session knows of: the store was restored from a backup.
    TokenFromTheFuture,
    /// The user's type was changed, or the scope was taken from the client's registration.
    NoLongerCovered,
    /// The user's account was given another patient's record, or none: nobody granted that one.
    PatientChanged,
    ByPatient,
    ByCoordinator,
    ByOperator,
    /// The client gave one of its tokens up (RFC 7009).
    ByClient,
    /// The browser was signed out with whose sign-in it was to end.
    SignedOut,
}

impl Revoked {
    pub const ALL: [Self; 10] = [
        Self::RefreshTokenReplayed,
        Self::CodeReplayed,
        Self::TokenFromTheFuture,
        Self::NoLongerCovered,
        Self::PatientChanged,
        Self::ByPatient,
        Self::ByCoordinator,
        Self::ByOperator,
        Self::ByClient,
        Self::SignedOut,
    ];

    /// The word of the database, the logs and the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::RefreshTokenReplayed => "refresh-token-replayed",
            Self::CodeReplayed => "code-replayed",
            Self::TokenFromTheFuture => "token-from-the-future",
            Self::NoLongerCovered => "no-longer-covered",
            Self::PatientChanged => "patient-changed",
            Self::ByPatient => "by-patient",
            Self::ByCoordinator => "by-coordinator",
            Self::ByOperator => "by-operator",
            Self::ByClient => "by-client",
            Self::SignedOut => "signed-out",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|why| why.word() == word)
    }
}
