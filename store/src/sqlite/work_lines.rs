//! Who is next at the one writer. Each caller has a line of its own, and the caller whose jobs have been least work has the next
//! turn: a hundred large writes of one caller make nobody else's wait for more than one of them.

use crate::sql::caller_key::CallerKey;
use std::collections::{BTreeMap, VecDeque};

/// The lines of all callers. The service's own jobs, and those of callers who are not known yet, are in one.
#[derive(Debug)]
pub(super) struct WorkLines<T> {
    lines: BTreeMap<Option<CallerKey>, WorkLine<T>>,
    /// The work of the caller who had the last turn, when it was given: who comes anew has had as much.
    work: u64,
}

#[derive(Debug)]
struct WorkLine<T> {
    waiting: VecDeque<T>,
    work: u64,
}

impl<T> Default for WorkLines<T> {
    fn default() -> Self {
        Self { lines: BTreeMap::new(), work: 0 }
    }
}

impl<T> WorkLines<T> {
    pub(super) fn push(&mut self, caller: Option<CallerKey>, job: T) {
        let work = self.work;
        let line = self.lines.entry(caller).or_insert_with(|| WorkLine { waiting: VecDeque::new(), work });
        // Whoever did not come for long has saved nothing up.
        if line.waiting.is_empty() {
            line.work = line.work.max(work);
        }
        line.waiting.push_back(job);
    }

    /// What has the next turn.
    pub(super) fn peek(&self) -> Option<&T> {
        self.lines.get(&self.next()?).and_then(|line| line.waiting.front())
    }

    pub(super) fn pop(&mut self) -> Option<(Option<CallerKey>, T)> {
        let caller = self.next()?;
        let line = self.lines.get_mut(&caller)?;
        self.work = line.work;
        line.waiting.pop_front().map(|job| (caller, job))
    }

    /// Notes what a caller's job was as work.
    pub(super) fn charge(&mut self, caller: Option<CallerKey>, work: u64) {
        if let Some(line) = self.lines.get_mut(&caller) {
            line.work = line.work.saturating_add(work);
        }
        let had = self.work;
        // Who has nothing waiting is kept in mind until all others have had as much.
        self.lines.retain(|_, line| !line.waiting.is_empty() || line.work > had);
    }

    fn next(&self) -> Option<Option<CallerKey>> {
        let waiting = self.lines.iter().filter(|(_, line)| !line.waiting.is_empty());
        waiting.min_by_key(|(_, line)| line.work).map(|(caller, _)| *caller)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Option<CallerKey> = Some(CallerKey(1));
    const OTHER: Option<CallerKey> = Some(CallerKey(2));

    /// The order of the turns, where each job is as much work as is said.
    fn turns(lines: &mut WorkLines<(&'static str, u64)>) -> Vec<&'static str> {
        let mut turns = Vec::new();
        while let Some((caller, (name, work))) = lines.pop() {
            lines.charge(caller, work);
            turns.push(name);
        }
        turns
    }

    #[test]
    fn jobs_of_one_caller_are_in_their_order() {
        let mut lines = WorkLines::default();
        for name in ["a", "b", "c"] {
            lines.push(ONE, (name, 10));
        }
        assert_eq!(turns(&mut lines), ["a", "b", "c"]);
    }

    #[test]
    fn small_jobs_wait_for_one_large_job_of_another_caller_and_not_for_all() {
        let mut lines = WorkLines::default();
        for name in ["large 1", "large 2", "large 3"] {
            lines.push(ONE, (name, 100));
        }
        for name in ["small 1", "small 2"] {
            lines.push(None, (name, 10));
        }
        lines.push(OTHER, ("other", 10));
        assert_eq!(turns(&mut lines), ["small 1", "large 1", "other", "small 2", "large 2", "large 3"]);
    }

    #[test]
    fn whoever_comes_later_is_next_and_has_saved_nothing_up() {
        let mut lines = WorkLines::default();
        (0..3).for_each(|_| lines.push(ONE, ("first", 100)));
        let (caller, (_, work)) = lines.pop().unwrap();
        lines.charge(caller, work);
        (0..3).for_each(|_| lines.push(OTHER, ("later", 100)));
        assert_eq!(turns(&mut lines), ["later", "first", "later", "first", "later"]);
    }

    #[test]
    fn whoever_comes_back_at_once_has_no_turn_before_those_who_waited() {
        let mut lines = WorkLines::default();
        lines.push(ONE, ("one", 100));
        lines.push(OTHER, ("other", 1));
        let (caller, (_, work)) = lines.pop().unwrap();
        assert_eq!(caller, ONE);
        lines.charge(caller, work);
        lines.push(ONE, ("one again", 1));
        assert_eq!(turns(&mut lines), ["other", "one again"]);
    }
}
