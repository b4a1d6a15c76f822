//! What a Consent says in extensions of ours: whether it is locked, whether a carer manages, and its basis.

use crate::consent::sharing::BasisForm;
use crate::consent::vocabulary::{BASIS, LOCKED, MANAGES, REASON, Vocabulary, codings, items};
use crate::issue::{Issue, IssueCode};
use serde_json::Value;

/// What the extensions say, where they do.
#[derive(Debug, Default)]
pub(super) struct Extended {
    pub(super) locked: Option<bool>,
    pub(super) manages: Option<bool>,
    pub(super) basis: Option<BasisForm>,
}

/// Reads them; others of other systems say nothing about sharing.
pub(super) fn read(consent: &Value, vocabulary: &Vocabulary<'_>, issues: &mut Vec<Issue>) -> Extended {
    let mut read = Extended::default();
    for (at, extension) in items(consent, "extension").iter().enumerate() {
        let url = extension.get("url").and_then(Value::as_str).unwrap_or_default();
        let mut refuse = |words: &str| {
            issues.push(Issue::rule(IssueCode::Value, format!("Consent.extension[{at}].value"), words));
        };
        let mut flag = || {
            let flag = extension.get("valueBoolean").and_then(Value::as_bool);
            if flag.is_none() {
                refuse("must be a boolean");
            }
            flag
        };
        if vocabulary.is_ours(url, LOCKED) {
            read.locked = flag();
        } else if vocabulary.is_ours(url, MANAGES) {
            read.manages = flag();
        } else if vocabulary.is_ours(url, BASIS) {
            read.basis = basis(extension.get("valueCodeableConcept"), vocabulary);
            if read.basis.is_none() {
                refuse("must be a CodeableConcept with a coding of the system consent-basis");
            }
        }
    }
    read
}

fn basis(concept: Option<&Value>, vocabulary: &Vocabulary<'_>) -> Option<BasisForm> {
    let code = |name: &str| codings(concept).find(|(system, _)| vocabulary.is_ours(system, name)).map(|(_, code)| code);
    let text = concept?.get("text").and_then(Value::as_str);
    Some(BasisForm { basis: code(BASIS)?.into(), reason: code(REASON).map(Into::into), text: text.map(Into::into) })
}
