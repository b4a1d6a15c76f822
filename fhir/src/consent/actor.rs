//! The one grantee of a Consent: whoever its provisions name as the recipient.

use crate::consent::sharing::GranteeReference;
use crate::consent::vocabulary::{PARTICIPATION, RECIPIENTS, Vocabulary, codings, items};
use crate::issue::{Issue, IssueCode};
use crate::reference::id_in;
use crate::types::ResourceType;
use serde_json::Value;

/// Reads the actors of a provision into the one grantee that all provisions must have in common.
pub(super) fn read(
    provision: &Value,
    path: &str,
    vocabulary: &Vocabulary<'_>,
    grantee: &mut Option<GranteeReference>,
    issues: &mut Vec<Issue>,
) {
    for (at, actor) in items(provision, "actor").iter().enumerate() {
        let path = format!("{path}.actor[{at}]");
        let roles: Vec<(&str, &str)> = codings(actor.get("role")).collect();
        if !roles.iter().any(|(system, code)| *system == PARTICIPATION && RECIPIENTS.contains(code)) {
            let codes: Vec<&str> = roles.iter().map(|(_, code)| *code).collect();
            let words = format!("the role {} is not understood: {} is", codes.join(", "), RECIPIENTS.join(" or "));
            issues.push(Issue::rule(IssueCode::NotSupported, format!("{path}.role"), words));
            continue;
        }
        match named(actor, vocabulary.base) {
            None => {
                let words = "only a team (Organization), a professional (Practitioner) or a carer (RelatedPerson) of this \
                             service can be given access";
                issues.push(Issue::rule(IssueCode::NotSupported, format!("{path}.reference"), words));
            }
            Some(found) if grantee.as_ref().is_some_and(|known| *known != found) => {
                let words = "a Consent has exactly one grantee; make another Consent for another";
                issues.push(Issue::rule(IssueCode::NotSupported, format!("{path}.reference"), words));
            }
            Some(found) => *grantee = Some(found),
        }
    }
}

fn named(actor: &Value, base: &str) -> Option<GranteeReference> {
    let reference = actor.get("reference")?.get("reference")?.as_str()?;
    let id = |of| id_in(reference, of, base).map(String::from);
    id(ResourceType::Organization)
        .map(GranteeReference::Organization)
        .or_else(|| id(ResourceType::Practitioner).map(GranteeReference::Practitioner))
        .or_else(|| id(ResourceType::RelatedPerson).map(GranteeReference::RelatedPerson))
}
