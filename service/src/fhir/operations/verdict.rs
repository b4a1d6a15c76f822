//! The verdict on a resource, as `$validate` tells it: errors, what was not looked at, or that all is well.

use crate::preparation::{self, Flaw, SHAPE, Wanted};
use fhir::issue::Issue;
use fhir::json::{Node, read};
use fhir::strict;
use fhir::types::ResourceType;
use fhir::validation::{Expectation, validate};
use rules::answers::{Refusal, answer_in};
use rules::clients::Api;
use rules::limits::ISSUES;
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
}

/// Whether a profile is FHIR's own of this type.
pub(crate) fn is_base(profile: &str, resource_type: ResourceType) -> bool {
    let own = profile.strip_suffix("|4.0.1").unwrap_or(profile);
    own.strip_prefix("http://hl7.org/fhir/StructureDefinition/") == Some(resource_type.name())
}

/// All that is wrong with a text, each as an issue of an OperationOutcome.
pub(crate) fn of(text: &str, subject: &Subject, base: &str) -> Vec<Value> {
    let (resource_type, id) = (subject.resource_type, subject.id.as_deref());
    let expected = Expectation { resource_type: Some(resource_type), id, shape: SHAPE, issues: ISSUES };
    let issues = validate(text, &expected);
    if issues.len() >= ISSUES {
        let more = remark(format!("there may be more: the first {ISSUES} things that are wrong are told"));
        return issues.iter().map(error).chain([more]).collect();
    }
    if !issues.is_empty() {
        return issues.iter().map(error).collect();
    }
    let mut found = Vec::new();
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
    found.extend(foreign_profiles(text, resource_type));
    found
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
    let mut told = json!({
        "severity": "error",
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

/// Of each profile that a resource says it keeps to, and that nobody here knows, that nobody has looked.
fn foreign_profiles(text: &str, resource_type: ResourceType) -> Vec<Value> {
    let Ok(compact) = strict::compact(text, SHAPE) else { return Vec::new() };
    let Some(resource) = read(&compact) else { return Vec::new() };
    let profiles = resource.get("meta").and_then(|meta| meta.get("profile")).map(Node::items).unwrap_or_default();
    let foreign = profiles.iter().filter_map(Node::text).filter(|profile| !is_base(profile, resource_type));
    foreign
        .take(ISSUES)
        .map(|profile| {
            let element = format!("{}.meta.profile", resource_type.name());
            json!({
                "severity": "warning", "code": "not-supported", "expression": [element],
                "diagnostics": format!("the profile {profile} is not known here: nobody has looked whether it is kept"),
            })
        })
        .collect()
}
