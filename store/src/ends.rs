//! The two ends of a move, whichever engine each is of.

use crate::error::Result;
use crate::place::Place;
use crate::postgres::PostgresEnd;
use crate::schema::SCHEMA;
use crate::sql::end::{Candidate, End};
use crate::sql::table::Table;
use crate::sqlite::{SqliteEnd, SqliteTarget};

/// Opens a database to move from; also says where it was moved to already.
pub(crate) async fn source(place: &Place, tables: &[Table]) -> Result<(Box<dyn End>, Option<String>)> {
    match place {
        Place::Sqlite(at) => SqliteEnd::source(at, SCHEMA).map(|(end, to)| (Box::new(end) as _, to)),
        Place::Postgres(at) => PostgresEnd::source(at, SCHEMA, tables).await.map(|(end, to)| (Box::new(end) as _, to)),
    }
}

/// Takes a database to move to. Nothing is written yet.
pub(crate) async fn target(place: &Place, tables: &[Table]) -> Result<Box<dyn Candidate>> {
    match place {
        Place::Sqlite(directory) => Ok(Box::new(SqliteTarget::hold(directory, SCHEMA)?)),
        Place::Postgres(place) => Ok(Box::new(PostgresEnd::hold(place, SCHEMA, tables).await?)),
    }
}
