//! The outboxes of the one writer: lines of the group under way, written in one row for each file that the group changed.
//!
//! A row for each line would cost a refresh as much as the change that it tells of.

use super::connection::prepared;
use crate::error::Result;
use crate::lines::author::Author;
use crate::lines::collection::Collection;
use crate::lines::line::Line;
use crate::lines::notebook::{Fill, Notebook};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use rusqlite::Connection;
use std::sync::Arc;

/// One outbox.
#[derive(Debug, Default)]
struct Pile {
    lines: Collection,
    /// The id of the last row that was written. They only grow, whatever the clock does: what was added to the ledger is
    /// known by the last id alone.
    last: i64,
}

#[derive(Debug, Default)]
pub(crate) struct Outboxes {
    records: Pile,
    sessions: Pile,
    /// Who does what the job under way does.
    author: Option<Arc<Author>>,
}

impl Outboxes {
    /// Finds the last ids; `marks` are those of the last rows that were added to the ledger, which may be gone from the outboxes.
    pub(crate) fn open(connection: &Connection, marks: [i64; 2]) -> Result<Self> {
        let last = |table: &str, mark: i64| -> Result<Pile> {
            let id: Option<i64> =
                connection.query_row(&format!("SELECT max(id) FROM {table}"), [], |row| row.get(0))?;
            Ok(Pile { lines: Collection::default(), last: id.unwrap_or(mark).max(mark) })
        };
        let [records, sessions] = marks;
        let (records, sessions) = (last("record_lines", records)?, last("session_lines", sessions)?);
        Ok(Self { records, sessions, author: None })
    }

    pub(crate) fn push(&mut self, outbox: Outbox, line: &Line) {
        let pile = match outbox {
            Outbox::Records => &mut self.records,
            Outbox::Sessions => &mut self.sessions,
        };
        pile.lines.push(line, self.author.as_deref());
    }

    /// Writes what there is into the transaction under way.
    pub(crate) fn write(&mut self, connection: &Connection) -> Result<()> {
        for (outbox, pile) in [(Outbox::Records, &mut self.records), (Outbox::Sessions, &mut self.sessions)] {
            let Some(lines) = pile.lines.written() else { continue };
            pile.last += 1;
            let statement = outbox.insert();
            let written = prepared(connection, statement, args![pile.last, lines]);
            written.and_then(|mut insert| Ok(insert.raw_execute()?)).map_err(|error| error.during(statement.name))?;
            pile.lines.clear();
        }
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        self.records.lines.clear();
        self.sessions.lines.clear();
    }
}

impl Notebook for Outboxes {
    fn sign(&mut self, author: Option<Arc<Author>>) {
        self.author = author;
    }

    fn author(&self) -> Option<&Author> {
        self.author.as_deref()
    }

    fn fill(&self) -> Fill {
        Fill([self.records.lines.length(), self.sessions.lines.length()])
    }

    fn cut(&mut self, Fill([records, sessions]): Fill) {
        self.records.lines.cut(records);
        self.sessions.lines.cut(sessions);
    }
}
