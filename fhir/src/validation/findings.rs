//! What has been found wrong so far, and where the walk through the resource is.

use crate::issue::{Class, Issue, IssueCode};

/// A member on the way down, and which item of it.
#[derive(Clone, Copy, Debug)]
struct FindingStep<'n> {
    name: &'n str,
    item: Option<usize>,
}

/// The list of issues. Its length is bounded: whoever sends a million faults hears of the first.
#[derive(Debug)]
pub(super) struct Findings<'n> {
    way: Vec<FindingStep<'n>>,
    issues: Vec<Issue>,
    most: usize,
}

impl<'n> Findings<'n> {
    pub const fn new(most: usize) -> Self {
        Self { way: Vec::new(), issues: Vec::new(), most }
    }

    pub fn enter(&mut self, name: &'n str, item: Option<usize>) {
        self.way.push(FindingStep { name, item });
    }

    pub fn leave(&mut self) {
        self.way.pop();
    }

    /// Whether more would not be told.
    pub const fn is_full(&self) -> bool {
        self.issues.len() >= self.most
    }

    /// An issue about where the walk is.
    pub fn here(&mut self, code: IssueCode, text: impl Into<String>) {
        self.push(Class::BreaksRule, code, None, text.into());
    }

    /// An issue about a member of where the walk is.
    pub fn at(&mut self, member: &str, code: IssueCode, text: impl Into<String>) {
        self.push(Class::BreaksRule, code, Some(member), text.into());
    }

    /// What is no FHIR.
    pub fn not_fhir(&mut self, text: impl Into<String>) {
        self.push(Class::NotFhir, IssueCode::Structure, None, text.into());
    }

    fn push(&mut self, class: Class, code: IssueCode, member: Option<&str>, text: String) {
        if self.is_full() {
            return;
        }
        let mut expression = String::new();
        let last = member.map(|name| FindingStep { name, item: None });
        for (at, place) in self.way.iter().chain(last.as_ref()).enumerate() {
            if at > 0 {
                expression.push('.');
            }
            // A name of the sender's own can be of any length.
            expression.extend(place.name.chars().take(64));
            if let Some(item) = place.item {
                expression.push_str(&format!("[{item}]"));
            }
        }
        self.issues.push(Issue { class, code, expression, text });
    }

    pub fn into_issues(self) -> Vec<Issue> {
        self.issues
    }
}
