//! The figures, one file each. Their names are fixed: what reads the JSON knows them.

mod body_shapes;
pub(crate) mod client_credentials;
pub(crate) mod clinician_reads;
pub(crate) mod consent_changes;
pub(crate) mod creates;
pub(crate) mod custom_rest;
pub(crate) mod ground;
pub(crate) mod growth;
pub(crate) mod imports;
mod largest_writes;
pub(crate) mod mixed;
pub(crate) mod neighbours;
mod nuisances;
pub(crate) mod pg_reads;
pub(crate) mod pg_refreshes;
pub(crate) mod plan;
pub(crate) mod process;
pub(crate) mod read_ratio;
pub(crate) mod reads;
pub(crate) mod record;
pub(crate) mod refreshes;
pub(crate) mod searches;
pub(crate) mod worst_bodies;
pub(crate) mod worst_stall;
