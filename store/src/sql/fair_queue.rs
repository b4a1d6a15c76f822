//! The queue of reads that can be long, fair by caller: each caller has a line, the lines take turns, and no caller has more than
//! its share of the readers. So the tenth read of one caller waits behind the first of everybody else. Knows neither threads nor
//! connections.

use super::budget::Budget;
use super::caller_key::CallerKey;
use crate::error::Error;
use std::collections::{HashMap, VecDeque};

/// What waits, and how many of each caller are being read.
#[derive(Debug)]
pub(crate) struct FairQueue<T> {
    lines: HashMap<Option<CallerKey>, ReadLine<T>>,
    /// Callers with something waiting, the one whose turn is next first.
    turns: VecDeque<Option<CallerKey>>,
    waiting: usize,
    bounds: QueueBounds,
}

#[derive(Debug)]
struct ReadLine<T> {
    waiting: VecDeque<T>,
    reading: usize,
}

/// How many may be read at the same time for one caller, but for the service itself, and how many may wait in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct QueueBounds {
    readers_of_one: usize,
    waiting: usize,
}

/// What became of somebody who came to wait.
#[derive(Debug)]
pub(crate) enum Admission<T> {
    Waiting,
    /// Waiting, in the place of the last one of the longest line, who hears that too many of its caller's wait.
    InPlaceOf(T),
    Refused(Error),
}

impl<T> FairQueue<T> {
    pub(crate) fn new(budget: Budget) -> Self {
        let bounds = QueueBounds { readers_of_one: budget.readers.div_ceil(2).max(1), waiting: budget.waiting };
        Self { lines: HashMap::new(), turns: VecDeque::new(), waiting: 0, bounds }
    }

    /// Whether one more of this caller would be turned away.
    pub(crate) fn is_full_for(&self, caller: Option<CallerKey>) -> bool {
        self.waiting >= self.bounds.waiting && self.longest_beside(caller).is_none()
    }

    pub(crate) fn join(&mut self, caller: Option<CallerKey>, read: T) -> Admission<T> {
        let mut pushed_out = None;
        if self.waiting >= self.bounds.waiting {
            pushed_out = self.push_out(caller);
            if pushed_out.is_none() {
                let is_own_fault = caller.is_some() && self.waiting_of(caller) > 0;
                return Admission::Refused(if is_own_fault { Error::CallerBusy } else { too_many() });
            }
        }
        let line = self.lines.entry(caller).or_insert_with(|| ReadLine { waiting: VecDeque::new(), reading: 0 });
        if line.waiting.is_empty() {
            self.turns.push_back(caller);
        }
        line.waiting.push_back(read);
        self.waiting += 1;
        pushed_out.map_or(Admission::Waiting, Admission::InPlaceOf)
    }

    /// Begins a read of this caller at once, where its share allows that: for whoever knows that a reader is free.
    pub(crate) fn begin(&mut self, caller: Option<CallerKey>) -> bool {
        let share = self.bounds.readers_of_one;
        let line = self.lines.entry(caller).or_insert_with(|| ReadLine { waiting: VecDeque::new(), reading: 0 });
        let begins = caller.is_none() || line.reading < share;
        line.reading += usize::from(begins);
        begins
    }

    /// What is read next, and for whom; nothing, where only callers wait who have their share already.
    pub(crate) fn next(&mut self) -> Option<(Option<CallerKey>, T)> {
        let share = self.bounds.readers_of_one;
        let has_room = |caller: &Option<CallerKey>| {
            caller.is_none() || self.lines.get(caller).is_some_and(|line| line.reading < share)
        };
        let at = self.turns.iter().position(has_room)?;
        let caller = self.turns.remove(at)?;
        let line = self.lines.get_mut(&caller)?;
        let read = line.waiting.pop_front()?;
        line.reading += 1;
        self.waiting -= 1;
        if !line.waiting.is_empty() {
            self.turns.push_back(caller);
        }
        Some((caller, read))
    }

    /// A read of this caller is over.
    pub(crate) fn end(&mut self, caller: Option<CallerKey>) {
        let Some(line) = self.lines.get_mut(&caller) else { return };
        line.reading = line.reading.saturating_sub(1);
        if line.reading == 0 && line.waiting.is_empty() {
            self.lines.remove(&caller);
        }
    }

    fn waiting_of(&self, caller: Option<CallerKey>) -> usize {
        self.lines.get(&caller).map_or(0, |line| line.waiting.len())
    }

