//! The figures, one file each. Their names are fixed: what reads the JSON knows them.

pub(crate) mod client_credentials;
pub(crate) mod mixed;
pub(crate) mod pg_reads;
pub(crate) mod pg_refreshes;
pub(crate) mod process;
pub(crate) mod reads;
pub(crate) mod refreshes;

use crate::args::Plan;
use crate::child::Server;
use crate::driver::Window;
use crate::rounds::Rounds;

/// Connections of every figure that is driven over HTTP.
pub(crate) const CONNECTIONS: usize = 64;

/// Where a figure should lie.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

impl Goal {
    pub(crate) fn met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(floor) => value >= floor,
            Self::AtMost(ceiling) => value <= ceiling,
        }
    }
}

/// One figure as measured.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    pub(crate) goal: Goal,
    /// What else was seen, by name: the absolute rates of both sides first.
    pub(crate) seen: Vec<(&'static str, f64)>,
    /// The values of which `value` is the median.
    pub(crate) rounds: Vec<f64>,
    pub(crate) durability: String,
}

impl Figure {
    /// A ratio of two rates, with both of them.
    pub(crate) fn ratio(name: &'static str, goal: Goal, rounds: &Rounds, durability: String) -> Self {
        let seen = vec![("service_per_second", rounds.our_rate()), ("bare_per_second", rounds.their_rate())];
        Self { name, value: rounds.ratio(), goal, seen, rounds: rounds.ratios(), durability }
    }

    pub(crate) fn with(mut self, name: &'static str, value: f64) -> Self {
        self.seen.push((name, value));
        self
    }
}

/// What the figures that need a running service share.
#[derive(Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) service: &'a Server,
}

impl Ground<'_> {
    pub(crate) fn window(&self) -> Window {
        Window::after(self.plan.warm_up(), self.plan.length)
    }
}
