//! What the pages show on which a patient writes into the own record: fields with what was typed, and what is wrong beside each.

use super::everyone::Link;
use super::frame::{Frame, GuardedText};
use super::password::FieldProblem;
use askama::Template;

/// A page with one form, and with another one that removes what it is about.
#[derive(Debug, Template)]
#[template(path = "record_form.html")]
pub struct RecordFormPage {
    pub frame: Frame,
    pub back: Link,
    pub heading: String,
    pub lead: String,
    pub form: FilledForm,
    pub removal: Option<RemovalForm>,
}

/// A form as it is filled in.
#[derive(Clone, Debug)]
pub struct FilledForm {
    pub method: &'static str,
    pub action: String,
    /// What makes it the reader's own, where it changes something.
    pub sealed: Option<GuardedText>,
    /// What it brings back unchanged.
    pub kept: Vec<(&'static str, String)>,
    pub fields: Vec<FormField>,
    pub problems: Vec<FieldProblem>,
    pub button: &'static str,
}

/// Removes an item.
#[derive(Clone, Debug)]
pub struct RemovalForm {
    pub action: String,
    pub sealed: GuardedText,
    /// What is removed, as a sentence names it.
    pub noun: &'static str,
}

/// One field of a form.
#[derive(Clone, Debug)]
pub struct FormField {
    pub name: &'static str,
    pub label: String,
    pub hint: Option<String>,
    pub value: String,
    pub is_required: bool,
    pub kind: FieldKind,
}

#[derive(Clone, Debug)]
pub enum FieldKind {
    /// A line of this type of HTML, with at most so many characters.
    Line(&'static str, usize),
    /// A line for a number.
    Number,
    /// A text of several lines.
    Text(usize),
    Choice(Vec<FieldOption>),
    /// Ticked or not: its value is `yes` or nothing.
    Tick,
}

#[derive(Clone, Debug)]
pub struct FieldOption {
    pub value: String,
    pub text: String,
}

impl FilledForm {
    /// What is wrong with a field.
    pub(super) fn problem(&self, field: &FormField) -> Option<&str> {
        self.problems.iter().find(|problem| problem.field == field.name).map(|problem| problem.text.as_str())
    }

    /// The ids of what a screen reader reads out with a field.
    pub(super) fn described(&self, field: &FormField) -> Option<String> {
        let hint = field.hint.as_ref().map(|_| format!("{}-hint", field.name));
        let fault = self.problem(field).map(|_| format!("{}-fault", field.name));
        let ids: Vec<String> = hint.into_iter().chain(fault).collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }
}

impl FormField {
    pub(super) fn line(&self) -> Option<(&'static str, usize)> {
        match &self.kind {
            FieldKind::Line(of, most) => Some((of, *most)),
            _ => None,
        }
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self.kind, FieldKind::Number)
    }

    pub(super) fn text(&self) -> Option<usize> {
        match &self.kind {
            FieldKind::Text(most) => Some(*most),
            _ => None,
        }
    }

    pub(super) fn options(&self) -> Option<&[FieldOption]> {
        match &self.kind {
            FieldKind::Choice(options) => Some(options),
            _ => None,
        }
    }

    pub(super) fn is_tick(&self) -> bool {
        matches!(self.kind, FieldKind::Tick)
    }
}
