//! Links between resources that are stored together: what one calls another is replaced by what that will be called. By R4 that is
//! in references, in elements of the types uri, url, oid and uuid, and in the links and pictures of a narrative; not in canonicals.

use crate::issue::{Issue, IssueCode};
use crate::json::{Node, print, read};
use crate::structure::{Primitive, Structure, structure};
use crate::types;
use std::borrow::Cow;
use std::collections::HashMap;

/// What resources were called, and what they will be: `urn:uuid:…` and `Patient/1`.
#[derive(Clone, Debug, Default)]
pub struct Links {
    names: HashMap<String, String>,
}

impl Links {
    pub fn add(&mut self, called: impl Into<String>, will_be: impl Into<String>) {
        self.names.insert(called.into(), will_be.into());
    }

    #[must_use]
    pub fn has(&self, called: &str) -> bool {
        self.names.contains_key(called)
    }

    /// A resource, as compact JSON, with all its links replaced. `base` is what its references are relative to, where that is
    /// another server. A reference to something that came with it, and did not, is told with its element.
    pub fn replaced(&self, compact: &str, base: Option<&str>) -> Result<String, Vec<Issue>> {
        let Some(mut resource) = read(compact) else { return Ok(compact.to_owned()) };
        let Some(known) = of_resource(&resource) else { return Ok(compact.to_owned()) };
        let mut walk =
            LinkWalk { links: self, base, path: known.name.to_owned(), issues: Vec::new(), is_changed: false };
        walk.object(&mut resource, known);
        match (walk.issues.is_empty(), walk.is_changed) {
            (false, _) => Err(walk.issues),
            (true, false) => Ok(compact.to_owned()),
            (true, true) => Ok(print(&resource)),
        }
    }
}

/// The conditional references of a resource, as compact JSON: `Patient?identifier=1`, each with its element.
#[must_use]
pub fn conditional(compact: &str) -> Vec<(String, String)> {
    let (mut found, Some(resource)) = (Vec::new(), read(compact)) else { return Vec::new() };
    let root = resource.get("resourceType").and_then(Node::text).unwrap_or_default().to_owned();
    collect(&resource, &root, &mut found);
    found
}

/// The type and the criteria of a conditional reference.
#[must_use]
pub fn criteria(reference: &str) -> Option<(types::ResourceType, &str)> {
    let (name, criteria) = reference.split_once('?')?;
    Some((types::named(name)?, criteria))
}

fn collect(node: &Node<'_>, path: &str, found: &mut Vec<(String, String)>) {
    if let Some(reference) = node.get("reference").and_then(Node::text).filter(|text| criteria(text).is_some()) {
        found.push((path.to_owned(), reference.to_owned()));
    }
    for (name, value) in node.members() {
        collect(value, &format!("{path}.{name}"), found);
    }
    for (at, item) in node.items().iter().enumerate() {
        collect(item, &format!("{path}[{at}]"), found);
    }
}

fn of_resource(node: &Node<'_>) -> Option<&'static Structure> {
    let named = node.get("resourceType").and_then(Node::text)?;
    structure(types::named(named)?.name())
}

/// A walk through a resource beside the structure of its type.
struct LinkWalk<'l> {
    links: &'l Links,
    base: Option<&'l str>,
    path: String,
    issues: Vec<Issue>,
    is_changed: bool,
}

