//! The types of elements in which values of search parameters stand.

/// The type at the end of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    Address,
    Boolean,
    Canonical,
    /// A `code`: its system is the one of its binding.
    Code,
    CodeableConcept,
    Coding,
    ContactPoint,
    /// `date`, `dateTime` or `instant`.
    Date,
    /// No type of FHIR: the truth that the element is there and not false.
    Holds,
    HumanName,
    Identifier,
    Money,
    Number,
    Period,
    /// Quantity and what is made of it: Age, Count, Distance, Duration.
    Quantity,
    Range,
    Reference,
    /// A resource inside a Bundle.
    Resource,
    SampledData,
    /// `string`, `markdown` or `id`.
    Text,
    Timing,
    /// `uri` or `url`.
    Uri,
}

impl ValueType {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "Address" => Self::Address,
            "Age" | "Count" | "Distance" | "Duration" | "Quantity" => Self::Quantity,
            "CodeableConcept" => Self::CodeableConcept,
            "Coding" => Self::Coding,
            "ContactPoint" => Self::ContactPoint,
            "HumanName" => Self::HumanName,
            "Identifier" => Self::Identifier,
            "Money" => Self::Money,
            "Period" => Self::Period,
            "Range" => Self::Range,
            "Reference" => Self::Reference,
            "Resource" => Self::Resource,
            "SampledData" => Self::SampledData,
            "Timing" => Self::Timing,
            "boolean" => Self::Boolean,
            "canonical" => Self::Canonical,
            "code" => Self::Code,
            "date" | "dateTime" | "instant" => Self::Date,
            "decimal" | "integer" | "positiveInt" | "unsignedInt" => Self::Number,
            "holds" => Self::Holds,
            "id" | "markdown" | "string" => Self::Text,
            "uri" | "url" => Self::Uri,
            _ => return None,
        })
    }
}
