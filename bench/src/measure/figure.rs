//! A figure as measured, and the aim that it should meet.

use super::rounds::{median_ratio, rate, ratios};
use super::tally::Tally;

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

impl std::fmt::Display for Goal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtLeast(floor) => write!(out, ">= {floor}"),
            Self::AtMost(ceiling) => write!(out, "<= {ceiling}"),
        }
    }
}

/// What the service's own rate is called; the first detail of every ratio.
pub(crate) const OUR_RATE: &str = "service_per_second";

/// One figure as measured.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    /// None of a figure that is told for information only.
    pub(crate) goal: Option<Goal>,
    /// What else was counted, by name; of a ratio the absolute rates of both sides first.
    pub(crate) details: Vec<(&'static str, f64)>,
    /// The values of which `value` is the median.
    pub(crate) rounds: Vec<f64>,
    pub(crate) durability: String,
    /// What was counted in each of several cases, of a figure that is the worst of them.
    pub(crate) cases: Vec<Case>,
}

/// One of the cases that a figure is the worst of.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) values: Vec<(&'static str, f64)>,
}

/// The rounds of the service, and of what it is held against, under the name of that side's rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub(crate) service: &'a [Tally],
    pub(crate) other: &'a [Tally],
    pub(crate) other_rate: &'static str,
}

impl Figure {
    /// A value that was measured once.
    pub(crate) fn of(name: &'static str, value: f64, goal: Option<Goal>, durability: String) -> Self {
        Self { name, value, goal, details: Vec::new(), rounds: vec![value], durability, cases: Vec::new() }
    }

    /// A ratio of two rates, with both of them.
    pub(crate) fn ratio(name: &'static str, goal: Option<Goal>, sides: Sides<'_>, durability: String) -> Self {
        let Sides { service, other, other_rate } = sides;
        let details = vec![(OUR_RATE, rate(service)), (other_rate, rate(other))];
        let (value, rounds) = (median_ratio(service, other), ratios(service, other));
        Self { details, rounds, ..Self::of(name, value, goal, durability) }
    }

    pub(crate) fn with(mut self, name: &'static str, value: f64) -> Self {
        self.details.push((name, value));
        self
    }
}
