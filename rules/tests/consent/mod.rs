//! The tables of docs/consent.md, each held by a file of its own.

#[path = "../contract/known_words.rs"]
pub(crate) mod known_words;
#[path = "../contract/markdown.rs"]
pub(crate) mod markdown;
#[path = "../contract/marked.rs"]
pub(crate) mod marked;

pub(crate) mod answers;
pub(crate) mod callers;
pub(crate) mod consent_rights;
pub(crate) mod delay;
pub(crate) mod effects;
pub(crate) mod examples;
pub(crate) mod fields;
pub(crate) mod glass;
pub(crate) mod label_rights;
pub(crate) mod labels;
pub(crate) mod needs;
pub(crate) mod rights;
pub(crate) mod states;
pub(crate) mod world;

pub(crate) use known_words::reads_as_known;
use markdown::Table;

pub(crate) const CONSENT: &str = include_str!("../../../docs/consent.md");

/// Reads a marked table.
pub(crate) fn read(document: &str, name: &str, header: &[&str]) -> Table {
    let table = Table::headed(marked::table(document, name), header);
    let mut first: Vec<String> = table.rows().map(|row| row.first().text().to_owned()).collect();
    first.sort();
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]), "two rows of {name} begin alike");
    table
}

/// Holds the column that says whether each row is documented elsewhere (D) or decided here (I).
pub(crate) fn origins(table: &Table, origins: &[&str]) {
    assert_eq!(table.rows().count(), origins.len());
    for (row, origin) in table.rows().zip(origins) {
        row.cell("D/I").reads(origin);
    }
}
