//! The five compartments: by which search parameters a resource is in one, as HL7's CompartmentDefinitions list them.

use crate::types::{self, ResourceType};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A compartment and a type to a line, then the codes of its parameters.
const TABLE: &str = include_str!("../../definitions/compartments.txt");

/// What there are compartments of.
pub const COMPARTMENTS: [ResourceType; 5] = [
    ResourceType::Device,
    ResourceType::Encounter,
    ResourceType::Patient,
    ResourceType::Practitioner,
    ResourceType::RelatedPerson,
];

static CODES: LazyLock<BTreeMap<(ResourceType, ResourceType), Vec<&'static str>>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some(((types::named(words.next()?)?, types::named(words.next()?)?), words.collect()))
    });
    rows.collect()
});

/// The types of which there can be resources in such a compartment.
pub fn members(compartment: ResourceType) -> impl Iterator<Item = ResourceType> {
    CODES.keys().filter(move |(of, _)| *of == compartment).map(|(_, member)| *member)
}

/// The parameters by which a resource of a type is in the compartment of what they refer to; none where it cannot be.
#[must_use]
pub fn codes(compartment: ResourceType, resource_type: ResourceType) -> &'static [&'static str] {
    CODES.get(&(compartment, resource_type)).map_or(&[], Vec::as_slice)
}
