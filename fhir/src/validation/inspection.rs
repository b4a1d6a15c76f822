//! The walk through a resource beside the structure of its type.

use crate::issue::{Issue, IssueCode};
use crate::json::Node;
use crate::structure::{Element, ElementType, Primitive, Structure, structure};
use crate::types;
use crate::validation::contained::{self, Containment};
use crate::validation::findings::Findings;
use crate::validation::invariants::{self, Scope};
use crate::validation::{coding, narrative, primitive, target};

/// A walk, and the resource that it is in: of a contained one, the resource that contains it.
pub(super) struct Inspection<'n, 'a> {
    findings: Findings<'n>,
    resource: &'n Node<'a>,
    /// What that resource contains.
    contained: Containment<'n>,
    /// Whether a transaction is to store it.
    is_requested: bool,
}

impl<'n, 'a> Inspection<'n, 'a> {
    /// Walks through a whole resource, and tells of at most so many issues.
    pub fn through(resource: &'n Node<'a>, most: usize) -> Vec<Issue> {
        let (findings, contained) = (Findings::new(most), Containment::of(resource));
        let mut walk = Self { findings, resource, contained, is_requested: false };
        if let Some(known) = walk.structure_of(resource) {
            walk.findings.enter(known.name, None);
            walk.object(resource, known);
            contained::check(resource, &mut walk.findings);
        }
        walk.findings.into_issues()
    }

    /// A resource inside of another: contained in it, or on its own in a Bundle or in Parameters.
    fn resource(&mut self, node: &'n Node<'a>, is_contained: bool) {
        let Some(known) = self.structure_of(node) else { return };
        if is_contained {
            return self.object(node, known);
        }
        let is_requested = self.resource.get("type").and_then(Node::text) == Some("transaction");
        let before = std::mem::replace(&mut self.is_requested, is_requested);
        let outer = std::mem::replace(&mut self.resource, node);
        let beside = std::mem::replace(&mut self.contained, Containment::of(node));
        self.object(node, known);
        contained::check(node, &mut self.findings);
        (self.resource, self.contained, self.is_requested) = (outer, beside, before);
    }

