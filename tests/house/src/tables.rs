//! The tables of a page, for tests that hold the program to what its documents say.

/// A table: the cells of its head, and those of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// The tables that stand right below a line `<!-- mark -->`.
#[must_use]
pub fn marked(page: &str, mark: &str) -> Vec<Table> {
    let line = format!("<!-- {mark} -->\n");
    page.split(&line).skip(1).filter_map(first).collect()
}

/// The first table whose head begins with this cell.
#[must_use]
pub fn headed(page: &str, cell: &str) -> Option<Table> {
    let at = page.find(&format!("\n| {cell} |"))?;
    first(page.get(at + 1..)?)
}

/// The table that a text begins with.
fn first(text: &str) -> Option<Table> {
    let mut lines = text.lines().take_while(|line| line.starts_with('|'));
    let head = cells(lines.next()?);
    let rows = lines.skip(1).map(cells).collect();
    Some(Table { head, rows })
}

/// The cells of a line; `\|` is a sign and no end of one.
fn cells(line: &str) -> Vec<String> {
    let line = line.replace("\\|", "\u{0}");
    let inside = line.trim().trim_start_matches('|').trim_end_matches('|');
    inside.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "words\n<!-- colours -->\n| name | code |\n|---|---|\n| red | a\\|b |\n| blue | |\n\nmore\n| x |\n|-|\n";

    #[test]
    fn a_table_is_found_by_its_mark_and_by_its_head() {
        let colours = marked(PAGE, "colours");
        assert_eq!(colours.len(), 1);
        assert_eq!(colours[0].rows, [["red", "a|b"], ["blue", ""]]);
        assert_eq!(headed(PAGE, "name"), colours.into_iter().next());
        assert!(marked(PAGE, "shapes").is_empty() && headed(PAGE, "code").is_none());
    }
}
