//! How a read is answered: how much of the resource, and whether it is laid out for people.

use crate::fhir::search::query_string::{ELEMENTS, PRETTY, Query, SUMMARY};
use fhir::json::laid_out;
use fhir::subset::{Subset, Summary};
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::LAID_OUT_BYTES;
use std::borrow::Cow;

/// How many bytes are copied in the time in which one is read and validated, about.
const COPIED_PER_VALIDATED: usize = 64;

/// What `_summary`, `_elements` and `_pretty` ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadOptions {
    pub is_pretty: bool,
    pub summary: Option<Summary>,
    pub elements: Vec<String>,
}

impl ReadOptions {
    /// What the query of a read or of a history says of it.
    pub fn of(query: &Query) -> Result<Self, Refusal> {
        let summary = match query.get(SUMMARY) {
            None => None,
            Some("count") => {
                return Err(Refusal::Invalid(
                    "_summary=count is for a search; here it can be true, text, data or false".into(),
                ));
            }
            Some(word) => match Summary::named(word) {
                Some(summary) => Some(summary),
                None => return Err(Refusal::Invalid(format!("_summary must be one of {}", Summary::WORDS))),
            },
        };
        let elements = query.get(ELEMENTS).unwrap_or_default();
        let elements = elements.split(',').map(str::trim).filter(|name| !name.is_empty()).map(String::from).collect();
        Ok(Self { is_pretty: is_pretty(query.get(PRETTY))?, summary, elements })
    }

    pub fn subset(&self) -> Subset<'_> {
        Subset::of(self.summary, &self.elements)
    }

    /// Whether a resource is answered as it is stored.
    pub fn is_plain(&self) -> bool {
        !self.is_pretty && self.subset() == Subset::Whole
    }

    /// What it takes to write so many bytes of resources like this, in bytes that are validated: to copy them is far less.
    pub fn work(&self, bytes: usize) -> usize {
        if self.is_plain() { bytes / COPIED_PER_VALIDATED } else { bytes }
    }

    /// The text of a resource as it is asked for.
    pub fn text(&self, resource_type: ResourceType, body: &str) -> String {
        layout(self.subset().cut(resource_type, body), self.is_pretty)
    }
}

/// What `_pretty` says.
pub(crate) fn is_pretty(value: Option<&str>) -> Result<bool, Refusal> {
    match value {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(Refusal::Invalid("_pretty must be true or false".into())),
    }
}

/// An answer laid out, if that is wanted. Nobody reads a long one by eye, and spaces would make it a multiple of itself.
pub(crate) fn layout(text: Cow<'_, str>, is_pretty: bool) -> String {
    match is_pretty && text.len() <= LAID_OUT_BYTES {
        true => laid_out(&text),
        false => text.into_owned(),
    }
}
