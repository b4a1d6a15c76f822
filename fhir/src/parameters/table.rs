//! HL7's search parameters by type. The text is taken apart for a type when that type is first met: starting is not
//! slower for all that may never be met.

use crate::parameters::parameter::Parameter;
use crate::parameters::shared_key_table;
use crate::types::ResourceType;
use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

/// A parameter to a line: its number, its type, its code, its kind, where its values are. In the order of types and codes.
const TABLE: &str = include_str!("../../definitions/search-parameters.txt");
const TYPES: usize = 147;

/// The lines of each type, not yet taken apart.
static LINES: LazyLock<BTreeMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut lines: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for line in TABLE.lines() {
        if let Some(type_name) = line.split(' ').nth(1) {
            lines.entry(type_name).or_default().push(line);
        }
    }
    lines
});

static BY_TYPE: [OnceLock<Vec<Parameter>>; TYPES] = [const { OnceLock::new() }; TYPES];

/// Every parameter of a type, those of all resources too, in the order of their codes.
#[must_use]
pub fn of(resource_type: ResourceType) -> &'static [Parameter] {
    let at = usize::try_from(resource_type.number()).unwrap_or_default();
    BY_TYPE.get(at).map_or(&[], |parameters| parameters.get_or_init(|| read(resource_type)))
}

/// The parameter of a type that has this code.
#[must_use]
pub fn find(resource_type: ResourceType, code: &str) -> Option<&'static Parameter> {
    let parameters = of(resource_type);
    let at = parameters.binary_search_by(|parameter| parameter.code.cmp(code)).ok()?;
    parameters.get(at)
}

fn read(resource_type: ResourceType) -> Vec<Parameter> {
    // These three are resources, but have no narrative.
    let bare = [ResourceType::Binary, ResourceType::Bundle, ResourceType::Parameters].contains(&resource_type);
    let owners = ["Resource", "DomainResource", resource_type.name()].into_iter();
    let owners = owners.filter(|owner| !(bare && *owner == "DomainResource"));
    let lines = owners.filter_map(|owner| LINES.get(owner)).flatten();
    let mut parameters: Vec<_> = lines.filter_map(|line| read_line(line)).collect();
    parameters.sort_by_key(|parameter| parameter.code);
    shared_key_table::arrange(&mut parameters);
    parameters
}

fn read_line(line: &'static str) -> Option<Parameter> {
    let (number, rest) = line.split_once(' ')?;
    let (_, rest) = rest.split_once(' ')?;
    Parameter::read(number.parse().ok()?, rest)
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
