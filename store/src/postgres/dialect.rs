//! The differences of dialect between the engines: how a JSON array of arguments is taken apart, and what the order of bytes
//! is called.

use std::borrow::Cow;

/// A list of texts and numbers, as SQLite says it: `json_each($1)`. The column `value` is a text to both.
const LIST: &str = "json_each(";
/// A list of lists: `json_each($1, '$')`. The column `value` is then JSON to both, taken apart by `->>`.
const ROWS: &str = ", '$'";
/// The order of a text's bytes, whatever the database's language.
const BYTES: (&str, &str) = ("COLLATE BINARY", "COLLATE \"C\"");

/// A statement or a migration as PostgreSQL says it.
pub(crate) fn in_postgres(sql: &str) -> Cow<'_, str> {
    if !sql.contains(LIST) && !sql.contains(BYTES.0) {
        return Cow::Borrowed(sql);
    }
    let mut parts = sql.split(LIST);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (mark, rest) = part.split_once(')').unwrap_or((part, ""));
        let (function, mark) = match mark.strip_suffix(ROWS) {
            Some(mark) => ("json_array_elements", mark),
            None => ("json_array_elements_text", mark),
        };
        text.push_str(&format!("{function}(CAST(CAST({mark} AS TEXT) AS json)){rest}"));
    }
    Cow::Owned(text.replace(BYTES.0, BYTES.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_arguments_is_taken_apart_in_postgresqls_way() {
        let sql = "SELECT (SELECT value FROM json_each($1)) WHERE x IN (SELECT value FROM json_each($12)) OR (y)";
        let theirs = "SELECT (SELECT value FROM json_array_elements_text(CAST(CAST($1 AS TEXT) AS json))) \
                      WHERE x IN (SELECT value FROM json_array_elements_text(CAST(CAST($12 AS TEXT) AS json))) OR (y)";
        assert_eq!(in_postgres(sql), theirs);
        let sql = "SELECT v.value ->> 0 FROM json_each($1, '$') v";
        assert_eq!(in_postgres(sql), "SELECT v.value ->> 0 FROM json_array_elements(CAST(CAST($1 AS TEXT) AS json)) v");
        assert_eq!(in_postgres("SELECT 1"), "SELECT 1");
    }

    #[test]
    fn the_order_of_bytes_has_another_name_in_postgresql() {
        assert_eq!(in_postgres("a TEXT COLLATE BINARY NOT NULL"), "a TEXT COLLATE \"C\" NOT NULL");
    }
}
