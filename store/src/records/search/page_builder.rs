//! PageBuilder a page: rows in the order of its keys, until it has as many entries, or is as large, as a page may be. What is
//! behind its end is let go as it comes, so that a page of large resources is never held as a whole.

use rules::limits::PAGE_BYTES;
use std::collections::BTreeMap;

/// What was gathered.
#[derive(Clone, Debug)]
pub struct Page<T> {
    pub entries: Vec<T>,
    /// It is as large as a page may be, and there is more behind it.
    pub is_full: bool,
}

pub(crate) struct PageBuilder<K, T> {
    entries: BTreeMap<K, (usize, T)>,
    most: usize,
    bytes: usize,
    /// How large a page may be.
    most_bytes: usize,
    /// What has this key, or a greater one, is behind the page.
    end: Option<K>,
}

impl<K: Ord, T> PageBuilder<K, T> {
    /// Of at most so many entries.
    pub(crate) fn of(most: i64) -> Self {
        let most = usize::try_from(most).unwrap_or_default();
        Self { entries: BTreeMap::new(), most, bytes: 0, most_bytes: PAGE_BYTES, end: None }
    }

    /// The same, no larger than this.
    pub(crate) fn within(self, most_bytes: usize) -> Self {
        Self { most_bytes, ..self }
    }

    /// Adds an entry of so many bytes; one that is there already is the same. The first has a place however large it is.
    pub(crate) fn add(&mut self, key: K, bytes: usize, entry: T) {
        if self.end.as_ref().is_some_and(|end| key >= *end) || self.entries.contains_key(&key) {
            return;
        }
        self.bytes += bytes;
        self.entries.insert(key, (bytes, entry));
        while self.entries.len() > self.most {
            self.let_go();
        }
        while self.bytes > self.most_bytes && self.entries.len() > 1 {
            self.end = self.let_go().or(self.end.take());
        }
    }

    /// The last key, behind which nothing is kept any more; none where there is room.
    pub(crate) fn end(&self) -> Option<&K> {
        let last = self.entries.keys().next_back().filter(|_| self.entries.len() >= self.most);
        last.into_iter().chain(&self.end).min()
    }

    fn let_go(&mut self) -> Option<K> {
        let (key, (bytes, _)) = self.entries.pop_last()?;
        self.bytes -= bytes;
        Some(key)
    }

    pub(crate) fn page(self) -> Page<T> {
        let is_full = self.end.is_some();
        Page { entries: self.entries.into_values().map(|(_, entry)| entry).collect(), is_full }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(most: i64, rows: &[(i64, usize)]) -> (Vec<i64>, bool) {
        let mut builder = PageBuilder::of(most);
        rows.iter().for_each(|(key, bytes)| builder.add(*key, *bytes, *key));
        let page = builder.page();
        (page.entries, page.is_full)
    }

    #[test]
    fn a_page_has_its_first_entries_each_once_whatever_the_order_they_come_in() {
        assert_eq!(gathered(3, &[(5, 1), (1, 1), (3, 1), (1, 1), (2, 1)]), (vec![1, 2, 3], false));
    }

    #[test]
    fn a_page_ends_where_it_is_large_and_nothing_behind_that_slips_in() {
        let half = PAGE_BYTES / 2;
        assert_eq!(gathered(9, &[(1, half), (5, half), (3, half), (6, 1), (2, 1), (4, 1)]), (vec![1, 2], true));
    }

    #[test]
    fn an_entry_that_is_larger_than_a_page_is_a_page() {
        assert_eq!(gathered(9, &[(1, 2 * PAGE_BYTES), (2, 1)]), (vec![1], true));
    }
}
