//! Arguments and columns as PostgreSQL sends them.

use crate::db::Arg;
use bytes::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

type Broken = Box<dyn std::error::Error + Sync + Send>;

/// PostgreSQL's text cannot hold NUL. The same stand-in is stored and asked for.
pub(crate) const NUL_STAND_IN: &str = "\u{fffd}";

impl ToSql for Arg<'_> {
    fn to_sql(&self, wanted: &Type, out: &mut BytesMut) -> Result<IsNull, Broken> {
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

/// An argument that outlives its statement's caller; also a value on its way from one engine to another.
#[derive(Clone)]
pub(crate) enum OwnArg {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<&Arg<'_>> for OwnArg {
    fn from(arg: &Arg<'_>) -> Self {
        match *arg {
            Arg::Null => Self::Null,
            Arg::Int(value) => Self::Int(value),
            Arg::Text(value) => Self::Text(value.to_owned()),
            Arg::Bytes(value) => Self::Bytes(value.to_owned()),
        }
    }
}

impl OwnArg {
    pub(crate) fn arg(&self) -> Arg<'_> {
        match self {
            Self::Null => Arg::Null,
            Self::Int(value) => Arg::Int(*value),
            Self::Text(value) => Arg::Text(value),
            Self::Bytes(value) => Arg::Bytes(value),
        }
    }

    /// How much room it takes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Null | Self::Int(_) => size_of::<Self>(),
            Self::Text(value) => size_of::<Self>() + value.len(),
            Self::Bytes(value) => size_of::<Self>() + value.len(),
        }
    }
}

/// An integer column of any width.
pub(crate) struct Int(pub i64);

impl<'a> FromSql<'a> for Int {
    fn from_sql(sent: &Type, raw: &'a [u8]) -> Result<Self, Broken> {
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
