//! Every heading's rows and sentences in docs/contract.md, and every row of docs/gaps.md, are named by a test.
//!
//! A test names a line by a comment above it: `// contract: <heading> > <words of the line>` or
//! `// gaps: <heading> > <words of the line>`. The words are the first cell of a row, or occur in exactly one line under that
//! heading. A table under a line `<!-- table: … -->` is left out: tests of `rules` hold the code to its every cell.

use std::path::Path;

/// One line of a document that a test must name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    heading: String,
    text: String,
}

/// One marker: which document, where, and the words.
#[derive(Debug)]
struct Marker {
    document: &'static str,
    heading: String,
    words: String,
    file: String,
}

#[test]
fn every_line_of_the_contract_is_named_by_a_test() {
    hold("contract", include_str!("../../../docs/contract.md"), |line| !is_introduction(line));
}

#[test]
fn every_decided_gap_is_named_by_a_test() {
    hold("gaps", include_str!("../../../docs/gaps.md"), |line| line.starts_with('|'));
}

/// The check above is worth its name only if a line that no test names is told.
#[test]
fn a_line_that_no_test_names_is_told_with_its_words() {
    let lines = lines("## Limits\n| Item | Value |\n|---|---|\n| Moon phases | 8 |\n", |_| true);
    assert_eq!(lines, [Line { heading: "Limits".into(), text: "| Moon phases | 8 |".into() }]);
    let marker = |words: &str| Marker {
        document: "contract",
        heading: "Limits".into(),
        words: words.into(),
        file: "x.rs".into(),
    };
    assert_eq!(unnamed(&lines, &[marker("Moon phases")]), Vec::<&Line>::new());
    assert_eq!(unnamed(&lines, &[]), [&lines[0]]);
    assert_eq!(stale(&lines, &[marker("Sun spots")]).len(), 1);
}

#[test]
fn a_row_is_named_by_its_first_cell_though_another_row_has_the_word_too() {
    let text = "## Limits\n| Moon | 8 phases |\n| Sun | far from the Moon |\n\n<!-- table: stars -->\n| a | b |\n|---|---|\n| Vega | 1 |\n";
    let lines = lines(text, |_| true);
    let first_cells: Vec<&str> = lines.iter().filter_map(|line| first_cell(&line.text)).collect();
    assert_eq!(first_cells, ["Moon", "Sun"]);
    let marker = |words: &str| Marker {
        document: "contract",
        heading: "Limits".into(),
        words: words.into(),
        file: "x.rs".into(),
    };
    assert_eq!(named(&lines, &marker("Moon")), [&lines[0]]);
    assert_eq!(named(&lines, &marker("o")).len(), 2);
}

fn hold(document: &'static str, text: &str, counts: impl Fn(&str) -> bool) {
    let lines = lines(text, counts);
    assert!(lines.len() > 30, "docs/{document}.md was not read");
    let markers: Vec<Marker> = markers().into_iter().filter(|marker| marker.document == document).collect();
    let stale = stale(&lines, &markers);
    let told: Vec<String> = stale.iter().map(|m| format!("{}: {} > {}", m.file, m.heading, m.words)).collect();
    assert!(told.is_empty(), "markers that name no line, or several, of docs/{document}.md: {told:#?}");
    let unnamed = unnamed(&lines, &markers);
    assert!(unnamed.is_empty(), "{} lines of docs/{document}.md that no test names: {unnamed:#?}", unnamed.len());
}

fn unnamed<'a>(lines: &'a [Line], markers: &[Marker]) -> Vec<&'a Line> {
    lines.iter().filter(|line| !markers.iter().any(|marker| named(lines, marker).contains(line))).collect()
}

fn stale<'a>(lines: &[Line], markers: &'a [Marker]) -> Vec<&'a Marker> {
    markers.iter().filter(|marker| named(lines, marker).len() != 1).collect()
}

/// The row whose first cell a marker gives; otherwise all lines that have its words.
fn named<'a>(lines: &'a [Line], marker: &Marker) -> Vec<&'a Line> {
    let under = || lines.iter().filter(|line| line.heading == marker.heading);
    let row: Vec<&Line> = under().filter(|line| first_cell(&line.text) == Some(marker.words.as_str())).collect();
    if row.is_empty() { under().filter(|line| line.text.contains(&marker.words)).collect() } else { row }
}

fn first_cell(line: &str) -> Option<&str> {
    line.strip_prefix("| ")?.split(" |").next()
}

/// The lines that say something: table rows below their header, list items, and sentences that announce no table.
fn lines(text: &str, counts: impl Fn(&str) -> bool) -> Vec<Line> {
    let (mut heading, mut found) = (String::new(), Vec::new());
    let all: Vec<String> = text.lines().map(plain).collect();
    let mut is_held_by_rules = false;
    for (at, line) in all.iter().enumerate() {
        is_held_by_rules = line.starts_with("<!-- table:") || (is_held_by_rules && line.starts_with('|'));
        if is_held_by_rules {
            continue;
        }
        let is_rule = |line: &String| line.starts_with("|--");
        let is_head = all.get(at + 1).is_some_and(is_rule);
        if line.starts_with('#') {
            heading = line.trim_start_matches('#').trim().to_owned();
        } else if !line.is_empty() && !is_head && !is_rule(line) && !announces_table(line) && counts(line) {
            let line = Line { heading: heading.clone(), text: line.clone() };
            // Two tables of one section may have a row in common.
            if !found.contains(&line) {
                found.push(line);
            }
        }
    }
    found
}

fn announces_table(line: &str) -> bool {
    line.ends_with(':') && !line.starts_with("- ")
}

fn plain(line: &str) -> String {
    line.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the contract says of itself, not of the service.
fn is_introduction(line: &str) -> bool {
    line.starts_with("This single document covers")
}

/// The markers of all tests of this binary. Each must stand above a test.
fn markers() -> Vec<Marker> {
    let mut found = Vec::new();
    for suite in ["tests/contract", "tests/program"] {
        gather(&Path::new(env!("CARGO_MANIFEST_DIR")).join(suite), &mut found);
    }
    found
}

fn gather(folder: &Path, into: &mut Vec<Marker>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, into);
        } else if !path.ends_with(file!()) {
            into.extend(markers_of(&path));
        }
    }
}

fn markers_of(path: &Path) -> Vec<Marker> {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut found, mut waiting) = (Vec::new(), Vec::new());
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let marker = |document, rest: &str| {
            let (heading, words) = rest.split_once(" > ").unwrap_or_else(|| panic!("{file}: no > in {rest}"));
            Marker { document, heading: plain(heading), words: plain(words), file: file.clone() }
        };
        if let Some(rest) = line.strip_prefix("// contract: ") {
            waiting.push(marker("contract", rest));
        } else if let Some(rest) = line.strip_prefix("// gaps: ") {
            waiting.push(marker("gaps", rest));
        } else if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if !line.starts_with("//") {
            assert!(waiting.is_empty() || is_test, "{file}: no test follows the marker {:?}", waiting.last());
            found.append(&mut waiting);
            is_test = false;
        }
    }
    found
}
