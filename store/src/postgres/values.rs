//! Arguments and columns as PostgreSQL sends them.

use crate::error::{Error, Result};
use crate::sql::arg::{Arg, NUL_STAND_IN};
use crate::sql::row::Row;
use bytes::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

type ValueError = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Arg<'_> {
    fn to_sql(&self, wanted: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, ValueError> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) if *wanted == Type::INT4 => i32::try_from(*value)?.to_sql(wanted, out),
            Self::Int(value) => value.to_sql_checked(wanted, out),
            Self::Text(value) if value.contains('\0') => value.replace('\0', NUL_STAND_IN).to_sql_checked(wanted, out),
            Self::Text(value) => value.to_sql_checked(wanted, out),
            Self::Bytes(value) => value.to_sql_checked(wanted, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        // Checked value by value above.
        true
    }

    to_sql_checked!();
}

/// An integer column of any width.
struct Int(i64);

impl<'a> FromSql<'a> for Int {
    fn from_sql(sent: &Type, raw: &'a [u8]) -> std::result::Result<Self, ValueError> {
        if *sent == Type::INT4 {
            i32::from_sql(sent, raw).map(|value| Self(value.into()))
        } else {
            i64::from_sql(sent, raw).map(Self)
        }
    }

    fn accepts(sent: &Type) -> bool {
        matches!(*sent, Type::INT4 | Type::INT8)
    }
}

impl Row for tokio_postgres::Row {
    fn opt_int(&self, at: usize) -> Result<Option<i64>> {
        Ok(column::<Option<Int>>(self, at)?.map(|int| int.0))
    }

    fn opt_text(&self, at: usize) -> Result<Option<String>> {
        column(self, at)
    }

    fn opt_bytes(&self, at: usize) -> Result<Option<Vec<u8>>> {
        column(self, at)
    }
}

/// A column that is not of the type that the code expects is a row that the code did not write.
fn column<'r, T: FromSql<'r>>(row: &'r tokio_postgres::Row, at: usize) -> Result<T> {
    row.try_get(at).map_err(|error| Error::Impossible(format!("column {at}: {error}")))
}
