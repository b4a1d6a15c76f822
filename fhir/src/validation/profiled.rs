//! Whether a resource keeps to profiles: to one that is asked for, and to those that it says itself it keeps to.

use crate::issue::{Issue, IssueCode};
use crate::json::Node;
use crate::structure::{Claim, Profile, ProfileRule};
use crate::types;
use crate::validation::contained::Containment;
use crate::validation::findings::Findings;
use crate::validation::invariants::{self, Scope};
use crate::validation::places::{self, Place};
use crate::validation::{coding, target};
use std::collections::BTreeSet;

const CLAIMS: &str = "meta.profile";
/// Characters of a URL that are told: a sender's own can be of any length.
const SHOWN: usize = 200;

/// What came of it.
#[derive(Debug)]
pub struct Judgement {
    /// What is against a profile.
    pub errors: Vec<Issue>,
    /// What nobody here can look at: profiles that are not known, and what goes by other resources.
    pub unseen: Vec<Issue>,
}

/// Judges a resource, and all that is in it, by the profiles that each claims; the whole by one that is asked for too. Of each
/// list, so many are told at most.
#[must_use]
pub fn judge(resource: &Node<'_>, asked: Option<&'static Profile>, most: usize) -> Judgement {
    let contained = Containment::of(resource);
    let mut walk = ProfileWalk { errors: Findings::new(most), unseen: Findings::new(most), contained };
    walk.enter(type_of(resource).unwrap_or_default(), None);
    if let Some(profile) = asked.filter(|asked| type_of(resource) == Some(asked.of)) {
        walk.by(resource, profile);
    }
    walk.through(resource, asked);
    Judgement { errors: told(walk.errors), unseen: told(walk.unseen) }
}

/// The same is told once, though several rules say it.
fn told(findings: Findings<'_>) -> Vec<Issue> {
    let mut issues: Vec<Issue> = Vec::new();
    for issue in findings.into_issues() {
        if !issues.contains(&issue) {
            issues.push(issue);
        }
    }
    issues
}

fn type_of<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    node.get("resourceType").and_then(Node::text).filter(|name| types::named(name).is_some())
}

/// A walk through a resource in search of claims, and where it is.
struct ProfileWalk<'n> {
    errors: Findings<'n>,
    unseen: Findings<'n>,
    /// What the resource contains that is judged, or that it is contained in.
    contained: Containment<'n>,
}

impl<'n> ProfileWalk<'n> {
    fn enter(&mut self, name: &'n str, item: Option<usize>) {
        self.errors.enter(name, item);
        self.unseen.enter(name, item);
    }

    fn leave(&mut self) {
        self.errors.leave();
        self.unseen.leave();
    }

    /// Judges what is here by its claims, and all that is in it. What was asked for has been looked at.
    fn through(&mut self, node: &'n Node<'_>, asked: Option<&'static Profile>) {
        if let Some(name) = type_of(node) {
            self.claims(node, name, asked);
        }
        for (name, value) in node.members() {
            if let Node::Array(items) = value {
                for (at, item) in items.iter().enumerate() {
                    self.inside(name, Some(at), item);
                }
            } else {
                self.inside(name, None, value);
            }
        }
    }

    fn inside(&mut self, name: &'n str, item: Option<usize>, node: &'n Node<'_>) {
        if node.members().is_empty() {
            return;
        }
        self.enter(name, item);
        if name != "contained" && type_of(node).is_some() {
            let beside = std::mem::replace(&mut self.contained, Containment::of(node));
            self.through(node, None);
            self.contained = beside;
        } else {
            self.through(node, None);
        }
        self.leave();
    }

    fn claims(&mut self, node: &'n Node<'_>, name: &str, asked: Option<&'static Profile>) {
        let claimed = node.get("meta").and_then(|meta| meta.get("profile")).map(Node::items).unwrap_or_default();
        // However often one is claimed, it is looked at once.
        let claimed: BTreeSet<&str> = claimed.iter().filter_map(Node::text).collect();
        for url in claimed {
            match Claim::read(url, name) {
                Claim::Base => {}
                Claim::Profile(profile) if profile.of != name => {
                    let text = format!("the profile {} is of {}, not of {name}", profile.name, profile.of);
                    self.errors.at(CLAIMS, IssueCode::Value, text);
                }
                Claim::Profile(profile) if asked.is_some_and(|asked| asked.name == profile.name) => {}
                Claim::Profile(profile) => self.by(node, profile),
                Claim::Unknown => {
                    let url: String = url.chars().take(SHOWN).collect();
                    let text = format!("the profile {url} is not known here: nobody has looked whether it is kept");
                    self.unseen.at(CLAIMS, IssueCode::NotSupported, text);
                }
            }
        }
    }

    /// Judges a resource by a profile.
    fn by(&mut self, resource: &'n Node<'_>, profile: &'static Profile) {
        let mut fitting = Fitting { walk: self, resource, name: profile.name };
        fitting.invariants(resource, &profile.invariants);
        fitting.hold(resource, &profile.rules);
    }
}

