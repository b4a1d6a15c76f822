//! The provisions of a Consent: which labels are granted. Only a named label is.

use crate::consent::vocabulary::{ACCESS, ACTION, Vocabulary, coding, codings, items};
use crate::issue::{Issue, IssueCode};
use crate::values::date::DateTime;
use crate::values::span::Span;
use serde_json::Value;

/// What the provisions grant and take away, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Granted {
    permitted: i64,
    denied: i64,
}

impl Granted {
    /// What is denied is taken away, whatever else grants it.
    pub(super) const fn labels(self) -> i64 {
        self.permitted & !self.denied
    }
}

/// Elements that narrow a provision in ways that nobody enforces here.
const NARROWING: [&str; 5] = ["data", "code", "class", "purpose", "dataPeriod"];

/// Reads one provision. `is_refusal` is whether the policy refuses, so that a label without a type is an exception from it.
pub(super) fn read(
    provision: &Value,
    path: &str,
    (is_root, is_refusal): (bool, bool),
    vocabulary: &Vocabulary<'_>,
    granted: &mut Granted,
    issues: &mut Vec<Issue>,
) {
    let mut refuse = |element: &str, words: String| {
        issues.push(Issue::rule(IssueCode::NotSupported, format!("{path}.{element}"), words));
    };
    for element in NARROWING.into_iter().filter(|element| provision.get(element).is_some()) {
        refuse(element, "is not understood: a label is shared as a whole, for every purpose".into());
    }
    if provision.get("modifierExtension").is_some() {
        refuse("modifierExtension", "is not understood".into());
    }
    if !is_root && provision.get("provision").is_some() {
        refuse("provision", "is not understood: provisions have one level below the first".into());
    }
    if !is_root && provision.get("period").is_some() {
        refuse("period", "is not understood here: the end of a Consent is that of its first provision".into());
    }
    for (at, action) in items(provision, "action").iter().enumerate() {
        if !codings(Some(action)).any(|found| found == (ACTION, ACCESS)) {
            let codes: Vec<&str> = codings(Some(action)).map(|(_, code)| code).collect();
            refuse(&format!("action[{at}]"), format!("the action {} is not understood: access is", codes.join(", ")));
        }
    }
    let labels = items(provision, "securityLabel");
    let kind = provision.get("type").and_then(Value::as_str);
    // The base, from which the provisions below are exceptions.
    if is_root && labels.is_empty() && kind == Some("deny") {
        return;
    }
    if kind.is_none() && !(is_refusal && labels.len() == 1) {
        refuse(
            "type",
            "is needed: permit or deny; without one only a single label under the policy OPTOUT or OPTOUTE is understood"
                .into(),
        );
    }
    let [label] = labels else {
        return refuse("securityLabel", "exactly one label is needed: only a named label is shared".into());
    };
    let (system, code) = coding(label);
    match (vocabulary.bit(system, code), kind) {
        (None, _) => refuse("securityLabel[0]", format!("{system}|{code} is no label that is known here")),
        (Some(bit), Some("deny")) => granted.denied |= bit,
        (Some(bit), _) => granted.permitted |= bit,
    }
}

/// The end of a Consent, in milliseconds: the period of its first provision has an end only. A day lasts until it is over, an
/// instant is that moment.
pub(super) fn end(provision: &Value, path: &str, issues: &mut Vec<Issue>) -> Option<i64> {
    let period = provision.get("period")?;
    if period.get("start").is_some() {
        let words = "is not understood: a Consent holds from the moment on at which it is stored";
        issues.push(Issue::rule(IssueCode::NotSupported, format!("{path}.period.start"), words));
    }
    let text = period.get("end")?.as_str().unwrap_or_default();
    let Some(span) = Span::read(text) else {
        issues.push(Issue::rule(IssueCode::Value, format!("{path}.period.end"), "is no date or time"));
        return None;
    };
    let has_time = DateTime::read(text).is_some_and(|read| read.time.is_some());
    Some(if has_time { span.low.div_euclid(1000) } else { span.high.div_euclid(1000) })
}
