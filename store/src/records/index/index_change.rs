//! What a next version changes of the rows that find a resource: those that go, and those that come. All others stay as they are, so
//! that writing a large resource again costs the writer what differs.

use super::index_rows::{IndexSheet, SheetRow};
use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::{Arg, OwnedArg};
use crate::sql::row::Row;
use crate::sql::statement::{Statement, list, statements};
use crate::store::Store;
use rules::ids::RowId;
use std::collections::HashMap;

statements! {
    TOKENS = "SELECT resource_id, type, parameter, part, code, system FROM index_tokens
        WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    TEXTS = "SELECT resource_id, type, parameter, part, number, folded, whole, written FROM index_texts
        WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    REFERENCES = "SELECT resource_id, type, parameter, part, target_type, target, version FROM index_references
        WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    DATES = "SELECT resource_id, type, parameter, part, low, high FROM index_dates
        WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    AMOUNTS = "SELECT resource_id, type, parameter, part, number, low, high, system, code, unit, base, base_low, base_high
        FROM index_amounts WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    URIS = "SELECT resource_id, type, parameter, part, uri, version FROM index_uris
        WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    COURSES = "SELECT resource_id, parameter, patient_id, code, moment, system FROM index_courses
        WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    TAKE_TOKEN = "DELETE FROM index_tokens
        WHERE resource_id = $1 AND type = $2 AND parameter = $3 AND part = $4 AND code = $5 AND system = $6";
    TAKE_TEXT = "DELETE FROM index_texts
        WHERE resource_id = $1 AND type = $2 AND parameter = $3 AND part = $4 AND number = $5 AND folded = $6";
    TAKE_REFERENCE = "DELETE FROM index_references WHERE resource_id = $1 AND type = $2 AND parameter = $3 AND part = $4
        AND target_type = $5 AND target = $6 AND version = $7";
    TAKE_DATE = "DELETE FROM index_dates
        WHERE resource_id = $1 AND type = $2 AND parameter = $3 AND part = $4 AND low = $5 AND high = $6";
    TAKE_AMOUNT = "DELETE FROM index_amounts WHERE resource_id = $1 AND type = $2 AND parameter = $3 AND part = $4
        AND number = $5 AND low = $6 AND high = $7";
    TAKE_URI = "DELETE FROM index_uris
        WHERE resource_id = $1 AND type = $2 AND parameter = $3 AND part = $4 AND uri = $5 AND version = $6";
    TAKE_COURSE = "DELETE FROM index_courses
        WHERE resource_id = $1 AND parameter = $2 AND patient_id = $3 AND code = $4 AND moment = $5 AND system = $6";
}

/// A table of the index, with its columns in the order in which a row is put.
struct TableRows {
    read: Statement<'static>,
    /// Whether each column is a text.
    texts: &'static [bool],
    /// The column that tells rows apart that say the same.
    number: Option<usize>,
    take: Statement<'static>,
    /// As many columns, from the first, as tell which row it is.
    key: usize,
}

const TABLES: [TableRows; 7] = [
    TableRows {
        read: TOKENS,
        texts: &[false, false, false, false, true, false],
        number: None,
        take: TAKE_TOKEN,
        key: 6,
    },
    TableRows {
        read: TEXTS,
        texts: &[false, false, false, false, false, true, true, true],
        number: Some(4),
        take: TAKE_TEXT,
        key: 6,
    },
    TableRows {
        read: REFERENCES,
        texts: &[false, false, false, false, false, true, true],
        number: None,
        take: TAKE_REFERENCE,
        key: 7,
    },
    TableRows { read: DATES, texts: &[false; 6], number: None, take: TAKE_DATE, key: 6 },
    TableRows {
        read: AMOUNTS,
        texts: &[false, false, false, false, false, false, false, false, true, true, true, false, false],
        number: Some(4),
        take: TAKE_AMOUNT,
        key: 7,
    },
    TableRows { read: URIS, texts: &[false, false, false, false, true, true], number: None, take: TAKE_URI, key: 6 },
    TableRows {
        read: COURSES,
        texts: &[false, false, false, true, false, false],
        number: None,
        take: TAKE_COURSE,
        key: 6,
    },
];

/// A value of an index row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum IndexCell {
    Null,
    Int(i64),
    Text(String),
}

impl IndexCell {
    fn of(arg: &Arg<'_>) -> Self {
        match OwnedArg::from(arg) {
            OwnedArg::Int(value) => Self::Int(value),
            OwnedArg::Text(value) => Self::Text(value),
            OwnedArg::Null | OwnedArg::Bytes(_) => Self::Null,
        }
    }

    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Null => Arg::Null,
            Self::Int(value) => Arg::Int(*value),
            Self::Text(value) => Arg::Text(value),
        }
    }
}

