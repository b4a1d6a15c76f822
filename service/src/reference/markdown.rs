//! docs/api.md: the documentation as a file, the same as the page.

use super::content::content;
use super::listing::Listing;
use crate::views::reference::ReferenceTable;
use std::fmt::Write;

const HEAD: &str = "# API documentation

Every address of the service, made from the list of routes and the rules (CONTRIBUTING.md says how). A running service shows the same at `/docs`; \
programs read `/openapi.json`, and `/fhir/metadata` for the types and search parameters of the FHIR API. `GET` also answers `HEAD`; a method that a path does not have is 405.
";

/// The whole file.
#[must_use]
pub fn markdown(listings: &[Listing]) -> String {
    let content = content(listings);
    let mut text = HEAD.to_owned();
    for section in &content.sections {
        let _never_fails = write!(text, "\n## {}\n\n{}\n", section.title, section.about);
        for route in &section.routes {
            let only = if route.sandbox_only { " In the sandbox only." } else { "" };
            let _never_fails = write!(text, "\n### `{}`\n\n{}{only}\n", route.title, route.sentence);
            let _never_fails = write!(text, "\nWho may call it: {}\n", route.caller);
            text.extend(route.inputs.as_ref().map(table));
            text.push_str(&table(&route.outputs));
        }
    }
    for section in &content.refusals {
        let _never_fails = write!(text, "\n## {}\n\n{}\n", section.title, section.about);
        text.push_str(&table(&section.table));
    }
    text
}

fn table(table: &ReferenceTable) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let titles = row(table.columns.iter().map(ToString::to_string).collect());
    let rule = format!("|{}\n", "---|".repeat(table.columns.len()));
    let rows = table.rows.iter().map(|cells| {
        let texts = cells.iter().map(|cell| cell.text.replace('|', "\\|").replace('<', "&lt;"));
        row(texts.enumerate().map(|(at, text)| if at == 0 { format!("`{text}`") } else { text }).collect())
    });
    format!("\n{titles}{rule}{}", rows.collect::<String>())
}
