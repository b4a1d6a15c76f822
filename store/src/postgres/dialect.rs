//! The one difference of dialect between the engines in statements: how a JSON array of arguments is taken apart.

use std::borrow::Cow;

/// SQLite's `json_each($1)` as PostgreSQL says it. Both have the column `value`, and both are given a text.
pub(crate) fn in_postgres(sql: &str) -> Cow<'_, str> {
    const LIST: &str = "json_each(";
    if !sql.contains(LIST) {
        return Cow::Borrowed(sql);
    }
    let mut parts = sql.split(LIST);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (mark, rest) = part.split_once(')').unwrap_or((part, ""));
        text.push_str(&format!("json_array_elements_text(CAST(CAST({mark} AS TEXT) AS json)){rest}"));
    }
    Cow::Owned(text)
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
        assert_eq!(in_postgres("SELECT 1"), "SELECT 1");
    }
}
