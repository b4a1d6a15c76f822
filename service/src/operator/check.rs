//! Checking one declared thing: each field by itself, with every fault noted and none hiding the next.

use fhir::reference;
use rules::limits::{NAME_CHARACTERS, PARAMETER_BYTES};

/// The thing being checked, and what was found wrong so far.
pub(crate) struct Check<'p> {
    at: String,
    name: String,
    sound: bool,
    problems: &'p mut Vec<String>,
}

impl<'p> Check<'p> {
    /// `at` is `file:line`, or empty; `what` the sort of thing, `id` what it calls itself, if it does.
    pub(crate) fn new(at: &str, what: &str, id: Option<&str>, problems: &'p mut Vec<String>) -> Self {
        let name = id.map_or_else(|| what.to_owned(), |id| format!("{what} {id}"));
        let at = if at.is_empty() { String::new() } else { format!("{at}: ") };
        Self { at, name, sound: true, problems }
    }

    pub(crate) fn note(&mut self, why: &str) {
        self.sound = false;
        self.problems.push(format!("{}{}: {why}", self.at, self.name));
    }

    /// The thing, if nothing was wrong with it.
    pub(crate) fn sound<T>(self, thing: Option<T>) -> Option<T> {
        thing.filter(|_| self.sound)
    }

    /// A value that must be there and that `read` must understand.
    pub(crate) fn must<T>(
        &mut self,
        field: &str,
        value: Option<&str>,
        must_be: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let Some(value) = value else {
            self.note(&format!("{field} is missing; it must be {must_be}"));
            return None;
        };
        let understood = read(value);
        if understood.is_none() {
            self.note(&format!("{field} = {value:?} will not do; it must be {must_be}"));
        }
        understood
    }

    /// A value that may be left out.
    pub(crate) fn may<T>(
        &mut self,
        field: &str,
        value: Option<&str>,
        must_be: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        value.and_then(|value| self.must(field, Some(value), must_be, read))
    }

    pub(crate) fn name(&mut self, field: &str, value: Option<&str>) -> Option<String> {
        self.must(field, value, &format!("a name of 1 to {NAME_CHARACTERS} characters on one line"), |text| {
            let fits = (1..=NAME_CHARACTERS).contains(&text.chars().count());
            (fits && !text.chars().any(char::is_control) && text.trim() == text).then(|| text.to_owned())
        })
    }

    pub(crate) fn uuid(&mut self, field: &str, value: Option<&str>) -> Option<String> {
        self.must(field, value, "a UUID such as 6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01", uuid)
    }

    /// A name of the protocol: printable ASCII without spaces.
    pub(crate) fn id(&mut self, field: &str, value: Option<&str>) -> Option<String> {
        self.must(field, value, "printable ASCII characters without spaces", |text| {
            let fits = (1..=PARAMETER_BYTES).contains(&text.len());
            (fits && text.bytes().all(|byte| byte.is_ascii_graphic())).then(|| text.to_owned())
        })
    }
}

/// A UUID in its one spelling; others that mean the same would make a second organisation of the first.
pub(crate) fn uuid(text: &str) -> Option<String> {
    let uuid = uuid::Uuid::try_parse(text).ok()?.to_string();
    uuid.eq_ignore_ascii_case(text).then_some(uuid)
}

pub(crate) const FHIR_ID: &str = "a FHIR id: letters, digits, - and .";

pub(crate) fn fhir_id(text: &str) -> Option<String> {
    reference::is_id(text).then(|| text.to_owned())
}
