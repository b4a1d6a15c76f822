//! Rows of a CSV file (RFC 4180), harmless in a spreadsheet: no cell is taken for a formula.

/// One row, with its line end. Every cell is quoted.
#[must_use]
pub fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| format!("\"{}\"", harmless(cell).replace('"', "\"\""))).collect();
    cells.join(",") + "\r\n"
}

/// A spreadsheet works out what begins like a formula, unless an apostrophe stands before it.
fn harmless(cell: &str) -> String {
    let mark = if cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) { "'" } else { "" };
    format!("{mark}{cell}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_commas_and_line_ends_stay_inside_their_cell() {
        let cells = ["a \"b\"".to_owned(), "c,d".into(), "e\nf".into(), String::new()];
        assert_eq!(row(&cells), "\"a \"\"b\"\"\",\"c,d\",\"e\nf\",\"\"\r\n");
    }

    #[test]
    fn nothing_is_a_formula() {
        for first in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(row(&[first.to_owned()]), format!("\"'{first}\"\r\n"));
        }
    }
}