/// A walk through the rules of a profile.
struct Fitting<'w, 'n, 'a> {
    walk: &'w mut ProfileWalk<'n>,
    resource: &'n Node<'a>,
    name: &'static str,
}

impl<'n, 'a> Fitting<'_, 'n, 'a> {
    fn hold(&mut self, holder: &'n Node<'a>, rules: &'static [ProfileRule]) {
        for rule in rules {
            if self.walk.errors.is_full() {
                return;
            }
            let places = places::of(holder, rule);
            self.number(rule, places.len());
            for place in places {
                self.walk.enter(rule.name, place.item);
                self.place(&place, rule);
                self.walk.leave();
            }
        }
    }

    fn number(&mut self, rule: &ProfileRule, there: usize) {
        let (which, profile) = (slice(rule), self.name);
        if there < rule.least {
            let times = if rule.least > 1 { format!(" at least {} times", rule.least) } else { String::new() };
            let text = format!("must be there{times}{which} (profile {profile})");
            self.walk.errors.at(rule.name, IssueCode::Required, text);
        } else if let Some(most) = rule.most.filter(|most| there > *most) {
            let text = match most {
                0 => format!("must not be there{which} (profile {profile})"),
                most => format!("may be there {most} times at most{which} (profile {profile})"),
            };
            self.walk.errors.at(rule.name, IssueCode::Structure, text);
        }
        if rule.is_unseen && there > 0 {
            let text = format!("goes by what it refers to: nobody has looked whether that is kept (profile {profile})");
            self.walk.unseen.at(rule.name, IssueCode::NotSupported, text);
        }
    }

    fn place(&mut self, place: &Place<'n, 'a>, rule: &'static ProfileRule) {
        if rule.is_choice && !rule.types.is_empty() {
            let is_of =
                |kind: &str| place.member.strip_prefix(rule.name).is_some_and(|rest| places::is_type(rest, kind));
            if !rule.types.iter().any(|known| is_of(known.name)) {
                let names: Vec<&str> = rule.types.iter().map(|known| known.name).collect();
                return self.wrong(IssueCode::Value, format!("must be of the type {}", names.join(" or ")));
            }
        }
        let wanted = rule.fixed.or(rule.pattern);
        if let Some(json) = wanted.filter(|_| !place.value.is_some_and(|value| places::is_fixed(value, rule))) {
            let verb = if rule.fixed.is_some() { "be" } else { "have" };
            return self.wrong(IssueCode::Value, format!("must {verb} {json}"));
        }
        let Some(value) = place.value else { return };
        if let [kind] = rule.types.as_slice()
            && let Some(text) = target::astray(value, kind, &self.walk.contained)
        {
            self.wrong(IssueCode::Value, text);
        }
        if let Some(binding) = rule.binding() {
            let codings = value.get("coding").map(Node::items);
            let is_known = match (value, codings) {
                // A text of a choice is no code.
                (Node::Text(code), _) => rule.is_choice || binding.has_code(code),
                (_, Some(codings)) => codings.iter().any(|coding| coding::is_of(coding, binding)),
                (_, None) => value.get("code").is_none() || coding::is_of(value, binding),
            };
            if !is_known {
                self.wrong(IssueCode::CodeInvalid, coding::unknown(binding));
            }
        }
        self.invariants(value, &rule.invariants);
        self.hold(value, &rule.rules);
    }

    fn invariants(&mut self, node: &'n Node<'a>, keys: &[&str]) {
        let scope = Scope { node, resource: self.resource };
        for invariant in keys.iter().filter_map(|key| invariants::named(key)) {
            if !(invariant.holds)(&scope) {
                self.wrong(IssueCode::Invariant, format!("{}: {}", invariant.key, invariant.human));
            }
        }
    }

    fn wrong(&mut self, code: IssueCode, text: String) {
        let profile = self.name;
        self.walk.errors.here(code, format!("{text} (profile {profile})"));
    }
}

/// Which items of an element are meant, in words.
fn slice(rule: &ProfileRule) -> String {
    let Some(name) = rule.slice else { return String::new() };
    if rule.is_choice {
        return format!(" as {name}");
    }
    let mut told = Vec::new();
    tells(rule, "", &mut told);
    format!(" as {name}, with {}", told.join(" and "))
}

/// By what the items of a slice are told from others.
fn tells(rule: &ProfileRule, way: &str, told: &mut Vec<String>) {
    for inner in rule.rules.iter().filter(|inner| inner.tells) {
        let way = if way.is_empty() { inner.name.to_owned() } else { format!("{way}.{}", inner.name) };
        if let Some(json) = inner.fixed.or(inner.pattern) {
            told.push(format!("{way} {json}"));
        }
        tells(inner, &way, told);
    }
}

#[cfg(test)]
#[path = "profiled_tests.rs"]
mod tests;
