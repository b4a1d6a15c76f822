//! A query as a tree.

use crate::parameters::parameter::Parameter;
use crate::search::criterion::Criterion;
use crate::types::ResourceType;

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
