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
