//! What a path selects in a resource: which places, and of which types the elements there are.

use crate::issue::{Issue, IssueCode};
use crate::json::{Node, same};
use crate::patch::bounds::Budget;
use crate::patch::syntax::{ElementPath, Equation, PathStep};
use crate::structure::{Element, Structure, structure};

/// One member on the way from the resource, and the item of it where it is an array.
#[derive(Clone, Debug)]
pub(super) struct Hop {
    pub member: String,
    pub item: Option<usize>,
}

/// One element that a path selects.
#[derive(Clone, Debug)]
pub(super) struct Match<'n, 'a> {
    pub way: Vec<Hop>,
    pub type_name: &'static str,
    /// `None` for the resource itself.
    pub element: Option<&'static Element>,
    node: Option<&'n Node<'a>>,
    companion: Option<&'n Node<'a>>,
}

impl Match<'_, '_> {
    /// What elements it has; those of a primitive are in the member beside it, which `way_inside` leads to.
    pub fn structure(&self) -> Option<&'static Structure> {
        match self.type_name {
            "Resource" => structure(self.node?.get("resourceType")?.text()?),
            name => structure(name).or_else(|| structure("Element")),
        }
    }

    fn is_primitive(&self) -> bool {
        structure(self.type_name).is_none()
    }

    /// The way to the object that has its elements.
    pub fn way_inside(&self) -> Vec<Hop> {
        let mut way = self.way.clone();
        if self.is_primitive()
            && let Some(last) = way.last_mut()
        {
            last.member.insert(0, '_');
        }
        way
    }
}

/// All that a path selects in a resource.
pub(super) fn select<'n, 'a>(
    resource: &'n Node<'a>,
    path: &ElementPath,
    budget: &mut Budget,
) -> Result<Vec<Match<'n, 'a>>, Issue> {
    let type_name = resource.get("resourceType").and_then(Node::text).and_then(structure);
    let type_name = type_name.ok_or_else(|| Issue::not_fhir("", "the resource has no type"))?.name;
    let root = Match { way: Vec::new(), type_name, element: None, node: Some(resource), companion: None };
    let mut steps = path.0.as_slice();
    if let Some((PathStep::Member(name), rest)) = steps.split_first()
        && [type_name, "Resource", "DomainResource"].contains(&name.as_str())
    {
        steps = rest;
    }
    follow(vec![root], steps, budget)
}

fn follow<'n, 'a>(
    start: Vec<Match<'n, 'a>>,
    steps: &[PathStep],
    budget: &mut Budget,
) -> Result<Vec<Match<'n, 'a>>, Issue> {
    let mut matches = start;
    for step in steps {
        matches = match step {
            PathStep::Member(name) => {
                let mut below = Vec::new();
                for parent in &matches {
                    children(parent, name, &mut below, budget)?;
                }
                below
            }
            PathStep::Index(at) => matches.into_iter().skip(*at).take(1).collect(),
            PathStep::First => matches.into_iter().take(1).collect(),
            PathStep::Last => matches.pop().into_iter().collect(),
            PathStep::OfType(name) => matches.into_iter().filter(|found| is_of(found, name)).collect(),
            PathStep::Where(conditions) => {
                let mut kept = Vec::new();
                for found in matches {
                    if holds(&found, conditions, budget)? {
                        kept.push(found);
                    }
                }
                kept
            }
        };
    }
    Ok(matches)
}

fn is_of(found: &Match<'_, '_>, name: &str) -> bool {
    found.type_name == name || (found.type_name == "Resource" && found.structure().is_some_and(|own| own.name == name))
}

fn holds(found: &Match<'_, '_>, conditions: &[Equation], budget: &mut Budget) -> Result<bool, Issue> {
    for condition in conditions {
        let values = follow(vec![found.clone()], &condition.path.0, budget)?;
        let [one] = values.as_slice() else { return Ok(false) };
        if !one.node.is_some_and(|value| same(value, &condition.value)) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn children<'n, 'a>(
    parent: &Match<'n, 'a>,
    name: &str,
    below: &mut Vec<Match<'n, 'a>>,
    budget: &mut Budget,
) -> Result<(), Issue> {
    let known = parent.structure().ok_or_else(|| Issue::not_fhir("", "a resource in the resource has no type"))?;
    let element = known.element(name).ok_or_else(|| {
        let shown: String = name.chars().take(64).collect();
        Issue::rule(IssueCode::Value, "", format!("{} has no element {shown:?}", known.name))
    })?;
    let Some(object) = (if parent.is_primitive() { parent.companion } else { parent.node }) else { return Ok(()) };
    for element_type in &element.types {
        budget.pass(object.members().len())?;
        let member = if element.is_choice { element_type.member(name) } else { name.into() };
        let (node, companion) = (object.get(&member), object.get(&format!("_{member}")));
        let companion = companion.filter(|_| element_type.primitive.is_some());
        if node.is_none() && companion.is_none() {
            continue;
        }
        let found = |node: Option<&'n Node<'a>>, companion: Option<&'n Node<'a>>, item: Option<usize>| {
            let mut way = parent.way_inside();
            way.push(Hop { member: member.clone(), item });
            Match { way, type_name: element_type.name, element: Some(element), node, companion }
        };
        if !element.is_list {
            below.push(found(node, companion, None));
            continue;
        }
        let (nodes, companions) = (node.map_or(&[][..], Node::items), companion.map_or(&[][..], Node::items));
        for at in 0..nodes.len().max(companions.len()) {
            budget.pass(1)?;
            below.push(found(nodes.get(at), companions.get(at), Some(at)));
        }
    }
    Ok(())
}