    fn structure_of(&mut self, node: &Node<'_>) -> Option<&'static Structure> {
        let Node::Object(_) = node else {
            self.findings.not_fhir(format!("a resource must be an object, not {}", node.sort()));
            return None;
        };
        let named = node.get("resourceType").and_then(Node::text).unwrap_or_default();
        let known = types::named(named).and_then(|resource_type| structure(resource_type.name()));
        if known.is_none() {
            self.findings.not_fhir("resourceType must be the name of a FHIR R4 resource type");
        }
        known
    }

    fn object(&mut self, node: &'n Node<'a>, known: &'static Structure) {
        let Node::Object(members) = node else {
            return self.findings.here(IssueCode::Structure, format!("must be an object, not {}", node.sort()));
        };
        if members.is_empty() {
            return self.findings.here(IssueCode::Structure, "an object must not be empty");
        }
        // Which elements are there, and of a choice under which name.
        let mut there = vec![""; known.elements.len()];
        for (name, value) in members {
            if self.findings.is_full() {
                return;
            }
            if name == "resourceType" && known.is_resource {
                continue;
            }
            self.member(node, known, (name, value), &mut there);
        }
        for (element, name) in known.elements.iter().zip(&there) {
            if element.is_required && name.is_empty() {
                self.findings.at(element.name, IssueCode::Required, "must be there");
            }
        }
        let scope = Scope { node, resource: self.resource };
        for invariant in invariants::of(known.name) {
            if !(invariant.holds)(&scope) {
                self.findings.here(IssueCode::Invariant, format!("{}: {}", invariant.key, invariant.human));
            }
        }
    }

    fn member(
        &mut self,
        holder: &'n Node<'a>,
        known: &'static Structure,
        (name, value): (&'n str, &'n Node<'a>),
        there: &mut [&'n str],
    ) {
        let plain = name.strip_prefix('_');
        let Some((at, element, element_type)) = known.member(plain.unwrap_or(name)) else {
            return self.findings.at(name, IssueCode::Structure, format!("{} has no such element", known.name));
        };
        if plain.is_some() && element_type.primitive.is_none() {
            return self.findings.at(
                name,
                IssueCode::Structure,
                "only primitive elements have a member with an underscore",
            );
        }
        if let Some(first) = there.get_mut(at) {
            if first.is_empty() {
                *first = plain.unwrap_or(name);
            } else if *first != plain.unwrap_or(name) {
                let text = format!("only one of {first} and {} may be there", plain.unwrap_or(name));
                self.findings.at(element.name, IssueCode::Structure, text);
            }
        }
        match (element.is_list, value) {
            (true, Node::Array(items)) => self.items(holder, element, element_type, (name, items)),
            (true, _) => {
                let text = format!("must be an array, not {}", value.sort());
                self.findings.at(element.name, IssueCode::Structure, text);
            }
            (false, Node::Array(_)) => {
                self.findings.at(
                    element.name,
                    IssueCode::Structure,
                    "may be there only once, so it must not be an array",
                );
            }
            (false, Node::Null) => self.findings.at(element.name, IssueCode::Structure, "must not be null"),
            (false, _) => {
                self.findings.enter(element.name, None);
                self.value(value, element, element_type, plain.is_some());
                self.findings.leave();
            }
        }
    }

    fn items(
        &mut self,
        holder: &'n Node<'a>,
        element: &'static Element,
        element_type: &'static ElementType,
        (name, items): (&'n str, &'n [Node<'a>]),
    ) {
        if items.is_empty() {
            self.findings.at(element.name, IssueCode::Structure, "an array must not be empty");
        }
        // Null keeps the place of an item that has a value or an extension in the other of the two arrays.
        let other = name.strip_prefix('_').map_or_else(|| format!("_{name}"), String::from);
        let twins = if items.iter().any(|item| matches!(item, Node::Null)) { holder.get(&other) } else { None };
        for (at, item) in items.iter().enumerate() {
            if self.findings.is_full() {
                return;
            }
            self.findings.enter(element.name, Some(at));
            match item {
                Node::Null if element_type.primitive.is_some() => {
                    if twins.and_then(|twins| twins.items().get(at)).is_none_or(|twin| matches!(twin, Node::Null)) {
                        self.findings.here(IssueCode::Structure, "must not be null without a value or an extension");
                    }
                }
                _ => self.value(item, element, element_type, name.starts_with('_')),
            }
            self.findings.leave();
        }
    }

    fn value(
        &mut self,
        value: &'n Node<'a>,
        element: &'static Element,
        element_type: &'static ElementType,
        is_companion: bool,
    ) {
        if is_companion {
            if let Some(known) = structure("Element") {
                self.object(value, known);
            }
        } else if let Some(primitive) = element_type.primitive {
            self.primitive(value, element, primitive);
        } else if element_type.is_resource() {
            self.resource(value, element.name == "contained");
        } else if let Some(known) = structure(element_type.name) {
            self.object(value, known);
            match element_type.name {
                "CodeableConcept" => {
                    if let Some(binding) = element.binding() {
                        coding::check(value, binding, &mut self.findings);
                    }
                }
                "Reference" => {
                    let at = (&self.contained, self.is_requested);
                    target::check(value, element_type, at, &mut self.findings);
                }
                _ => {}
            }
        }
    }

    fn primitive(&mut self, value: &Node<'_>, element: &'static Element, primitive: Primitive) {
        if primitive == Primitive::Xhtml {
            return narrative::check(value, &mut self.findings);
        }
        if let Err((code, text)) = primitive::check(primitive, value) {
            return self.findings.here(code, text);
        }
        if let (Some(binding), Some(code)) = (element.binding(), value.text())
            && !binding.has_code(code)
        {
            self.findings.here(IssueCode::CodeInvalid, coding::unknown(binding));
        }
    }
}
