//! One thing that is wrong with what was sent, as an OperationOutcome tells it. There can be many at once.

/// Whether what was sent is no FHIR at all (400), or is FHIR that breaks a rule (422).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    NotFhir,
    BreaksRule,
}

/// HL7's code for the sort of thing that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueCode {
    Structure,
    Required,
    Value,
    Invariant,
    CodeInvalid,
    NotSupported,
    NotFound,
    MultipleMatches,
    TooCostly,
    Processing,
}

impl IssueCode {
    /// As HL7's value set issue-type spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Required => "required",
            Self::Value => "value",
            Self::Invariant => "invariant",
            Self::CodeInvalid => "code-invalid",
            Self::NotSupported => "not-supported",
            Self::NotFound => "not-found",
            Self::MultipleMatches => "multiple-matches",
            Self::TooCostly => "too-costly",
            Self::Processing => "processing",
        }
    }
}

/// What is wrong, where, in words for whoever sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    pub class: Class,
    pub code: IssueCode,
    /// The element, as FHIRPath names it: `Patient.name[0].given[1]`. Empty where no element is meant.
    pub expression: String,
    pub text: String,
}

impl Issue {
    /// FHIR that breaks a rule.
    pub fn rule(code: IssueCode, expression: impl Into<String>, text: impl Into<String>) -> Self {
        Self { class: Class::BreaksRule, code, expression: expression.into(), text: text.into() }
    }

    /// What is no FHIR.
    pub fn not_fhir(expression: impl Into<String>, text: impl Into<String>) -> Self {
        Self { class: Class::NotFhir, code: IssueCode::Structure, expression: expression.into(), text: text.into() }
    }
}

/// The class of the whole: what is in part no FHIR is none.
#[must_use]
pub fn class(issues: &[Issue]) -> Option<Class> {
    issues.iter().map(|issue| issue.class).min()
}
