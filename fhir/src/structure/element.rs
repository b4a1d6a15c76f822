//! One element of a type, as a line of the table has it.

use crate::structure::binding::{Binding, binding};
use crate::structure::primitive::Primitive;
use std::sync::OnceLock;

/// An element: `deceased[x] 0..1 boolean,dateTime` or `gender 0..1 code =administrative-gender *`.
#[derive(Debug)]
pub struct Element {
    /// Without the `[x]` of a choice of types.
    pub name: &'static str,
    pub is_choice: bool,
    pub is_required: bool,
    /// Whether there may be more than one, so that JSON has it as an array.
    pub is_list: bool,
    /// Whether HL7 has it in the summary of a resource.
    pub is_summary: bool,
    /// Whether it changes the meaning of what stands beside it, so that it may not be passed over.
    pub is_modifier: bool,
    pub types: Vec<ElementType>,
    value_set: Option<&'static str>,
    binding: OnceLock<Option<&'static Binding>>,
}

/// One of the types that an element may be of.
#[derive(Debug)]
pub struct ElementType {
    pub name: &'static str,
    pub primitive: Option<Primitive>,
    /// The types that a reference may lead to; none where it may lead to any.
    pub targets: Vec<&'static str>,
}

impl Element {
    /// Reads a line of the table, without the space before it.
    pub(super) fn read(line: &'static str) -> Option<Self> {
        let mut words = line.split(' ');
        let (name, numbers, types) = (words.next()?, words.next()?, words.next()?);
        let (least, most) = numbers.split_once("..")?;
        let mut words = words.peekable();
        let value_set = words.next_if(|word| word.starts_with('=')).and_then(|word| word.strip_prefix('='));
        let marks = words.next().unwrap_or_default();
        Some(Self {
            name: name.strip_suffix("[x]").unwrap_or(name),
            is_choice: name.ends_with("[x]"),
            is_required: least != "0",
            is_list: most != "1",
            types: types.split(',').map(ElementType::read).collect(),
            is_summary: marks.contains('*'),
            is_modifier: marks.contains('!'),
            value_set,
            binding: OnceLock::new(),
        })
    }

    /// The name of the value set from which its codes have to be.
    #[must_use]
    pub const fn value_set(&self) -> Option<&'static str> {
        self.value_set
    }

    /// That value set.
    pub fn binding(&self) -> Option<&'static Binding> {
        *self.binding.get_or_init(|| self.value_set.and_then(binding))
    }
}

impl ElementType {
    pub(super) fn read(text: &'static str) -> Self {
        let (name, targets) = text.split_once('(').unwrap_or((text, ""));
        let targets = targets.trim_end_matches(')').split('|').filter(|target| !target.is_empty());
        Self { name, primitive: Primitive::named(name), targets: targets.collect() }
    }

    /// Whether a whole resource stands there.
    #[must_use]
    pub fn is_resource(&self) -> bool {
        self.name == "Resource"
    }

    /// The name that an element of a choice has in JSON when it is of this type.
    #[must_use]
    pub fn member(&self, element: &str) -> String {
        let mut letters = self.name.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        element.chars().chain(first).chain(letters).collect()
    }
}
