//! One run, as it was ordered.

use crate::measure::window::Window;
use crate::postgres::place::PostgresPlace;
use std::time::Duration;

#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) json: bool,
    pub(crate) quick: bool,
    pub(crate) peers: bool,
    /// Whether a store of a million resources is laid, too, which takes minutes.
    pub(crate) growth: bool,
    pub(crate) rounds: usize,
    pub(crate) length: Duration,
    pub(crate) patients: usize,
    /// The PostgreSQL to measure on, instead of the embedded store.
    pub(crate) database: Option<PostgresPlace>,
    /// The name of the one figure to drive, or all.
    pub(crate) only: Option<&'static str>,
}

impl Plan {
    /// Whether one of these figures is to be driven. Those that share their rounds are driven together.
    pub(crate) fn wants(&self, figures: &[&str]) -> bool {
        self.only.is_none_or(|only| figures.contains(&only))
    }

    /// The same time in three times as many rounds, so that the sides of a figure take turns more often: for one whose sides
    /// swing from one second to the next.
    pub(crate) fn in_shorter_rounds(&self) -> Self {
        const PIECES: u32 = 3;
        Self { rounds: self.rounds * PIECES as usize, length: self.length / PIECES, ..self.clone() }
    }

    /// The next round. It warms up long enough for every connection to stand and every page to be warm, in proportion to
    /// its length.
    pub(crate) fn window(&self) -> Window {
        Window::after(self.length / 5, self.length)
    }
}
