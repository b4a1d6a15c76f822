//! The header `Record-View`: so that nobody mistakes hidden for empty. It depends on the consent alone, never on what is there.

use crate::calendar::instant;
use crate::consent::view::View;
use crate::labels::Labels;
use alloc::format;
use alloc::string::String;

pub const RECORD_VIEW: &str = "Record-View";

/// What it says of the views through which a caller looks at one patient: one, or those of an organisation and of the teams that it
/// looks through, whose labels it says together. None where there is nothing to be said of the patient.
#[must_use]
pub fn value(views: &[View]) -> Option<String> {
    let labels = views.iter().fold(Labels::NONE, |labels, view| match view {
        View::Labels(held) => labels.and(*held),
        _ => labels,
    });
    let glass = views.iter().find_map(|view| match view {
        View::Glass(until) => Some(*until),
        _ => None,
    });
    if views.contains(&View::All) {
        Some("self".into())
    } else if let Some(until) = glass {
        Some(format!("glass; until=\"{}\"", instant(until)))
    } else if !labels.is_none() {
        Some(format!("consent; labels=\"{}\"", labels.codes()))
    } else {
        views.contains(&View::Own).then(|| "own".into())
    }
}
