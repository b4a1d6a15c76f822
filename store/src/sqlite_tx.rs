//! Statements on one SQLite connection, and what a write transaction on it touched.

use crate::db::{Arg, Row};
use crate::error::{Error, Result};
use crate::remembered::Touched;
use crate::sessions::at_hand::AtHand;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql};

/// The writer's connection while it runs jobs.
#[derive(Debug)]
pub struct SqliteTx {
    pub(crate) connection: Connection,
    pub(crate) touched: Touched,
    pub(crate) at_hand: AtHand,
    /// A job failed that has no savepoint of its own: nothing of its transaction may be committed.
    pub(crate) spoilt: bool,
}

impl SqliteTx {
    pub(crate) fn new(connection: Connection) -> Self {
        Self { connection, touched: Touched::default(), at_hand: AtHand::default(), spoilt: false }
    }

    pub(crate) fn execute(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64> {
        let mut statement = prepared(&self.connection, sql, args)?;
        Ok(statement.raw_execute()? as u64)
    }

    pub(crate) fn query<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        query(&self.connection, sql, args, map)
    }
}

/// Runs a query on a connection and maps every row.
pub(crate) fn query<T>(
    connection: &Connection,
    sql: &str,
    args: &[Arg<'_>],
    mut map: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = prepared(connection, sql, args)?;
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(map(&Row::Sqlite(row))?);
    }
    Ok(found)
}

/// A cached statement with its arguments bound by the number in `$n`: to SQLite `$1` is a name, numbered by first
/// appearance, so position alone may bind the wrong argument.
pub(crate) fn prepared<'c>(connection: &'c Connection, sql: &str, args: &[Arg<'_>]) -> Result<CachedStatement<'c>> {
    let mut statement = connection.prepare_cached(sql)?;
    let in_order = is_in_order(sql);
    for index in 1..=statement.parameter_count() {
        let number = if in_order { Some(index) } else { number(&statement, index) };
        let arg = number.and_then(|n| args.get(n.checked_sub(1)?));
        let arg = arg.ok_or_else(|| Error::Impossible(format!("no argument for parameter {index} of {sql}")))?;
        statement.raw_bind_parameter(index, arg)?;
    }
    Ok(statement)
}

fn number(statement: &CachedStatement<'_>, index: usize) -> Option<usize> {
    statement.parameter_name(index)?.get(1..)?.parse().ok()
}

/// Whether `$1`, `$2`, … first appear in this order. Most statements are written so, and looking is cheaper than asking
/// SQLite for each name.
fn is_in_order(sql: &str) -> bool {
    let mut seen = 0;
    sql.split('$').skip(1).all(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit);
        let number = digits.fold(0, |number: usize, digit| number * 10 + usize::from(digit - b'0'));
        let fits = number <= seen + 1;
        seen = seen.max(number);
        fits
    })
}

impl ToSql for Arg<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_bound_by_number_in_whatever_order_they_appear() {
        let connection = Connection::open_in_memory().unwrap();
        for (sql, found) in [
            ("SELECT $1, $2, $3", [1, 2, 3]),
            ("SELECT $3, $1, $2", [3, 1, 2]),
            ("SELECT $2, $2, $1", [2, 2, 1]),
            ("SELECT $1, $2, $1 + $3 - $3", [1, 2, 1]),
        ] {
            let args = [Arg::Int(1), Arg::Int(2), Arg::Int(3)];
            let row = |row: &Row<'_>| Ok([row.int(0)?, row.int(1)?, row.int(2)?]);
            assert_eq!(query(&connection, sql, &args, row).unwrap(), [found], "{sql}");
        }
        let both = (is_in_order("SELECT $1, $2, $1, $10"), is_in_order("SELECT $1, $2, $1, $3"));
        assert_eq!(both, (false, true));
        assert!(query(&connection, "SELECT $1, $2", &[Arg::Int(1)], |row| row.int(0)).is_err(), "one is missing");
    }
}
