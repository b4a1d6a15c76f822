//! Tables that a document marks by a line `<!-- table: name -->`, and every change that could be made to one of them alone.

/// The lines of the table of this name.
pub(crate) fn table<'d>(document: &'d str, name: &str) -> &'d str {
    let marker = format!("<!-- table: {name} -->\n");
    let start = document.find(&marker).expect("the table is named") + marker.len();
    let length =
        document[start..].split_inclusive('\n').take_while(|line| line.starts_with('|')).map(str::len).sum::<usize>();
    &document[start..start + length]
}

/// The names of all tables that a document marks.
pub(crate) fn names(document: &str) -> Vec<&str> {
    let marked = |line: &'_ str| -> Option<(usize, usize)> {
        let name = line.strip_prefix("<!-- table: ")?.strip_suffix(" -->")?;
        Some((line.len() - name.len() - 4, line.len() - 4))
    };
    document.lines().filter_map(|line| marked(line).map(|(from, to)| &line[from..to])).collect()
}

/// The document with one change in a table: in each cell, in each number, each row lost, and each cell as it is in the row below.
pub(crate) fn changes(document: &str, name: &str) -> Vec<String> {
    let text = table(document, name);
    let start = text.as_ptr() as usize - document.as_ptr() as usize;
    let changed =
        |from: usize, to: usize, by: &str| format!("{}{by}{}", &document[..start + from], &document[start + to..]);
    let cells = text.match_indices(" |").map(|(at, _)| changed(at, at, " (changed)"));
    let digits = text.match_indices(|c: char| c.is_ascii_digit());
    let digits = digits.map(|(at, digit)| changed(at, at + 1, if digit == "7" { "8" } else { "7" }));
    let lines = text.lines().skip(2).map(|line| {
        let from = line.as_ptr() as usize - text.as_ptr() as usize;
        changed(from - 1, from + line.len(), "")
    });
    cells.chain(digits).chain(lines).chain(mixed(document, text, start)).collect()
}

/// Each cell in turn as it is in the row below, where that is another.
fn mixed(document: &str, text: &str, start: usize) -> Vec<String> {
    let rows: Vec<Vec<&str>> = text.lines().skip(2).map(|line| line.split('|').collect()).collect();
    let mut mixed = Vec::new();
    for pair in rows.windows(2) {
        let (row, below) = (&pair[0], &pair[1]);
        for (cell, other) in row.iter().zip(below).filter(|(cell, other)| cell != other) {
            let from = cell.as_ptr() as usize - text.as_ptr() as usize + start;
            mixed.push(format!("{}{other}{}", &document[..from], &document[from + cell.len()..]));
        }
    }
    mixed
}
