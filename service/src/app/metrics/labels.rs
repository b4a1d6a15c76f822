//! The labels of counters whose values are few and known.

use prometheus_client::encoding::EncodeLabelSet;

/// An answered request: which part of the service, and its status.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct AnswerLabels {
    pub part: &'static str,
    pub status: u16,
}

/// A token request: its grant type and what came of it (`issued` or the error code).
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct TokenRequestLabels {
    pub grant_type: &'static str,
    pub outcome: &'static str,
}

/// Why sessions were revoked.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct Reason {
    pub why: &'static str,
}

/// Who was not let in (`sign-in` or `client`), and why.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct FailureLabels {
    pub of: &'static str,
    pub why: &'static str,
}

impl FailureLabels {
    pub const SIGN_IN: &'static str = "sign-in";
    pub const CLIENT: &'static str = "client";
    pub const INVITATION: &'static str = "invitation";
    pub const SECOND_FACTOR: &'static str = "second-factor";
}

/// Why somebody was not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureCause {
    /// There is no such user or client.
    Unknown,
    /// The password, secret or signature is not theirs.
    WrongProof,
    /// An account that is frozen or a deceased patient's, or a client that is disabled.
    ShutOut,
    /// Too many failures before, or too many who wait; nobody looked at this one.
    Throttled,
}

impl FailureCause {
    pub(super) const ALL: [Self; 4] = [Self::Unknown, Self::WrongProof, Self::ShutOut, Self::Throttled];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::WrongProof => "wrong-proof",
            Self::ShutOut => "shut-out",
            Self::Throttled => "throttled",
        }
    }
}

/// What a line of the log would have been about.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct LineLabels {
    pub about: &'static str,
}

impl LineLabels {
    pub const REQUESTS: Self = Self { about: "requests" };
    pub const AUTHENTICATIONS: Self = Self { about: "authentications" };
}
