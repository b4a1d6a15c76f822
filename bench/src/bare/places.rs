//! The places in a list that belong to one of many, so that no two ever work at the same one.

use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug)]
pub(crate) struct Places {
    number: usize,
    of: usize,
    turn: AtomicUsize,
}

impl Places {
    pub(crate) const fn of(number: usize, of: usize) -> Self {
        Self { number, of, turn: AtomicUsize::new(0) }
    }

    /// The next item of a list of which every `of`-th belongs here; the first of them again after the last.
    pub(crate) fn next<'l, T>(&self, list: &'l [T]) -> Option<&'l T> {
        let own = list.len().saturating_sub(self.number).div_ceil(self.of.max(1));
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % own.max(1);
        list.get(self.number + turn * self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_the_whole_list_between_them_and_nobody_has_what_is_anothers() {
        let list: Vec<usize> = (0..10).collect();
        let mut all = Vec::new();
        for number in 0..4 {
            let places = Places::of(number, 4);
            let own: Vec<_> = (0..9).filter_map(|_| places.next(&list)).copied().collect();
            assert!(own.iter().all(|place| place % 4 == number), "{own:?}");
            all.extend(own);
        }
        all.sort_unstable();
        all.dedup();
        assert_eq!(all, list);
        assert_eq!(Places::of(3, 4).next(&list[..3]), None);
    }
}
