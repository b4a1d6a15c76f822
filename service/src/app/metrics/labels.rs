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

/// What a line of the log would have been about.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct LineLabels {
    pub about: &'static str,
}
