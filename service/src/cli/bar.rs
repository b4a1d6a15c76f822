//! Progress on a terminal; nothing anywhere else.

use crate::operator::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;

/// Short work shows no bar: it would only flicker.
const WORTH_A_BAR: u64 = 8;

/// A bar with `what` before it, which indicatif hides where stderr is no terminal.
pub(super) fn bar(what: &'static str, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(0).with_message(what);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A bar that a request's progress moves.
pub(super) fn progress(what: &'static str) -> (ProgressBar, Progress) {
    let bar = bar(what, "{msg} {bar:40} {pos}/{len}, {eta} left");
    let moved = bar.clone();
    let progress: Progress = Arc::new(move |done, all| {
        if all > WORTH_A_BAR {
            moved.set_length(all);
            moved.set_position(done);
        }
    });
    (bar, progress)
}

/// For requests that are done in a moment.
pub(super) fn none() -> Progress {
    Arc::new(|_, _| {})
}
