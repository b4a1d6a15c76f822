//! Where in a resource another one is referred to, as FHIRPath names the places.

use crate::json::{Node, read};
use crate::reference;
use crate::types::ResourceType;

/// The elements of a resource, as compact JSON, that refer to this resource of the server whose FHIR base URL is `base`; the
/// first `most` of them.
#[must_use]
pub fn places(compact: &str, (target, id): (ResourceType, &str), base: &str, most: usize) -> Vec<String> {
    let mut found = Vec::new();
    let Some(resource) = read(compact) else { return found };
    let names = |reference: &str| reference::id_in(reference, target, base) == Some(id);
    let root = resource.get("resourceType").and_then(Node::text).unwrap_or_default().to_owned();
    collect(&resource, &root, &names, most, &mut found);
    found
}

fn collect(node: &Node<'_>, path: &str, names: &impl Fn(&str) -> bool, most: usize, found: &mut Vec<String>) {
    if found.len() >= most {
        return;
    }
    if node.get("reference").and_then(Node::text).is_some_and(names) {
        found.push(path.to_owned());
    }
    for (name, value) in node.members() {
        collect(value, &format!("{path}.{name}"), names, most, found);
    }
    for (at, item) in node.items().iter().enumerate() {
        collect(item, &format!("{path}[{at}]"), names, most, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "https://records.example/fhir";

    #[test]
    fn every_place_is_named_and_no_more_than_asked_for() {
        let text = concat!(
            r#"{"resourceType":"Observation","subject":{"reference":"Patient/a"},"#,
            r#""performer":[{"reference":"Patient/b"},{"reference":"https://records.example/fhir/Patient/a"}],"#,
            r#""note":[{"text":"Patient/a"}]}"#,
        );
        let of = |id, most| places(text, (ResourceType::Patient, id), BASE, most);
        assert_eq!(of("a", 9), ["Observation.subject", "Observation.performer[1]"]);
        assert_eq!(of("a", 1), ["Observation.subject"]);
        assert_eq!(of("b", 9), ["Observation.performer[0]"]);
        assert!(of("c", 9).is_empty());
    }
}
