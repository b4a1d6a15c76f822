//! The ends of a move, of whichever engine: with `engine`, the only file that asks which it is.

use crate::error::Result;
use crate::place::Place;
use crate::postgres::PostgresEnd;
use crate::schema::SCHEMA;
use crate::sql::end::{Candidate, End};
use crate::sql::table::Table;
use crate::sqlite::{SqliteEnd, SqliteTarget};

/// Opens a database to move from; also says where it was moved to already.
pub(crate) async fn source(place: &Place, tables: &[Table]) -> Result<(Box<dyn End>, Option<String>)> {
    Ok(match place {
        Place::Sqlite(directory) => boxed(SqliteEnd::source(directory, SCHEMA)?),
        Place::Postgres(place) => boxed(PostgresEnd::source(place, SCHEMA, tables).await?),
    })
}

fn boxed<E: End + 'static>((end, moved_to): (E, Option<String>)) -> (Box<dyn End>, Option<String>) {
    (Box::new(end), moved_to)
}

/// Takes a database to move to. Nothing is written yet.
pub(crate) async fn target(place: &Place, tables: &[Table]) -> Result<Box<dyn Candidate>> {
    match place {
        Place::Sqlite(directory) => Ok(Box::new(SqliteTarget::hold(directory, SCHEMA)?)),
        Place::Postgres(place) => Ok(Box::new(PostgresEnd::hold(place, SCHEMA, tables).await?)),
    }
}
