//! The search parameters of FHIR R4, from HL7's definitions reduced to a table: what each is, and where its values stand.

pub mod branch;
pub mod canonical;
pub mod care_date;
pub mod code_timeline;
pub mod kind;
pub mod membership;
pub mod parameter;
pub mod shared_key;
mod shared_key_table;
pub mod table;
pub mod value_type;
