//! Elements that have a choice of types, and those of them that are times.

use crate::members::date::ClinicalDate;
use crate::tree::{member_mut, put_text, said, texts, tidy};
use fhir::json::Node;

/// The member that a choice of types has here, and its value.
pub(crate) fn chosen<'n, 'a>(node: &'n Node<'a>, name: &str) -> Option<(&'n str, &'n Node<'a>)> {
    let known = node.members().iter().find(|(member, _)| is_choice(member, name))?;
    Some((known.0.as_ref(), &known.1))
}

fn is_choice(member: &str, name: &str) -> bool {
    member.strip_prefix(name).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Takes whatever it is away, with what extends it.
pub(crate) fn clear(node: &mut Node<'_>, name: &str) {
    if let Node::Object(members) = node {
        members.retain(|(member, _)| !is_choice(member.strip_prefix('_').unwrap_or(member), name));
    }
}

/// When it began: a date, a moment, or the start of a period.
pub(crate) fn start(node: &Node<'_>, name: &str) -> Option<ClinicalDate> {
    let (member, value) = chosen(node, name)?;
    let text = match member.strip_prefix(name)? {
        "DateTime" | "Instant" => value.text(),
        "Period" => said(value, "start"),
        _ => None,
    };
    text.map(|text| ClinicalDate(text.into()))
}

/// When it ended: the end of a period.
pub(crate) fn end(node: &Node<'_>, name: &str) -> Option<ClinicalDate> {
    let (member, value) = chosen(node, name)?;
    (member.strip_prefix(name)? == "Period").then(|| said(value, "end"))?.map(|text| ClinicalDate(text.into()))
}

/// Changes when it began, and keeps the end of a period.
pub(crate) fn set_start(node: &mut Node<'_>, name: &str, date: Option<&ClinicalDate>) {
    let (moment, period) = (format!("{name}DateTime"), format!("{name}Period"));
    let words = date.map(|date| date.0.as_str());
    if end(node, name).is_some()
        && let Some(period) = node.get_mut(&period)
    {
        return put_text(period, "start", words);
    }
    if words.is_none() || node.get(&moment).is_none() {
        clear(node, name);
    }
    put_text(node, &moment, words);
}

/// Changes both ends of a period, which becomes one if it was none.
pub(crate) fn set_period(node: &mut Node<'_>, name: &str, start: Option<&ClinicalDate>, end: Option<&ClinicalDate>) {
    let period = format!("{name}Period");
    let text = |date: Option<&ClinicalDate>| date.map(|date| date.0.clone());
    let (start, end) = (text(start), text(end));
    if node.get(&period).is_none() {
        clear(node, name);
        if start.is_some() || end.is_some() {
            node.set(&period, texts([("start", start.as_deref()), ("end", end.as_deref())]));
        }
        return;
    }
    if let Some(known) = member_mut(node, &period) {
        put_text(known, "start", start.as_deref());
        put_text(known, "end", end.as_deref());
    }
    tidy(node, &period);
}
