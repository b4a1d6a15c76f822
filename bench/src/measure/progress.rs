//! Says on a terminal what is being measured; keeps silent anywhere else.

use std::io::{IsTerminal, Write};

/// Replaces the line that said what was being done.
pub(crate) fn say(what: &str) {
    show(&format!("\r\x1b[K… {what}"));
}

/// Wipes the line, before the results are printed.
pub(crate) fn done() {
    show("\r\x1b[K");
}

fn show(text: &str) {
    let mut terminal = std::io::stderr().lock();
    if terminal.is_terminal() {
        // A terminal that has gone away is no reason to stop measuring.
        let _unseen = terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush());
    }
}
