//! What commands print: aligned tables and lines for people, JSON for programs.

use serde::Serialize;
use std::io::Write;

/// The way to stdout. A reader who has read enough (`| head`) is no trouble.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    pub json: bool,
}

impl Out {
    /// A line for people; not printed with `--json`.
    pub(super) fn say(self, line: &str) {
        if !self.json {
            print(line);
        }
    }

    /// A line whoever reads it.
    pub(super) fn line(self, line: &str) {
        print(line);
    }

    /// One JSON value on one line; printed with `--json` only.
    pub(super) fn value<T: Serialize + ?Sized>(self, value: &T) {
        if self.json
            && let Ok(text) = serde_json::to_string(value)
        {
            print(&text);
        }
    }

    /// Rows under a heading, in columns; for people only.
    pub(super) fn table<const N: usize>(self, heading: [&str; N], rows: &[[String; N]]) {
        if self.json {
            return;
        }
        let mut widths = heading.map(console::measure_text_width);
        for row in rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = console::measure_text_width(cell).max(*width);
            }
        }
        let bold = heading.map(|word| console::style(word.to_uppercase()).bold().to_string());
        for row in std::iter::once(&bold).chain(rows) {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(widths) {
                line.push_str(&console::pad_str(cell, width, console::Alignment::Left, None));
                line.push_str("  ");
            }
            print(line.trim_end());
        }
    }
}

fn print(line: &str) {
    let mut stdout = std::io::stdout().lock();
    let _reader_has_enough = writeln!(stdout, "{line}");
}

/// A line on stderr.
pub(super) fn complain(line: &str) {
    let mut stderr = std::io::stderr().lock();
    let _nobody_listens = writeln!(stderr, "{line}");
}
