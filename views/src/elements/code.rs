//! A CodeableConcept as a name and its first coding.

use crate::members::faults::Faults;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::tree::{first, items, items_mut, member_mut, put_text, said, texts, tidy};
use fhir::json::Node;
use rules::rest_faults::ValueFault;

json_body! {
    /// One coding: where it is from, the code itself, and how it is called there.
    pub struct Code {
        "system" => system: Option<String>,
        "code" => code: Option<String>,
        "display" => display: Option<String>,
    }
}

impl Code {
    /// The first coding of a concept.
    #[must_use]
    pub fn of(concept: Option<&Node<'_>>) -> Option<Self> {
        let coding = first(concept?, "coding")?;
        let text = |name| said(coding, name).map(String::from);
        Some(Self { system: text("system"), code: text("code"), display: text("display") })
    }

    /// What is wrong with one that was sent.
    pub(crate) fn check(&self, place: Place<'_>, faults: &mut Faults) {
        if let Some(system) = &self.system
            && system.contains(char::is_whitespace)
        {
            faults.value(place.member("system"), &ValueFault::NoUri);
        }
        match &self.code {
            Some(code) if code.split(char::is_whitespace).any(str::is_empty) => {
                faults.value(place.member("code"), &ValueFault::NoCode);
            }
            None if self.display.is_none() => faults.value(place, &ValueFault::Needs("code")),
            _ => {}
        }
    }

    fn node(&self) -> Node<'static> {
        texts([
            ("system", self.system.as_deref()),
            ("code", self.code.as_deref()),
            ("display", self.display.as_deref()),
        ])
    }
}

/// The text of a concept.
pub(crate) fn plain_name(concept: Option<&Node<'_>>) -> Option<String> {
    said(concept?, "text").map(String::from)
}

/// The text of a concept, or what the first coding that says so calls it.
pub(crate) fn name(concept: Option<&Node<'_>>) -> Option<String> {
    let concept = concept?;
    let displayed = || items(concept, "coding").iter().find_map(|coding| said(coding, "display"));
    said(concept, "text").or_else(displayed).map(String::from)
}

/// Whether a concept has this coding.
pub(crate) fn has(concept: &Node<'_>, system: &str, code: &str) -> bool {
    coded(concept, system).any(|known| known == code)
}

/// Whether one of the concepts of a member that can be repeated has this coding.
pub(crate) fn any_has(resource: &Node<'_>, member: &str, system: &str, code: &str) -> bool {
    items(resource, member).iter().any(|concept| has(concept, system, code))
}

/// The codes of a concept in a system.
pub(crate) fn coded<'n>(concept: &'n Node<'_>, system: &'n str) -> impl Iterator<Item = &'n str> {
    let of_system = move |coding: &&Node<'_>| said(coding, "system") == Some(system);
    items(concept, "coding").iter().filter(of_system).filter_map(|coding| said(coding, "code"))
}

/// A concept of one coding.
pub(crate) fn concept(system: &str, code: &str, display: Option<&str>) -> Node<'static> {
    let coding = texts([("system", Some(system)), ("code", Some(code)), ("display", display)]);
    crate::tree::object([("coding", crate::tree::array([coding]))])
}

/// Gives the concept that is a member another code in a system, beside what it says in others.
pub(crate) fn set_coded(resource: &mut Node<'_>, member: &str, system: &str, code: &str) {
    let Some(concept) = member_mut(resource, member) else { return };
    // What it said in words was about the code before.
    concept.remove("text");
    let Some(codings) = items_mut(concept, "coding") else { return };
    let new = texts([("system", Some(system)), ("code", Some(code))]);
    match codings.iter_mut().find(|coding| said(coding, "system") == Some(system)) {
        Some(known) => *known = new,
        None => codings.insert(0, new),
    }
}

/// What changed of a concept: its name, its first coding.
#[derive(Debug)]
pub(crate) struct ConceptChange<'c> {
    pub name: (&'c Option<String>, &'c Option<String>),
    pub code: (&'c Option<Code>, &'c Option<Code>),
}

impl ConceptChange<'_> {
    /// Makes the concept that is a member say it. Its further codings say the same in other systems: they stay with the code, and
    /// go with it, so that nobody finds another meaning under them than is shown.
    pub fn write(&self, resource: &mut Node<'_>, member: &str) {
        if self.name.0 == self.name.1 && self.code.0 == self.code.1 {
            return;
        }
        let Some(concept) = member_mut(resource, member) else { return };
        if self.code.0 != self.code.1
            && let Some(codings) = items_mut(concept, "coding")
        {
            let is_same = |one: &Code, other: &Code| (&one.system, &one.code) == (&other.system, &other.code);
            match (codings.first_mut(), self.code.0, self.code.1) {
                (Some(known), Some(was), Some(now)) if is_same(was, now) => {
                    put_text(known, "display", now.display.as_deref());
                }
                (_, _, Some(now)) => *codings = vec![now.node()],
                (_, _, None) => codings.clear(),
            }
            tidy(concept, "coding");
        }
        if self.name.0 != self.name.1 {
            put_text(concept, "text", self.name.1.as_deref());
        }
        tidy(resource, member);
    }
}
