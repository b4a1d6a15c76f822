//! Reads Markdown tables and keeps count: a table is held only when every one of its cells was.

use std::cell::RefCell;
use std::collections::BTreeSet;

/// One table. Row 0 is its header.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    held: RefCell<BTreeSet<(usize, usize)>>,
}

/// One row of a table, below the header.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    table: &'a Table,
    number: usize,
}

/// One cell of a row.
#[derive(Clone, Copy)]
pub(crate) struct Cell<'a> {
    table: &'a Table,
    row: usize,
    column: usize,
}

impl Table {
    /// The one table of `document` whose header is `header`.
    pub(crate) fn headed(document: &str, header: &[&str]) -> Self {
        let mut found = tables(document).into_iter().filter(|rows| rows.first().is_some_and(|first| first == header));
        let rows = found.next().unwrap_or_else(|| panic!("no table is headed {header:?}"));
        assert!(found.next().is_none(), "two tables are headed {header:?}");
        assert!(rows.len() > 1, "the table headed {header:?} has no rows");
        for row in &rows {
            assert_eq!(row.len(), header.len(), "the row {row:?} has another number of cells than {header:?}");
        }
        let held = (0..header.len()).map(|column| (0, column)).collect();
        Self { rows, held: RefCell::new(held) }
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (1..self.rows.len()).map(|number| Row { table: self, number })
    }

    /// The row whose first cell is `first`; that cell counts as held.
    pub(crate) fn row(&self, first: &str) -> Row<'_> {
        let row = self.rows().find(|row| row.first().text() == first);
        let row = row.unwrap_or_else(|| panic!("no row begins with the cell {first:?}"));
        row.first().reads(first);
        row
    }

    /// Fails unless as many cells were held against the rules as were parsed.
    pub(crate) fn was_held_in_every_cell(&self) {
        let parsed: usize = self.rows.iter().map(Vec::len).sum();
        let held = self.held.borrow();
        let missed: Vec<&str> = (self.rows.iter().enumerate())
            .flat_map(|(row, cells)| cells.iter().enumerate().map(move |(column, text)| ((row, column), text)))
            .filter(|(place, _)| !held.contains(place))
            .map(|(_, text)| text.as_str())
            .collect();
        assert_eq!(held.len(), parsed, "cells that nothing was held against: {missed:?}");
    }
}

impl<'a> Row<'a> {
    pub(crate) fn first(self) -> Cell<'a> {
        Cell { table: self.table, row: self.number, column: 0 }
    }

    pub(crate) fn cell(self, header: &str) -> Cell<'a> {
        let column = self.table.rows[0].iter().position(|name| name == header);
        let column = column.unwrap_or_else(|| panic!("no column is headed {header:?}"));
        Cell { table: self.table, row: self.number, column }
    }
}

impl<'a> Cell<'a> {
    pub(crate) fn text(self) -> &'a str {
        &self.table.rows[self.row][self.column]
    }

    /// Where the cell stands, for whoever must fix it.
    pub(crate) fn place(self) -> String {
        let row = &self.table.rows[self.row];
        format!("the cell {:?} (column {:?} of the row {row:?})", self.text(), self.table.rows[0][self.column])
    }

    /// What the cell means to the rules. Text that nobody has given a meaning to is a failure.
    pub(crate) fn means<T>(self, meaning: impl FnOnce(&str) -> Option<T>) -> T {
        let meant = meaning(self.text()).unwrap_or_else(|| panic!("nothing is held against {}", self.place()));
        self.table.held.borrow_mut().insert((self.row, self.column));
        meant
    }

    /// Holds the cell to exactly `text`.
    pub(crate) fn reads(self, text: &str) {
        self.means(|found| (found == text).then_some(()));
    }
}

/// Every table of a document: header first, the line of dashes left out.
fn tables(document: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables = vec![Vec::new()];
    for line in document.lines().map(str::trim) {
        match line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) {
            Some(dashes) if dashes.chars().all(|c| matches!(c, '-' | '|' | ':' | ' ')) => {}
            Some(inner) => tables.last_mut().expect("there is always a last table").push(cells(inner)),
            None => tables.push(Vec::new()),
        }
    }
    tables.retain(|rows| !rows.is_empty());
    tables
}

/// The cells between the outer bars of a line; `\|` is a bar inside a cell.
fn cells(inner: &str) -> Vec<String> {
    inner.replace("\\|", "\0").split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
}

#[test]
fn a_table_is_read_cell_by_cell() {
    let table = Table::headed("x\n\n| a | b |\n|---|---|\n| 1 | 2\\|3 |\n\n| c |\n|--|\n", &["a", "b"]);
    let row = table.row("1");
    assert_eq!(row.cell("b").text(), "2|3");
    row.cell("b").reads("2|3");
    table.was_held_in_every_cell();
}

#[test]
#[should_panic(expected = "cells that nothing was held against: [\"2\"]")]
fn a_cell_that_was_passed_over_is_named() {
    let table = Table::headed("| a | b |\n|---|---|\n| 1 | 2 |\n", &["a", "b"]);
    table.row("1");
    table.was_held_in_every_cell();
}

#[test]
#[should_panic(expected = "nothing is held against the cell \"2\" (column \"b\"")]
fn a_cell_that_has_no_meaning_is_named() {
    let table = Table::headed("| a | b |\n|---|---|\n| 1 | 2 |\n", &["a", "b"]);
    table.row("1").cell("b").reads("3");
}