impl LinkWalk<'_> {
    fn object(&mut self, node: &mut Node<'_>, known: &'static Structure) {
        let Node::Object(members) = node else { return };
        for (name, value) in members {
            let (plain, is_companion) = name.strip_prefix('_').map_or((&**name, false), |plain| (plain, true));
            let Some((_, _, element_type)) = known.member(plain) else { continue };
            let length = self.path.len();
            self.path.push('.');
            self.path.push_str(plain);
            if is_companion {
                self.each(value, |walk, value| walk.object_of(value, structure("Element")));
            } else if known.name == "Reference" && plain == "reference" {
                self.path.truncate(length);
                self.reference(value);
            } else if let Some(primitive) = element_type.primitive {
                self.each(value, |walk, value| walk.primitive(value, primitive));
            } else if element_type.is_resource() {
                self.each(value, |walk, value| walk.object_of(value, of_resource(value)));
            } else {
                self.each(value, |walk, value| walk.object_of(value, structure(element_type.name)));
            }
            self.path.truncate(length);
        }
    }

    fn object_of(&mut self, node: &mut Node<'_>, known: Option<&'static Structure>) {
        if let Some(known) = known {
            self.object(node, known);
        }
    }

    /// Every item of an array, or what is no array itself.
    fn each(&mut self, value: &mut Node<'_>, one: impl Fn(&mut Self, &mut Node<'_>)) {
        match value {
            Node::Array(items) => {
                let length = self.path.len();
                for (at, item) in items.iter_mut().enumerate() {
                    self.path.push_str(&format!("[{at}]"));
                    one(self, item);
                    self.path.truncate(length);
                }
            }
            value => one(self, value),
        }
    }

    fn reference(&mut self, value: &mut Node<'_>) {
        let Some(text) = value.text() else { return };
        let below = || self.base.filter(|_| !text.contains(':')).map(|base| format!("{base}/{text}"));
        let link = self.links.names.get(text).or_else(|| self.links.names.get(&below()?));
        match link {
            Some(link) => {
                *value = Node::Text(Cow::Owned(link.clone()));
                self.is_changed = true;
            }
            None if text.starts_with("urn:uuid:") || text.starts_with("urn:oid:") => {
                let words = format!("{text} is the full URL of no entry that is stored with this");
                self.issues.push(Issue::rule(IssueCode::NotFound, self.path.clone(), words));
            }
            None => {}
        }
    }

    fn primitive(&mut self, value: &mut Node<'_>, primitive: Primitive) {
        let Some(text) = value.text() else { return };
        let changed = match primitive {
            Primitive::Uri | Primitive::Url | Primitive::Oid | Primitive::Uuid => self.links.names.get(text).cloned(),
            Primitive::Xhtml => self.narrative(text),
            _ => None,
        };
        if let Some(changed) = changed {
            *value = Node::Text(Cow::Owned(changed));
            self.is_changed = true;
        }
    }

    /// Links and pictures, whichever quotation marks they have.
    fn narrative(&self, text: &str) -> Option<String> {
        let (mut made, mut rest) = (String::new(), text);
        while let Some((at, mark)) = ["href=\"", "src=\"", "href='", "src='"]
            .iter()
            .filter_map(|mark| rest.find(mark).map(|at| (at + mark.len(), mark.ends_with('\''))))
            .min()
        {
            let (before, behind) = rest.split_at(at);
            let end = behind.find(if mark { '\'' } else { '"' }).unwrap_or(behind.len());
            let (url, after) = behind.split_at(end);
            made.push_str(before);
            made.push_str(self.links.names.get(url).map_or(url, String::as_str));
            rest = after;
        }
        made.push_str(rest);
        (made != text).then_some(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links() -> Links {
        let mut links = Links::default();
        links.add("urn:uuid:a", "Patient/1");
        links.add("http://other.example/r4/Patient/7", "Patient/8");
        links.add("Patient?identifier=x", "Patient/9");
        links
    }

    #[test]
    fn references_and_uris_are_replaced_and_what_only_looks_like_one_is_not() {
        let text = concat!(
            r#"{"resourceType":"Observation","text":{"status":"generated","div":"<div><a href=\"urn:uuid:a\">urn:uuid:a</a></div>"},"#,
            r#""extension":[{"url":"urn:x","valueUri":"urn:uuid:a"},{"url":"urn:y","valueCanonical":"urn:uuid:a"}],"#,
            r#""identifier":[{"value":"urn:uuid:a"}],"subject":{"reference":"urn:uuid:a","display":"urn:uuid:a"},"#,
            r#""performer":[{"reference":"Patient?identifier=x"},{"reference":"Patient/7"}],"valueQuantity":{"value":1.50}}"#,
        );
        let replaced = links().replaced(text, None).unwrap();
        let expected = concat!(
            r#"{"resourceType":"Observation","text":{"status":"generated","div":"<div><a href=\"Patient/1\">urn:uuid:a</a></div>"},"#,
            r#""extension":[{"url":"urn:x","valueUri":"Patient/1"},{"url":"urn:y","valueCanonical":"urn:uuid:a"}],"#,
            r#""identifier":[{"value":"urn:uuid:a"}],"subject":{"reference":"Patient/1","display":"urn:uuid:a"},"#,
            r#""performer":[{"reference":"Patient/9"},{"reference":"Patient/7"}],"valueQuantity":{"value":1.50}}"#,
        );
        assert_eq!(replaced, expected);
        let relative = links().replaced(text, Some("http://other.example/r4")).unwrap();
        assert_eq!(relative, expected.replace("Patient/7", "Patient/8"));
    }

    #[test]
    fn contained_resources_and_extensions_of_primitives_are_walked_through() {
        let text = concat!(
            r#"{"resourceType":"Patient","contained":[{"resourceType":"Group","managingEntity":{"reference":"urn:uuid:a"}}],"#,
            r#""_birthDate":{"extension":[{"url":"urn:x","valueReference":{"reference":"urn:uuid:a"}}]}}"#,
        );
        assert_eq!(links().replaced(text, None).unwrap(), text.replace("urn:uuid:a", "Patient/1"));
    }

    #[test]
    fn a_reference_to_what_did_not_come_along_is_told_with_its_element() {
        let text = r#"{"resourceType":"Observation","subject":{"reference":"urn:uuid:b"},"performer":[{"reference":"urn:oid:1.2"}]}"#;
        let issues = links().replaced(text, None).unwrap_err();
        let places: Vec<&str> = issues.iter().map(|issue| issue.expression.as_str()).collect();
        assert_eq!(places, ["Observation.subject", "Observation.performer[0]"]);
    }

    #[test]
    fn conditional_references_are_found_with_their_elements() {
        let text = r#"{"resourceType":"Observation","subject":{"reference":"Patient?identifier=x"},"note":[{"text":"Patient?a=b"}]}"#;
        assert_eq!(conditional(text), [("Observation.subject".into(), "Patient?identifier=x".into())]);
        assert!(criteria("Nothing?a=b").is_none() && criteria("Patient/1").is_none());
    }
}
