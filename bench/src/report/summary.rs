//! Everything a run found.

use crate::figures::plan::Plan;
use crate::measure::figure::Figure;
use crate::measure::machine::Machine;
use crate::peers::comparison::Comparison;
use crate::peers::records::FhirPeer;

#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) plan: Plan,
    /// The profile that the program was built with.
    pub(crate) profile: String,
    pub(crate) machine: Machine,
    pub(crate) figures: Vec<Figure>,
    pub(crate) rss_after_load_mib: f64,
    pub(crate) peers: Option<Comparison>,
    /// None where nobody asked for it.
    pub(crate) fhir_peer: Option<FhirPeer>,
    /// The share of all cores that other work took during the run.
    pub(crate) busy_with_others: f64,
}
