//! A search parameter of a resource type.

use crate::parameters::branch::{self, Branch, Step};
use crate::parameters::kind::Kind;
use crate::parameters::shared_key::SharedKeys;
use crate::types::{self, ResourceType};

/// The number of a parameter that is in no table and in no index: one that a SearchParameter of a user's own defines, as long as
/// its values are not indexed.
pub const OWN: u32 = 0;
/// The first of the numbers under which an index keeps the values of users' own parameters. Those of the table are below it.
pub const FIRST_OWN: u32 = 1 << 16;

/// A search parameter as the table defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Stands for the parameter of its type in storage, so it never changes. Those of every resource have one number for
    /// all types. A component has the number of its composite.
    pub number: u32,
    pub code: &'static str,
    pub kind: Kind,
    /// The types that a reference may be to; none means any.
    pub targets: Vec<ResourceType>,
    pub branches: Vec<Branch>,
    /// Where the instances of a composite are.
    pub instances: Vec<Vec<Step>>,
    /// What each instance of a composite is made of.
    pub components: Vec<Parameter>,
    /// Where its values are kept.
    pub shared_keys: SharedKeys,
}

impl Parameter {
    /// Reads a line of the table behind its number and type.
    pub(crate) fn read(number: u32, line: &'static str) -> Option<Self> {
        let mut parts = line.split(" + ");
        let mut parameter = Self::part(number, parts.next()?)?;
        parameter.components = parts.map(|part| Self::part(number, part)).collect::<Option<_>>()?;
        parameter.shared_keys = SharedKeys::own(number, parameter.components.len());
        Some(parameter)
    }

    fn part(number: u32, text: &'static str) -> Option<Self> {
        let mut words = text.split(' ').peekable();
        let (code, kind) = (words.next()?, Kind::named(words.next()?)?);
        let targets = words.next_if(|word| word.starts_with('>')).unwrap_or(">*").trim_start_matches('>');
        let targets = targets.split(',').filter(|name| *name != "*").map(types::named).collect::<Option<_>>()?;
        let (mut branches, mut instances) = (Vec::new(), Vec::new());
        for word in words {
            match kind {
                Kind::Composite => instances.push(branch::steps(word)?),
                _ => branches.push(Branch::read(word)?),
            }
        }
        let (components, shared_keys) = (Vec::new(), SharedKeys::own(number, 0));
        Some(Self { number, code, kind, targets, branches, instances, components, shared_keys })
    }

    /// Whether it keeps values of its own, and is not only found by those of others.
    #[must_use]
    pub fn keeps_its_own(&self) -> bool {
        self.shared_keys.places.iter().flatten().any(|keeper| keeper.number == self.number)
    }

    /// Whether it is a user's own, and none of HL7's.
    #[must_use]
    pub const fn is_own(&self) -> bool {
        self.number == OWN || self.number >= FIRST_OWN
    }

    /// Whether an index has its values; otherwise they are read from the resources themselves.
    #[must_use]
    pub const fn is_indexed(&self) -> bool {
        self.number != OWN
    }

    /// Whether a reference of this parameter can be to a resource of this type.
    #[must_use]
    pub fn may_refer_to(&self, resource_type: ResourceType) -> bool {
        self.kind == Kind::Reference && (self.targets.is_empty() || self.targets.contains(&resource_type))
    }
}
