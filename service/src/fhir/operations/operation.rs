//! An operation of the FHIR API: what it is called, what it takes and what it gives.

/// An operation, wherever it is served.
#[derive(Debug)]
pub(crate) struct Operation {
    /// As it is called behind the `$`.
    pub code: &'static str,
    /// The path of its definition, which ends with the code.
    pub definition: &'static str,
    /// HL7's own definition, where it is one of HL7's.
    pub base: Option<&'static str>,
    /// HL7's definition of the same for a type, where that is another.
    pub base_of: &'static [(&'static str, &'static str)],
    pub about: &'static str,
    /// Whether something is different afterwards.
    pub affects_state: bool,
    pub takes: &'static [Operand],
    pub gives: &'static [Operand],
}

/// A parameter of an operation.
#[derive(Debug)]
pub(crate) struct Operand {
    pub name: &'static str,
    pub least: usize,
    /// `MANY` where there is no other bound than that of a body.
    pub most: usize,
    /// A type of FHIR's; none for one that has parts.
    pub kind: Option<&'static str>,
    pub parts: &'static [Operand],
    pub about: &'static str,
}

pub(crate) const MANY: usize = usize::MAX;

pub(crate) const fn operand(name: &'static str, kind: &'static str, about: &'static str) -> Operand {
    Operand { name, least: 0, most: 1, kind: Some(kind), parts: &[], about }
}

pub(crate) const fn several(
    name: &'static str,
    most: usize,
    about: &'static str,
    parts: &'static [Operand],
) -> Operand {
    Operand { name, least: 0, most, kind: None, parts, about }
}

impl Operand {
    /// So many of them.
    pub const fn times(self, least: usize, most: usize) -> Self {
        Self { least, most, ..self }
    }
}
