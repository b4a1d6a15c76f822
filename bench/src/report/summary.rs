//! Everything a run found.

use crate::figures::plan::Plan;
use crate::measure::figure::Figure;
use crate::measure::machine::Machine;
use crate::peers::comparison::Comparison;

#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) plan: Plan,
    pub(crate) machine: Machine,
    pub(crate) figures: Vec<Figure>,
    pub(crate) rss_after_load_mib: f64,
    pub(crate) peers: Option<Comparison>,
    /// The share of all cores that other work took during the run.
    pub(crate) busy_with_others: f64,
}
