//! One line of a profile: what it asks of an element, and of those below it.

use crate::structure::binding::{Binding, binding};
use crate::structure::element::ElementType;

/// What a profile asks of an element: `subject 1..1 <Reference(Patient)` or `coding:BMICode 1..1`.
#[derive(Debug)]
pub struct ProfileRule {
    /// Without the `[x]` of a choice of types.
    pub name: &'static str,
    pub is_choice: bool,
    /// Which of the items are meant: the name of a slice; of a choice, the type.
    pub slice: Option<&'static str>,
    /// Whether the items of the slice that it is in are told by it from others.
    pub tells: bool,
    pub least: usize,
    /// Nothing where there is no bound.
    pub most: Option<usize>,
    /// None where those of the type are not narrowed.
    pub types: Vec<ElementType>,
    /// What it must be, as JSON.
    pub fixed: Option<&'static str>,
    /// What must be in it, as JSON.
    pub pattern: Option<&'static str>,
    value_set: Option<&'static str>,
    /// The keys of invariants that only profiles have.
    pub invariants: Vec<&'static str>,
    /// Whether its slices go by what references lead to, so that nobody here can tell whether they are kept.
    pub is_unseen: bool,
    pub rules: Vec<Self>,
}

impl ProfileRule {
    /// Reads a line of the table, without the spaces before it.
    pub(super) fn read(line: &'static str) -> Option<Self> {
        let (head, rest) = line.split_once(' ')?;
        let (tells, head) = head.strip_prefix('@').map_or((false, head), |head| (true, head));
        let (name, slice) = head.split_once(':').map_or((head, None), |(name, slice)| (name, Some(slice)));
        let (numbers, mut rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let (least, most) = numbers.split_once("..")?;
        let mut rule = Self {
            name: name.strip_suffix("[x]").unwrap_or(name),
            is_choice: name.ends_with("[x]"),
            slice,
            tells,
            least: least.parse().ok()?,
            most: if most == "*" { None } else { Some(most.parse().ok()?) },
            types: Vec::new(),
            fixed: None,
            pattern: None,
            value_set: None,
            invariants: Vec::new(),
            is_unseen: false,
            rules: Vec::new(),
        };
        while !rest.is_empty() {
            // A value goes to the end of the line, whatever is in it.
            if let Some(value) = rest.strip_prefix('=') {
                rule.fixed = Some(value);
                break;
            }
            if let Some(value) = rest.strip_prefix('~') {
                rule.pattern = Some(value);
                break;
            }
            let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
            match word.split_at_checked(1)? {
                ("<", types) => rule.types = types.split(',').map(ElementType::read).collect(),
                ("%", name) => rule.value_set = Some(name),
                ("!", keys) => rule.invariants = keys.split(',').collect(),
                ("?", "") => rule.is_unseen = true,
                _ => return None,
            }
            rest = after;
        }
        Some(rule)
    }

    /// The name of the value set from which its codes have to be.
    #[must_use]
    pub const fn value_set(&self) -> Option<&'static str> {
        self.value_set
    }

    /// That value set.
    #[must_use]
    pub fn binding(&self) -> Option<&'static Binding> {
        self.value_set.and_then(binding)
    }
}