    /// Whose line is the longest, if it stays longer than this caller's becomes when the last one leaves it.
    fn longest_beside(&self, caller: Option<CallerKey>) -> Option<Option<CallerKey>> {
        let own = self.waiting_of(caller);
        let (longest, line) = self.lines.iter().max_by_key(|(_, line)| line.waiting.len())?;
        (line.waiting.len() > own + 1).then_some(*longest)
    }

    /// Takes the last one out of that line.
    fn push_out(&mut self, caller: Option<CallerKey>) -> Option<T> {
        let longest = self.longest_beside(caller)?;
        let last = self.lines.get_mut(&longest)?.waiting.pop_back()?;
        self.waiting -= 1;
        Some(last)
    }
}

/// What whoever finds no place to wait hears.
fn too_many() -> Error {
    Error::Unavailable("too many long reads are waiting".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const ONE: Option<CallerKey> = Some(CallerKey(1));
    const OTHER: Option<CallerKey> = Some(CallerKey(2));

    fn queue(readers: usize, waiting: usize) -> FairQueue<&'static str> {
        FairQueue::new(Budget { time: Duration::from_secs(5), readers, waiting })
    }

    fn waits(admission: &Admission<&'static str>) -> bool {
        matches!(admission, Admission::Waiting)
    }

    #[test]
    fn the_second_read_of_one_caller_waits_behind_the_first_of_everybody_else() {
        let mut queue = queue(8, 64);
        for (caller, read) in [(ONE, "one 1"), (ONE, "one 2"), (ONE, "one 3"), (OTHER, "other 1"), (None, "own 1")] {
            assert!(waits(&queue.join(caller, read)));
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.next()).map(|(_, read)| read).collect();
        assert_eq!(order, ["one 1", "other 1", "own 1", "one 2", "one 3"]);
    }

    #[test]
    fn one_caller_has_half_of_the_readers_and_the_next_when_one_of_its_own_is_over() {
        let mut queue = queue(2, 64);
        for read in ["one 1", "one 2"] {
            assert!(waits(&queue.join(ONE, read)));
        }
        assert_eq!(queue.next(), Some((ONE, "one 1")));
        assert_eq!(queue.next(), None, "the other reader is for others");
        assert!(waits(&queue.join(OTHER, "other 1")));
        assert_eq!(queue.next(), Some((OTHER, "other 1")));
        queue.end(ONE);
        assert_eq!(queue.next(), Some((ONE, "one 2")));
    }

    #[test]
    fn who_has_all_places_to_wait_has_no_more_and_others_have_theirs() {
        let mut queue = queue(2, 3);
        assert!(["1", "2", "3"].into_iter().all(|read| waits(&queue.join(ONE, read))));
        assert!(queue.is_full_for(ONE) && !queue.is_full_for(OTHER));
        assert!(matches!(queue.join(ONE, "4"), Admission::Refused(Error::CallerBusy)));
        assert!(matches!(queue.join(OTHER, "other 1"), Admission::InPlaceOf("3")));
        assert!(matches!(queue.join(OTHER, "other 2"), Admission::Refused(Error::CallerBusy)), "two and one are even");
        assert!(matches!(queue.join(None, "own 1"), Admission::InPlaceOf("2")));
        let third = Some(CallerKey(3));
        assert!(matches!(queue.join(third, "third 1"), Admission::Refused(Error::Unavailable(_))), "no own fault");
    }

    #[test]
    fn who_comes_to_a_full_queue_takes_the_place_of_the_last_of_the_longest_line() {
        let mut queue = queue(2, 4);
        for read in ["own 1", "own 2", "own 3", "own 4"] {
            assert!(waits(&queue.join(None, read)));
        }
        assert!(matches!(queue.join(None, "own 5"), Admission::Refused(Error::Unavailable(_))));
        assert!(matches!(queue.join(ONE, "one 1"), Admission::InPlaceOf("own 4")));
        let order: Vec<_> = std::iter::from_fn(|| queue.next()).map(|(_, read)| read).collect();
        assert_eq!(order, ["own 1", "one 1", "own 2", "own 3"]);
    }

    #[test]
    fn a_caller_of_whom_nothing_is_left_is_forgotten() {
        let mut queue = queue(2, 4);
        assert!(waits(&queue.join(ONE, "one")));
        assert_eq!(queue.next(), Some((ONE, "one")));
        queue.end(ONE);
        assert!(queue.lines.is_empty() && queue.turns.is_empty());
    }
}
