//! A query as a tree.

use crate::parameters::parameter::Parameter;
use crate::search::criterion::Criterion;
use crate::types::ResourceType;
use std::collections::BTreeSet;

/// What a search asks: every clause holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub resource_type: ResourceType,
    pub clauses: Vec<Clause>,
    /// Our FHIR base URL, under which a reference is one to what we hold.
    pub base: String,
    /// The parameters that say what is shown of the result (`_sort`, `_count`, …), as they were sent.
    pub controls: Vec<(String, String)>,
}

impl Query {
    /// The numbers of the users' own parameters whose index it asks.
    #[must_use]
    pub fn own_numbers(&self) -> BTreeSet<u32> {
        let mut numbers = BTreeSet::new();
        self.clauses.iter().for_each(|clause| clause.add_own(&mut numbers));
        numbers
    }
}

/// One parameter of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    Own(Condition),
    /// A reference of the resource is to one for which the clause of its type holds.
    Chain {
        parameter: &'static Parameter,
        links: Vec<(ResourceType, Clause)>,
    },
    /// A resource of this type refers to this one by this parameter, and the clause holds for it.
    Has {
        resource_type: ResourceType,
        parameter: &'static Parameter,
        clause: Box<Clause>,
    },
    /// One of these holds.
    Either(Vec<Clause>),
}

impl Clause {
    fn add_own(&self, numbers: &mut BTreeSet<u32>) {
        let mut add = |parameter: &Parameter| {
            if parameter.is_own() && parameter.is_indexed() {
                numbers.insert(parameter.number);
            }
        };
        match self {
            Self::Own(condition) => add(condition.parameter),
            Self::Chain { parameter, links } => {
                add(parameter);
                links.iter().for_each(|(_, clause)| clause.add_own(numbers));
            }
            Self::Has { parameter, clause, .. } => {
                add(parameter);
                clause.add_own(numbers);
            }
            Self::Either(ways) => ways.iter().for_each(|clause| clause.add_own(numbers)),
        }
    }
}

/// What is asked of the values of a parameter of the resource itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub parameter: &'static Parameter,
    pub test: Test,
}

/// How many of the values have to be as the criteria say.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Whether there is no value at all.
    Missing(bool),
    /// A value meets one of these.
    Any(Vec<Criterion>),
    /// No value meets any of these.
    None(Vec<Criterion>),
}
