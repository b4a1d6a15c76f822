//! The reactions of an allergy: what they look like, as a list of words, and how grave the gravest is.

use crate::elements::code;
use crate::members::words::words;
use crate::tree::{items, items_mut, object, put_text, said, text, tidy};
use fhir::json::Node;

const REACTION: &str = "reaction";
const MANIFESTATION: &str = "manifestation";

words! {
    pub enum Severity {
        Mild = "MILD",
        Moderate = "MODERATE",
        Severe = "SEVERE",
    }
}

impl Severity {
    const fn code(self) -> &'static str {
        match self {
            Self::Mild => "mild",
            Self::Moderate => "moderate",
            Self::Severe => "severe",
        }
    }

    fn of_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.code() == code)
    }

    const fn rank(self) -> u8 {
        self as u8
    }
}

/// What all reactions look like, in their order.
pub(super) fn listed(allergy: &Node<'_>) -> Vec<String> {
    let manifestations = items(allergy, REACTION).iter().flat_map(|reaction| items(reaction, MANIFESTATION));
    manifestations.filter_map(|one| code::name(Some(one))).collect()
}

/// The gravest.
pub(super) fn severity(allergy: &Node<'_>) -> Option<Severity> {
    let all = items(allergy, REACTION).iter().filter_map(|reaction| Severity::of_code(said(reaction, "severity")?));
    all.max_by_key(|severity| severity.rank())
}

/// Has the reactions look like this. What is listed stays where it is, with what is known of it; what is new joins the last.
pub(super) fn write(allergy: &mut Node<'_>, sent: &[String]) {
    if listed(allergy) == sent {
        return;
    }
    let Some(reactions) = items_mut(allergy, REACTION) else { return };
    let mut left: Vec<&String> = sent.iter().collect();
    for reaction in reactions.iter_mut() {
        if let Some(manifestations) = items_mut(reaction, MANIFESTATION) {
            manifestations.retain(|one| match code::name(Some(one)) {
                // What is not shown is not meant.
                None => true,
                Some(name) => match left.iter().position(|word| **word == name) {
                    Some(at) => {
                        left.remove(at);
                        true
                    }
                    None => false,
                },
            });
        }
    }
    // A reaction that looks like nothing is none.
    reactions.retain(|reaction| !items(reaction, MANIFESTATION).is_empty());
    if reactions.is_empty() && !left.is_empty() {
        reactions.push(object([]));
    }
    let is_alone = reactions.len() == 1;
    if let Some(manifestations) = reactions.last_mut().and_then(|reaction| items_mut(reaction, MANIFESTATION)) {
        manifestations.extend(left.into_iter().map(|word| object([("text", text(word))])));
        if is_alone {
            let place = |one: &Node<'_>| {
                let name = code::name(Some(one));
                sent.iter().position(|word| Some(word) == name.as_ref())
            };
            manifestations.sort_by_key(|one| place(one).unwrap_or(usize::MAX));
        }
    }
    tidy(allergy, REACTION);
}

/// Has the gravest be this: those that are graver are no more than that, and the first is, if none is.
pub(super) fn write_severity(allergy: &mut Node<'_>, severity: Option<Severity>) {
    if self::severity(allergy) == severity || items(allergy, REACTION).is_empty() {
        return;
    }
    let Some(reactions) = items_mut(allergy, REACTION) else { return };
    for reaction in reactions.iter_mut() {
        let own = said(reaction, "severity").and_then(Severity::of_code);
        match severity {
            Some(most) if own.is_some_and(|own| own.rank() > most.rank()) => {
                put_text(reaction, "severity", Some(most.code()));
            }
            None => put_text(reaction, "severity", None),
            Some(_) => {}
        }
    }
    let is_said = |reaction: &Node<'_>| said(reaction, "severity").and_then(Severity::of_code) == severity;
    if let Some(severity) = severity
        && !reactions.iter().any(is_said)
        && let Some(first) = reactions.first_mut()
    {
        put_text(first, "severity", Some(severity.code()));
    }
}
