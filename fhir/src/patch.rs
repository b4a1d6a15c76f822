//! Patches: a resource and what to change in it make another resource. JSON Patch, JSON Merge Patch, FHIRPath Patch.

mod application;
mod bounds;
mod document;
mod fhirpath;
mod identity;
mod json_patch;
mod kind;
mod merge;
mod operation;
mod path;
mod pointer;
mod selection;
mod slot;
mod syntax;
mod value;

pub use application::apply;
pub use bounds::Bounds;
pub use kind::PatchKind;
