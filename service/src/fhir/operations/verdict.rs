//! The verdict on a resource, as `$validate` tells it: errors, what was not looked at, or that all is well.

use crate::preparation::{self, Flaw, SHAPE, Wanted};
use fhir::issue::Issue;
use fhir::json::read;
use fhir::strict;
use fhir::structure::{Claim, Profile, profiles_of};
use fhir::types::ResourceType;
use fhir::validation::{Expectation, Judgement, judge, validate};
use rules::answers::{Refusal, answer_in};
use rules::clients::Api;
use rules::limits::ISSUES;
use rules::params::shown;
use serde_json::{Value, json};

/// In view of what a resource is validated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Create,
    Update,
    Delete,
    Profile,
}

impl Mode {
    pub const ALL: [Self; 4] = [Self::Create, Self::Update, Self::Delete, Self::Profile];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Profile => "profile",
        }
    }

    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.word() == word)
    }
}

/// What the URL says of a resource that is validated.
#[derive(Debug)]
pub(crate) struct Subject {
    pub resource_type: ResourceType,
    pub id: Option<String>,
    pub mode: Option<Mode>,
    /// What is asked for beside FHIR R4 itself and what the resource says that it keeps to.
    pub profile: Option<&'static Profile>,
}

/// The profile that is asked for, if it is more than FHIR R4 itself: one of HL7's that is of this type. Whoever asks for another
/// must hear that nobody can judge by it.
pub(crate) fn profile(url: &str, resource_type: ResourceType) -> Result<Option<&'static Profile>, Refusal> {
    let name = resource_type.name();
    let why = match Claim::read(url, name) {
        Claim::Base => return Ok(None),
        Claim::Profile(profile) if profile.of == name => return Ok(Some(profile)),
        Claim::Profile(profile) => format!("the profile {} is of {}, not of {name}", profile.name, profile.of),
        Claim::Unknown => format!("the profile {} is not known here", shown(url)),
    };
    let own = profiles_of(name).collect::<Vec<_>>().join(", ");
    let known = if own.is_empty() { String::new() } else { format!(", and HL7's profiles of it beside that: {own}") };
    Err(Refusal::Unprocessable(format!(
        "{why}; known is FHIR R4 itself, http://hl7.org/fhir/StructureDefinition/{name}{known}"
    )))
}

/// All that is wrong with a text, each as an issue of an OperationOutcome.
pub(crate) fn of(text: &str, subject: &Subject, base: &str) -> Vec<Value> {
    let (resource_type, id) = (subject.resource_type, subject.id.as_deref());
    let expected = Expectation { resource_type: Some(resource_type), id, shape: SHAPE, issues: ISSUES };
    let mut issues = validate(text, &expected);
    let is_base_kept = issues.is_empty();
    let Judgement { errors, unseen } = by_profiles(text, subject.profile);
    // What is wrong with an element as such is told once.
    let further: Vec<Issue> =
        errors.into_iter().filter(|error| !issues.iter().any(|issue| issue.expression == error.expression)).collect();
    issues.extend(further);
    let mut found: Vec<Value> = issues.iter().take(ISSUES).map(error).collect();
    if issues.len() >= ISSUES {
        found.push(remark(format!("there may be more: the first {ISSUES} things that are wrong are told")));
    }
    found.extend(unseen.iter().map(|issue| told("warning", issue)));
    if !is_base_kept {
        return found;
    }
    if subject.mode.is_none() {
        found.extend(preparation::unresolved_in(text, base).iter().map(error));
    }
    if let Some(Mode::Create | Mode::Update) = subject.mode {
        // What is stored is held to more than FHIR says.
        let wanted = Wanted { resource_type, id: id.unwrap_or("new"), is_chosen: id.is_some() };
        match preparation::prepare_sent(text, wanted, base) {
            Err(Flaw::Issues(issues)) => found.extend(issues.iter().map(error)),
            Err(Flaw::Fault(fault)) => {
                found.push(json!({ "severity": "error", "code": "business-rule", "diagnostics": fault.to_string() }))
            }
            Ok(_) => {}
        }
    }
    found
}

/// What profiles say of it: the one that is asked for, and those that it claims.
fn by_profiles(text: &str, profile: Option<&'static Profile>) -> Judgement {
    let compact = strict::compact(text, SHAPE).unwrap_or_default();
    match read(&compact) {
        Some(resource) => judge(&resource, profile, ISSUES),
        None => Judgement { errors: Vec::new(), unseen: Vec::new() },
    }
}

/// What a caller would hear who tried.
pub(crate) fn refused(refusal: &Refusal) -> Value {
    let answer = answer_in(Api::Fhir, refusal);
    json!({ "severity": "error", "code": answer.issue, "diagnostics": answer.message })
}

/// The OperationOutcome of these issues.
pub(crate) fn outcome(mut issues: Vec<Value>) -> String {
    if issues.is_empty() {
        issues.push(json!({ "severity": "information", "code": "informational", "diagnostics": "All is well" }));
    }
    json!({ "resourceType": "OperationOutcome", "issue": issues }).to_string()
}

fn error(issue: &Issue) -> Value {
    told("error", issue)
}

fn told(severity: &str, issue: &Issue) -> Value {
    let mut told = json!({
        "severity": severity,
        "code": issue.code.name(),
        "details": { "text": issue.text },
        "diagnostics": preparation::words(issue),
    });
    if let Some(members) = told.as_object_mut().filter(|_| !issue.expression.is_empty()) {
        members.insert("expression".into(), json!([issue.expression]));
    }
    told
}

fn remark(words: String) -> Value {
    json!({ "severity": "warning", "code": "informational", "diagnostics": words })
}
