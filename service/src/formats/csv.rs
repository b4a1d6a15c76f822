//! Rows of a CSV file (RFC 4180), harmless in a spreadsheet: no cell is taken for a formula, none breaks its line, and none is
//! shown in another order than it is written in.

/// One row, with its line end. Every cell is quoted.
#[must_use]
pub fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| format!("\"{}\"", harmless(cell).replace('"', "\"\""))).collect();
    cells.join(",") + "\r\n"
}

/// A spreadsheet works out what begins like a formula, unless an apostrophe stands before it. Line breaks, and whatever else
/// steers instead of being seen, are blanks: what reads a file line by line would take the rest of a cell for a row of its own.
/// Marks of direction are left out: they show a cell, or the cells behind it, in an order that nobody wrote.
fn harmless(cell: &str) -> String {
    let seen: String = cell.chars().filter(|c| !is_mark_of_direction(*c)).collect();
    let mark = if seen.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) { "'" } else { "" };
    let blank = |c: char| if c.is_control() || is_line_break(c) { ' ' } else { c };
    mark.chars().chain(seen.chars().map(blank)).collect()
}

/// Unicode's line and paragraph separators, which are no control characters.
const fn is_line_break(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// The characters of Unicode's bidirectional algorithm that only say in which direction to go on (`Bidi_Control`).
const fn is_mark_of_direction(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_commas_stay_inside_their_cell() {
        let cells = ["a \"b\"".to_owned(), "c,d".into(), String::new()];
        assert_eq!(row(&cells), "\"a \"\"b\"\"\",\"c,d\",\"\"\r\n");
    }

    #[test]
    fn no_cell_breaks_its_line() {
        for broken in ["e\nf", "e\rf", "e\u{b}f", "e\u{c}f", "e\u{85}f", "e\u{2028}f", "e\u{2029}f", "e\0f"] {
            assert_eq!(row(&[broken.to_owned()]), "\"e f\"\r\n", "{broken:?}");
        }
        assert_eq!(row(&["e\r\nf".to_owned()]), "\"e  f\"\r\n");
    }

    #[test]
    fn no_cell_is_shown_in_another_order_than_it_is_written_in() {
        for mark in
            "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}".chars()
        {
            assert_eq!(row(&[format!("a{mark}b")]), "\"ab\"\r\n", "{mark:?}");
        }
        assert_eq!(
            row(&["عيادة".to_owned()]),
            "\"عيادة\"\r\n",
            "a text that is written from right to left stays as it is"
        );
    }

    #[test]
    fn nothing_is_a_formula() {
        for (first, shown) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "' =1"),
            ("\r=1", "' =1"),
        ] {
            assert_eq!(row(&[first.to_owned()]), format!("\"{shown}\"\r\n"));
        }
        assert_eq!(row(&["\u{202e}=1".to_owned()]), "\"'=1\"\r\n", "nor what is one without its mark of direction");
    }
}
