//! Which PostgreSQL to use: a private one, or a server that somebody named.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PostgresPlace {
    /// `postgres:`: made for this run by `initdb`, removed with it.
    Private,
    /// `postgres://…`: a new database on it, dropped at the end.
    At(String),
}

impl PostgresPlace {
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        match text.split_once(':') {
            Some(("postgres" | "postgresql", "")) => Ok(Self::Private),
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => Ok(Self::At(text.to_owned())),
            // Not repeated: it may be a mistyped URL with a password in it.
            _ => Err("write postgres: for a private server, or postgres://USER@HOST:PORT/DATABASE"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_server_and_a_named_one_are_told_apart_and_nothing_else_is_taken() {
        assert_eq!(PostgresPlace::parse("postgres:"), Ok(PostgresPlace::Private));
        let url = "postgres://someone@db.example:5433/x";
        assert_eq!(PostgresPlace::parse(url), Ok(PostgresPlace::At(url.to_owned())));
        for wrong in ["", "sqlite:data", "postgres", "postgres:somewhere"] {
            assert!(PostgresPlace::parse(wrong).is_err(), "{wrong}");
        }
    }
}
