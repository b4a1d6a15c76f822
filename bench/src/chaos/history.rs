//! What happened in a run of chaos, and the hand that writes it down.

pub(crate) mod record;
pub(crate) mod recorder;
