//! Many rows for one table: put one by one where a statement is a call, and together where each is a journey.

use super::arg::Arg;
use super::statement::{Statement, quote};
use crate::error::{Error, Result};

/// A list is ended once it is so long.
const LONG: usize = 256 << 10;

/// How rows are put into a table. All take a row's values in the same order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPut {
    /// The table and its columns, where rows are only ever added and none is there already: a server takes many as they are.
    pub(crate) into: Option<&'static str>,
    /// One row: its values are `$1`, `$2` and so on.
    pub(crate) one: Statement<'static>,
    /// Many: `json_each($1, '$')` gives each as an array of its values.
    pub(crate) many: Statement<'static>,
}

/// Rows as JSON arrays of arrays, each of bounded length.
pub(crate) fn lists<'a>(rows: &[impl AsRef<[Arg<'a>]>]) -> Result<Vec<String>> {
    let mut lists = Vec::new();
    let mut list = String::new();
    for row in rows {
        list.push(if list.is_empty() { '[' } else { ',' });
        write(row.as_ref(), &mut list)?;
        if list.len() > LONG {
            list.push(']');
            lists.push(std::mem::take(&mut list));
        }
    }
    if !list.is_empty() {
        list.push(']');
        lists.push(list);
    }
    Ok(lists)
}

fn write(row: &[Arg<'_>], json: &mut String) -> Result<()> {
    for (place, value) in row.iter().enumerate() {
        json.push(if place == 0 { '[' } else { ',' });
        match value {
            Arg::Null => json.push_str("null"),
            Arg::Int(value) => json.push_str(&value.to_string()),
            Arg::Text(value) => quote(value, json),
            Arg::Bytes(_) => return Err(Error::Impossible("bytes in a list of rows".into())),
        }
    }
    json.push(']');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::arg::args;

    #[test]
    fn rows_are_arrays_in_an_array_and_a_long_list_is_cut() {
        let row = |values: &[Arg<'static>]| values.to_vec();
        let rows = [row(args![1_i64, "a\"b"]), row(args![-2_i64, None::<&str>])];
        assert_eq!(lists(&rows).unwrap(), [r#"[[1,"a\"b"],[-2,null]]"#]);
        assert!(lists(&[] as &[Vec<Arg<'_>>]).unwrap().is_empty());
        let long = "x".repeat(LONG);
        let rows = vec![row(args![1_i64]), vec![Arg::Text(&long)], row(args![2_i64])];
        assert_eq!(lists(&rows).unwrap().len(), 2);
    }
}
