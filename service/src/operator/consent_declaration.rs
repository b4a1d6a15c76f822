//! A consent as an operator declares it, checked by itself.

use super::words;
use rules::consent::basis::{Basis, BasisKind, Reason};
use rules::consent::change::{End, LabelChange, WantedConsent};
use rules::labels::Labels;
use rules::moment::Moment;
use serde::{Deserialize, Serialize};
use store::sharing::declared::GranteeName;

/// A consent of a patient. What is left out stays as it is, or has its default in a new one.
#[derive(Debug, Serialize, Deserialize)]
pub struct ConsentDeclaration {
    pub at: String,
    /// The id of the Patient resource.
    pub patient: String,
    #[serde(with = "words::grantee_name")]
    pub to: GranteeName,
    #[serde(with = "words::labels_if_any")]
    pub labels: Option<Labels>,
    pub basis: Option<BasisDeclaration>,
    pub manages: Option<bool>,
    pub ends_at: Option<EndDeclaration>,
    pub discharged: Option<bool>,
    pub locked: Option<bool>,
}

/// On what it rests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BasisDeclaration {
    #[serde(with = "words::basis_kind")]
    pub kind: BasisKind,
    #[serde(with = "words::reason")]
    pub reason: Reason,
    pub text: Option<String>,
}

/// When it ends.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum EndDeclaration {
    Never,
    /// In milliseconds since 1970.
    At(i64),
}

impl ConsentDeclaration {
    /// As the rules take it.
    pub(super) fn wanted(&self) -> WantedConsent {
        WantedConsent {
            labels: self.labels,
            each: LabelChange::default(),
            discharged: self.discharged,
            locked: self.locked,
            manages: self.manages,
            basis: self.basis.clone().map(|BasisDeclaration { kind, reason, text }| Basis { kind, reason, text }),
            ends_at: self.ends_at.map(|end| match end {
                EndDeclaration::Never => End::Never,
                EndDeclaration::At(at) => End::At(Moment(at)),
            }),
            reason: None,
        }
    }
}
