//! The table of all types. A type is read out of it when it is first asked for, so that nobody waits for the others.

use crate::structure::element::{Element, ElementType};
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

/// A type or a part of one to a block: its name, what it extends, then its own elements, a line each after a space.
const TABLE: &str = include_str!("../../definitions/structures.txt");

static BLOCKS: LazyLock<HashMap<&'static str, Block>> = LazyLock::new(|| {
    let mut blocks = HashMap::new();
    let mut rest = TABLE;
    while let Some((head, after)) = rest.split_once('\n') {
        let end =
            after.match_indices('\n').find(|(at, _)| !after.get(at + 1..).is_some_and(|next| next.starts_with(' ')));
        let end = if after.starts_with(' ') { end.map_or(after.len(), |(at, _)| at + 1) } else { 0 };
        let (lines, further) = after.split_at_checked(end).unwrap_or((after, ""));
        let (name, base) = head.split_once(' ').map_or((head, None), |(name, base)| (name, Some(base)));
        blocks.insert(name, Block { name, base, lines, structure: OnceLock::new() });
        rest = further;
    }
    blocks
});

struct Block {
    name: &'static str,
    base: Option<&'static str>,
    lines: &'static str,
    structure: OnceLock<Structure>,
}

/// A type that has elements, or a part of one, which is named by its path: `Patient`, `Period`, `Patient.contact`.
#[derive(Debug)]
pub struct Structure {
    pub name: &'static str,
    /// Those of the types that it extends come first.
    pub elements: Vec<Element>,
    /// Whether it is a resource of its own.
    pub is_resource: bool,
    /// By the names that JSON uses: which element, and which of its types.
    members: Vec<(String, usize, usize)>,
}

/// The structure of this name. Primitive types have none.
#[must_use]
pub fn structure(name: &str) -> Option<&'static Structure> {
    let block = BLOCKS.get(name)?;
    Some(block.structure.get_or_init(|| block.read()))
}

impl Block {
    fn read(&self) -> Structure {
        let elements = self.elements();
        let mut members: Vec<(String, usize, usize)> = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            let names = element.types.iter().enumerate().map(|(which, element_type)| {
                let name = if element.is_choice { element_type.member(element.name) } else { element.name.into() };
                (name, at, which)
            });
            members.extend(names);
        }
        members.sort();
        Structure { name: self.name, elements, is_resource: self.is_resource(), members }
    }

    fn elements(&self) -> Vec<Element> {
        let base = self.base.and_then(|base| BLOCKS.get(base));
        let mut elements = base.map(Self::elements).unwrap_or_default();
        elements.extend(self.lines.lines().filter_map(|line| Element::read(line.trim_start())));
        elements
    }

    fn is_resource(&self) -> bool {
        self.name == "Resource" || self.base.and_then(|base| BLOCKS.get(base)).is_some_and(Self::is_resource)
    }
}

impl Structure {
    /// The element that JSON has under this name, where it stands in `elements`, and the type that the name says it is of.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<(usize, &Element, &ElementType)> {
        let at = self.members.binary_search_by(|(known, _, _)| known.as_str().cmp(name)).ok()?;
        let (_, at, which) = self.members.get(at)?;
        let element = self.elements.get(*at)?;
        Some((*at, element, element.types.get(*which)?))
    }

    /// The element of this name; of a choice, the name without its type.
    #[must_use]
    pub fn element(&self, name: &str) -> Option<&Element> {
        self.elements.iter().find(|element| element.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCKS, TABLE, structure};
    use crate::structure::Primitive;
    use crate::types;

    #[test]
    fn every_line_is_an_element_whose_types_and_value_set_are_known() {
        let lines = TABLE.lines().filter(|line| line.starts_with(' ')).count();
        assert_eq!(BLOCKS.len() + lines, TABLE.lines().count());
        let own: usize = BLOCKS.values().map(|block| block.lines.lines().count()).sum();
        assert_eq!(own, lines);
        for name in BLOCKS.keys() {
            for element in &structure(name).unwrap().elements {
                for element_type in &element.types {
                    let known = element_type.primitive.is_some() || structure(element_type.name).is_some();
                    assert!(known, "{name}.{}: {}", element.name, element_type.name);
                }
                assert_eq!(element.binding().is_some(), element.value_set().is_some(), "{name}.{}", element.name);
            }
        }
    }

    #[test]
    fn every_resource_type_has_a_structure() {
        for resource_type in types::all() {
            assert!(structure(resource_type.name()).unwrap().is_resource, "{}", resource_type.name());
        }
        assert!(!structure("Period").unwrap().is_resource && !structure("Patient.contact").unwrap().is_resource);
        assert!(structure("string").is_none() && structure("patient").is_none() && structure("").is_none());
    }

    #[test]
    fn an_element_is_found_by_its_name_in_json() {
        let observation = structure("Observation").unwrap();
        let (_, value, quantity) = observation.member("valueQuantity").unwrap();
        assert!(value.is_choice && value.name == "value" && !value.is_list && quantity.name == "Quantity");
        let (_, status, code) = observation.member("status").unwrap();
        assert!(status.is_required && code.primitive == Some(Primitive::Code));
        assert_eq!(observation.member("id").unwrap().2.primitive, Some(Primitive::Id));
        assert_eq!(observation.member("subject").unwrap().2.targets, ["Patient", "Group", "Device", "Location"]);
        assert!(observation.member("value").is_none() && observation.member("valueMoney").is_none());
        let nested = structure("Observation.component").unwrap();
        assert_eq!(nested.member("referenceRange").unwrap().2.name, "Observation.referenceRange");
    }
}
