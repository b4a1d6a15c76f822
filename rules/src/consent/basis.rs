//! The basis of a consent: who consented and how, and the reason that was given.

use alloc::string::String;

/// On what a consent rests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Basis {
    pub kind: BasisKind,
    pub reason: Reason,
    /// Words of whoever gave the reason; required where it is another than those listed.
    pub text: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BasisKind {
    /// The patient, or whoever may, said so; a professional attests it by name.
    Explicit,
    /// It follows from the care: a referral, a treatment.
    Implied,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    PatientConsented,
    Referral,
    InTreatment,
    CourtOrder,
    Parent,
    Other,
}

/// What is said of a reason that nobody can understand.
pub const OTHER_NEEDS_TEXT: &str = "a basis with the reason OTHER needs a text that says which";

impl BasisKind {
    pub const ALL: [Self; 2] = [Self::Explicit, Self::Implied];

    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Explicit => "EXPLICIT",
            Self::Implied => "IMPLIED",
        }
    }

    #[must_use]
    pub fn named(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The reason of one that says none.
    #[must_use]
    pub const fn usual_reason(self) -> Reason {
        match self {
            Self::Explicit => Reason::PatientConsented,
            Self::Implied => Reason::InTreatment,
        }
    }
}

impl Reason {
    pub const ALL: [Self; 6] =
        [Self::PatientConsented, Self::Referral, Self::InTreatment, Self::CourtOrder, Self::Parent, Self::Other];

    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::PatientConsented => "PATIENT_CONSENTED",
            Self::Referral => "REFERRAL",
            Self::InTreatment => "IN_TREATMENT",
            Self::CourtOrder => "COURT_ORDER",
            Self::Parent => "PARENT",
            Self::Other => "OTHER",
        }
    }

    #[must_use]
    pub fn named(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

impl Basis {
    #[must_use]
    pub const fn new(kind: BasisKind, reason: Reason) -> Self {
        Self { kind, reason, text: None }
    }

    /// What holds where the patient, or who acts for the patient, says nothing else.
    #[must_use]
    pub const fn of_patient() -> Self {
        Self::new(BasisKind::Explicit, Reason::PatientConsented)
    }

    /// Whether its reason can be understood: any other than those listed is told in words.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.reason != Reason::Other || self.text.as_ref().is_some_and(|text| !text.trim().is_empty())
    }
}
