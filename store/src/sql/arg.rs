//! Arguments of statements: 64-bit integers, texts and bytes. Times and booleans are integers, ids are ours.

/// An argument of a statement.
#[derive(Clone, Copy)]
pub enum Arg<'a> {
    Null,
    Int(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// Texts and bytes are people's, or secret; a driver that logs its arguments must find nothing to log.
impl std::fmt::Debug for Arg<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("Null"),
            Self::Int(value) => write!(f, "Int({value})"),
            Self::Text(_) => f.write_str("Text(…)"),
            Self::Bytes(_) => f.write_str("Bytes(…)"),
        }
    }
}

impl From<i64> for Arg<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<bool> for Arg<'_> {
    fn from(value: bool) -> Self {
        Self::Int(i64::from(value))
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(value: &'a String) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Arg<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(value)
    }
}

impl<'a, T: Into<Arg<'a>>> From<Option<T>> for Arg<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The numbers that stand for sessions, clients and the like go in as what they are.
macro_rules! from_ids {
    ($($id:ident),*) => {
        $(impl From<rules::ids::$id> for Arg<'_> {
            fn from(id: rules::ids::$id) -> Self {
                Self::Int(id.0)
            }
        })*
    };
}
from_ids!(
    SessionId,
    ClientId,
    UserId,
    TeamId,
    OrganisationId,
    PatientId,
    ViewerId,
    RowId,
    SignInId,
    ExportId,
    ClientInvitationId
);

/// The arguments of a statement, in order: `args![id, name, now.0]`.
macro_rules! args {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::arg::Arg::from($value)),*] };
}
pub(crate) use args;

/// PostgreSQL's text cannot hold NUL. The same stand-in is stored and asked for.
pub(crate) const NUL_STAND_IN: &str = "\u{fffd}";

/// An argument that outlives its statement's caller; also a value on its way from one engine to another.
#[derive(Clone)]
pub(crate) enum OwnedArg {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<&Arg<'_>> for OwnedArg {
    fn from(arg: &Arg<'_>) -> Self {
        match *arg {
            Arg::Null => Self::Null,
            Arg::Int(value) => Self::Int(value),
            Arg::Text(value) => Self::Text(value.to_owned()),
            Arg::Bytes(value) => Self::Bytes(value.to_owned()),
        }
    }
}

impl OwnedArg {
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
