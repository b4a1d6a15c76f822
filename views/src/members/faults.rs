//! All that is wrong with a request, collected so that it is told at once.

use crate::members::place::Place;
use rules::limits::ISSUES;
use rules::rest_errors::RestError;
use rules::rest_faults::{ShapeFault, ValueFault};

/// What is wrong: with the shape of what was sent (400), and with values of the right shape (422).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    shape: Vec<String>,
    /// Each with the path that it is about.
    values: Vec<(String, String)>,
}

impl Faults {
    pub fn shape(&mut self, fault: &ShapeFault<'_>) {
        if self.shape.len() < ISSUES {
            self.shape.push(fault.words());
        }
    }

    /// One fault a place: what follows from the first is no news.
    pub fn value(&mut self, place: Place<'_>, fault: &ValueFault<'_>) {
        let path = place.path();
        if self.values.len() < ISSUES && !self.values.iter().any(|(known, _)| *known == path) {
            self.values.push((path, fault.words()));
        }
    }

    /// A value of another sort of JSON than its member has.
    pub fn wrong_type(&mut self, place: Place<'_>, expected: &str, found: &str) {
        let path = place.path();
        let path = if path.is_empty() { "the body" } else { &path };
        self.shape(&ShapeFault::WrongType { path, expected, found });
    }

    /// What was found wrong with another part of the request.
    pub fn join(&mut self, other: Self) {
        self.shape.extend(other.shape);
        self.values.extend(other.values);
        self.shape.truncate(ISSUES);
        self.values.truncate(ISSUES);
    }

    /// The error that tells of the shape, if anything is wrong with it.
    pub fn shape_error(&self) -> Option<RestError> {
        (!self.shape.is_empty()).then(|| RestError::BadRequest(self.shape.join("; ")))
    }

    /// The error that tells all of it, if there is anything. What is wrong with values is told of a request that is of the right
    /// shape only.
    pub fn error(&self) -> Option<RestError> {
        let told = |(path, why): &(String, String)| format!("{path}: {why}");
        let values = || RestError::Unprocessable(self.values.iter().map(told).collect::<Vec<_>>().join("; "));
        self.shape_error().or_else(|| (!self.values.is_empty()).then(values))
    }
}

/// Whether an error that tells of faults names this member: as missing, as of the wrong type, or with a value that cannot be. For
/// whoever shows each beside the field in which it can be mended.
#[must_use]
pub fn are_about(error: &RestError, member: &str) -> bool {
    let (RestError::BadRequest(told) | RestError::Unprocessable(told)) = error else { return false };
    told.split("; ").any(|one| match one.strip_prefix("missing member ") {
        Some(missing) => missing.split(" or ").any(|name| name == member),
        None => one.split_once(": ").is_some_and(|(path, _)| path == member),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members::place::Place;

    #[test]
    fn an_error_is_about_each_member_that_it_names() {
        let (mut faults, root) = (Faults::default(), Place::ROOT);
        faults.value(root.member("value"), &ValueFault::NotBetween("0", "10"));
        faults.value(root.member("dateTaken"), &ValueFault::InFuture);
        let error = faults.error().unwrap();
        assert!(are_about(&error, "value") && are_about(&error, "dateTaken"));
        assert!(!are_about(&error, "value2") && !are_about(&error, "unit"));
        let mut faults = Faults::default();
        faults.shape(&ShapeFault::MissingMembers(&["value", "valueText"]));
        faults.wrong_type(root.member("unit"), "a string", "a number");
        let error = faults.error().unwrap();
        assert!(are_about(&error, "valueText") && are_about(&error, "unit") && !are_about(&error, "dateTaken"));
        assert!(!are_about(&RestError::NotSource, "value"));
    }
}
