//! The comment of a view: the first of a resource's notes.

use crate::tree::{first, first_mut, items_mut, put_text, said, tidy};
use fhir::json::Node;

pub(crate) fn comment(resource: &Node<'_>) -> Option<String> {
    said(first(resource, "note")?, "text").map(String::from)
}

/// Changes the first note, who wrote it included; the others stay.
pub(crate) fn write(resource: &mut Node<'_>, was: Option<&String>, now: Option<&String>) {
    if was == now {
        return;
    }
    match now {
        Some(comment) => {
            if let Some(note) = first_mut(resource, "note") {
                put_text(note, "text", Some(comment));
            }
        }
        // A note without its text would be none.
        None => {
            if let Some(notes) = items_mut(resource, "note")
                && !notes.is_empty()
            {
                notes.remove(0);
            }
            tidy(resource, "note");
        }
    }
}
