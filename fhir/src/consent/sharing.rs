//! What a Consent shares: plain values, which whoever decides about them translates.

/// A Consent that is understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// The id of the patient's resource.
    pub patient: String,
    pub grantee: GranteeReference,
    /// The bits of the labels granted.
    pub labels: i64,
    /// Its status is `inactive`.
    pub is_inactive: bool,
    /// When it is over, in milliseconds since the beginning of 1970.
    pub ends_at: Option<i64>,
    pub locked: Option<bool>,
    pub manages: Option<bool>,
    pub basis: Option<BasisForm>,
}

/// To whom a Consent is given, by the id of the resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GranteeReference {
    /// A team.
    Organization(String),
    /// A professional without a team.
    Practitioner(String),
    /// A carer.
    RelatedPerson(String),
}

impl GranteeReference {
    /// As a reference has it.
    #[must_use]
    pub fn reference(&self) -> String {
        match self {
            Self::Organization(id) => format!("Organization/{id}"),
            Self::Practitioner(id) => format!("Practitioner/{id}"),
            Self::RelatedPerson(id) => format!("RelatedPerson/{id}"),
        }
    }
}

/// The basis, as its extension has it: codes of ours and words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasisForm {
    pub basis: String,
    pub reason: Option<String>,
    pub text: Option<String>,
}
