//! Items: what the custom REST API shows of a record and writes to it, one kind at a time. What leaves this room as an item has been
//! noted, as every resource that is shown.

pub(crate) mod across;
pub(crate) mod attached;
pub(crate) mod background;
pub(crate) mod companions;
pub(crate) mod creation;
pub(crate) mod deleted;
pub(crate) mod existing;
pub(crate) mod files;
pub(crate) mod kind;
pub(crate) mod list;
pub(crate) mod one;
pub(crate) mod record;
pub(crate) mod removal;
pub(crate) mod update;
pub(crate) mod writing;
