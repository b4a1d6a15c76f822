//! The search parameters of FHIR R4, from HL7's definitions reduced to a table: what each is, and where its values stand.

mod arrangement;
pub mod branch;
pub mod care_date;
pub mod course;
pub mod keeping;
pub mod kind;
pub mod membership;
pub mod parameter;
pub mod table;
pub mod value_type;