/// A row as it is stored: the number of its table, its values but for what only tells it apart, and that.
#[derive(Debug)]
pub(crate) struct StoredRow {
    table: usize,
    cells: Vec<IndexCell>,
    number: i64,
}

/// What is changed of the rows of one resource.
#[derive(Debug, Default)]
pub(crate) struct IndexChange {
    /// For each table the rows that go.
    gone: [Vec<Vec<IndexCell>>; TABLES.len()],
    come: Vec<SheetRow>,
}

/// The rows of these resources, as they are stored now.
pub(crate) async fn stored(store: &Store, resources: &[RowId]) -> Result<HashMap<i64, Vec<StoredRow>>> {
    let mut found: HashMap<i64, Vec<StoredRow>> = HashMap::new();
    let asked = list(resources.iter().map(|row| row.0));
    for (number, table) in TABLES.iter().enumerate() {
        let read = move |row: &dyn Row| stored_row(number, table, row);
        for (resource, row) in store.db.page(table.read, &[Arg::Text(&asked)], read).await? {
            found.entry(resource).or_default().push(row);
        }
    }
    Ok(found)
}

fn stored_row(number: usize, table: &TableRows, row: &dyn Row) -> Result<(i64, StoredRow)> {
    let cell = |(at, is_text): (usize, &bool)| {
        Ok(match is_text {
            true => row.opt_text(at)?.map_or(IndexCell::Null, IndexCell::Text),
            false => row.opt_int(at)?.map_or(IndexCell::Null, IndexCell::Int),
        })
    };
    let cells = table.texts.iter().enumerate().map(cell).collect::<Result<Vec<_>>>()?;
    let (number, cells) = told_apart(number, cells);
    Ok((row.int(0)?, StoredRow { table: number.0, cells, number: number.1 }))
}

/// Takes out of a row's values what only tells it apart from others that say the same.
fn told_apart(table: usize, mut cells: Vec<IndexCell>) -> ((usize, i64), Vec<IndexCell>) {
    let place = TABLES.get(table).and_then(|table| table.number).and_then(|at| cells.get_mut(at));
    let number = match place.map(|place| std::mem::replace(place, IndexCell::Null)) {
        Some(IndexCell::Int(number)) => number,
        _ => 0,
    };
    ((table, number), cells)
}

impl IndexChange {
    /// What makes these stored rows the new ones. Rows that stay keep their numbers; those that come have higher ones.
    pub(crate) fn between(stored: Vec<StoredRow>, new: impl Iterator<Item = SheetRow>) -> Self {
        let mut next = stored.iter().map(|row| row.number).max().map_or(0, |highest| highest + 1);
        let mut there: HashMap<(usize, Vec<IndexCell>), Vec<i64>> = HashMap::with_capacity(stored.len());
        for StoredRow { table, cells, number } in stored {
            there.entry((table, cells)).or_default().push(number);
        }
        let mut change = Self::default();
        for mut row in new {
            let (_, cells) = told_apart(row.table(), row.cells().iter().map(IndexCell::of).collect());
            if there.get_mut(&(row.table(), cells)).is_some_and(|numbers| numbers.pop().is_some()) {
                continue;
            }
            row.number = next;
            next += 1;
            change.come.push(row);
        }
        for ((table, cells), numbers) in there {
            let Some((of, gone)) = TABLES.get(table).zip(change.gone.get_mut(table)) else { continue };
            for number in numbers {
                let mut cells = cells.clone();
                if let Some(place) = of.number.and_then(|at| cells.get_mut(at)) {
                    *place = IndexCell::Int(number);
                }
                gone.push(cells);
            }
        }
        change
    }

    /// How many rows go and come.
    pub(crate) fn rows(&self) -> usize {
        self.come.len() + self.gone.iter().map(Vec::len).sum::<usize>()
    }

    /// Takes away the rows that go, and notes those that come.
    pub(crate) fn make(&self, tx: &mut Tx<'_>, sheet: &mut IndexSheet) -> Result<()> {
        sheet.add_rows(self.come.iter().cloned());
        for (table, gone) in TABLES.iter().zip(&self.gone) {
            let keys: Vec<Vec<Arg<'_>>> =
                gone.iter().map(|cells| cells.iter().take(table.key).map(IndexCell::arg).collect()).collect();
            tx.execute_each(table.take, &keys)?;
        }
        Ok(())
    }
}
