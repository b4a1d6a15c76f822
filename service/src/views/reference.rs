//! What the page of the documentation shows: sections of routes, and tables of refusals.

use super::frame::Frame;
use askama::Template;

/// `/docs`.
#[derive(Debug, Template)]
#[template(path = "reference.html")]
pub struct ReferencePage {
    pub frame: Frame,
    pub content: ReferenceContent,
}

/// All that is documented; docs/api.md is made of it too.
#[derive(Debug)]
pub struct ReferenceContent {
    pub sections: Vec<ReferenceSection>,
    pub refusals: Vec<RefusalSection>,
}

/// Routes that belong together.
#[derive(Debug)]
pub struct ReferenceSection {
    pub id: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub routes: Vec<ReferenceRoute>,
}

/// One route.
#[derive(Debug)]
pub struct ReferenceRoute {
    /// Method and path.
    pub title: String,
    pub sentence: &'static str,
    pub caller: &'static str,
    pub sandbox_only: bool,
    pub inputs: Option<ReferenceTable>,
    pub outputs: ReferenceTable,
}

/// Refusals that belong together.
#[derive(Debug)]
pub struct RefusalSection {
    pub id: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub table: ReferenceTable,
}

/// A table; the first cell of a row is its header.
#[derive(Debug)]
pub struct ReferenceTable {
    pub label: String,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<ReferenceCell>>,
}

/// A cell, with the title of its column for screens that are too narrow for columns.
#[derive(Debug)]
pub struct ReferenceCell {
    pub label: &'static str,
    pub text: String,
}

impl ReferenceTable {
    /// A table of these rows, which have a text for every column.
    #[must_use]
    pub fn new<const N: usize>(label: String, columns: [&'static str; N], rows: Vec<[String; N]>) -> Self {
        let cells = |row: [String; N]| columns.into_iter().zip(row).map(|(label, text)| ReferenceCell { label, text });
        Self { label, columns: columns.into(), rows: rows.into_iter().map(|row| cells(row).collect()).collect() }
    }
}
