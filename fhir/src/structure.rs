//! The structures of FHIR R4, from HL7's StructureDefinitions: which elements a type has, of which types, how many of them.

mod binding;
mod element;
mod primitive;
mod profile;
mod profile_rule;
mod table;

pub use binding::{Binding, binding};
pub use element::{Element, ElementType};
pub use primitive::Primitive;
pub use profile::{Claim, Profile, profiles_of};
pub use profile_rule::ProfileRule;
pub use table::{Structure, structure};
