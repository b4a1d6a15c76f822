//! Sight: which labels a viewer holds of which patient. It follows from consents, sources and states (`consent::standing`).

use crate::ids::{PatientId, ViewerId};
use crate::labels::Labels;
use crate::moment::Moment;

/// One row of sight. Its end is compared at the call: what closes must not come late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    pub viewer: ViewerId,
    pub patient: PatientId,
    pub labels: Labels,
    pub ends_at: Option<Moment>,
}
