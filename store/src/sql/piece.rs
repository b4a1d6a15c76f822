//! One piece of a long job: as much as one turn at the writer may take, so that whoever waits for theirs waits for
//! milliseconds.

use std::time::{Duration, Instant};

/// Rows of a piece at the most.
pub(crate) const ROWS: usize = 500;
/// Time that a piece takes at the most, but for its last row. Whoever comes while one piece is written may share a transaction with the next,
/// so they wait for two.
const TIME: Duration = Duration::from_millis(5);

/// A piece that was begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    begun: Instant,
}

impl Piece {
    pub(crate) fn begin() -> Self {
        Self { begun: Instant::now() }
    }

    /// Whether another row may follow those that are done; the first always may.
    pub(crate) fn has_room(&self, done: usize) -> bool {
        done == 0 || (done < ROWS && self.begun.elapsed() < TIME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_ends_by_number_or_by_time_and_has_one_row_at_the_least() {
        let fresh = Piece::begin();
        assert!(fresh.has_room(0) && !fresh.has_room(ROWS));
        let old = Piece { begun: Instant::now().checked_sub(TIME).unwrap() };
        assert!(old.has_room(0) && !old.has_room(1));
    }
}
