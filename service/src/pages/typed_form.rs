//! What somebody typed into a form, and the JSON that an app would send to say the same: whether it may be written, the interactions
//! decide.

use crate::views::password::FieldProblem;
use crate::views::record_form::{FieldKind, FieldOption, FormField};
use rules::labels::Label;
use rules::params::Params;
use rules::rest_errors::RestError;
use serde_json::Value;
use sha2::{Digest, Sha256};
use views::members::faults;

/// The fields of a form, as they were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TypedForm(Vec<(&'static str, String)>);

/// Of a member of the JSON: in which field it is mended, and how.
pub(super) type MemberFault = (&'static str, &'static str, &'static str);

/// An object of JSON, member by member; numbers stay as they were typed.
#[derive(Clone, Debug, Default)]
pub(super) struct JsonBody(Vec<(&'static str, String)>);

impl TypedForm {
    pub fn of(params: &Params<'_>, names: &[&'static str]) -> Self {
        let mut typed = Self::default();
        for name in names {
            typed.set(name, params.get(name).unwrap_or_default());
        }
        typed
    }

    /// Browsers send lines as HTTP has them.
    pub fn set(&mut self, name: &'static str, value: &str) {
        let value = value.replace("\r\n", "\n").trim().to_owned();
        self.0.retain(|(known, _)| *known != name);
        if !value.is_empty() {
            self.0.push((name, value));
            self.0.sort_unstable();
        }
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value.as_str())
    }
}

impl JsonBody {
    /// A member with a text, if there is one.
    pub fn text(self, name: &'static str, value: &str) -> Self {
        if value.is_empty() { self } else { self.value(name, &Value::from(value)) }
    }

    /// A member with a number, if there is one. What is none is sent as it is, for the one place that says so.
    pub fn number(mut self, name: &'static str, typed: &str) -> Self {
        match number(typed) {
            Some(number) => {
                self.0.push((name, number));
                self
            }
            None => self.text(name, typed),
        }
    }

    pub fn value(mut self, name: &'static str, value: &Value) -> Self {
        self.0.push((name, value.to_string()));
        self
    }

    pub fn print(&self) -> String {
        let members: Vec<String> =
            self.0.iter().map(|(name, value)| format!("{}:{value}", Value::from(*name))).collect();
        format!("{{{}}}", members.join(","))
    }
}

/// A number of JSON, if that is what was typed. A comma is a decimal point to some and parts thousands for others.
fn number(typed: &str) -> Option<String> {
    let (sign, digits) = typed.strip_prefix('-').map_or(("", typed), |digits| ("-", digits));
    let (whole, part) = digits.split_once('.').map_or((digits, None), |(whole, part)| (whole, Some(part)));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if !is_number(whole) || !part.is_none_or(is_number) {
        return None;
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    Some(part.map_or_else(|| format!("{sign}{whole}"), |part| format!("{sign}{whole}.{part}")))
}

/// What is the same for whatever is sent twice by one form with the same in it, and for nothing else.
pub(super) fn once(sealed: &str, body: &JsonBody) -> String {
    let digest = Sha256::digest(format!("{sealed}\n{}", body.print()));
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// What an error names, each in the field where it is mended.
pub(super) fn problems(error: &RestError, known: &[MemberFault]) -> Vec<FieldProblem> {
    let mut told: Vec<FieldProblem> = Vec::new();
    for (_, field, text) in known.iter().filter(|(member, ..)| faults::are_about(error, member)) {
        if !told.iter().any(|one| one.field == *field) {
            told.push(FieldProblem { text: (*text).to_owned(), field });
        }
    }
    told
}

/// A field with what was typed into it.
pub(super) fn field(typed: &TypedForm, name: &'static str, label: &str, kind: FieldKind) -> FormField {
    let value = typed.get(name).to_owned();
    FormField { name, label: label.into(), hint: None, value, is_required: false, kind }
}

/// The day of something, and the time if it is known.
pub(super) fn when(typed: &TypedForm) -> [FormField; 2] {
    // What is less than a day, or none, has no place in a browser's own field for days.
    let is_day = |text: &str| {
        text.is_empty() || text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    let of = if is_day(typed.get("date")) { "date" } else { "text" };
    let day = FormField { is_required: true, ..field(typed, "date", "Date", FieldKind::Line(of, 40)) };
    let clock = field(typed, "time", "Time, if you know it", FieldKind::Line("time", 5));
    [day, clock]
}

/// The label under which something is kept.
pub(super) fn label(typed: &TypedForm) -> FormField {
    let option = |label: Label| FieldOption { value: label.code().into(), text: label.words().into() };
    // What has none keeps none, unless one is chosen.
    let none = FieldOption { value: String::new(), text: "No privacy label".into() };
    let none = Some(none).filter(|_| typed.get("label").is_empty());
    let kind = FieldKind::Choice(none.into_iter().chain(Label::ALL.map(option)).collect());
    let hint = "Whoever you share items of this label with can see it.".into();
    FormField { hint: Some(hint), ..field(typed, "label", "Privacy label", kind) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_sent_as_it_was_typed_and_what_is_none_is_sent_as_text() {
        for (typed, sent) in [
            ("71.50", "71.50"),
            ("007", "7"),
            ("0.5", "0.5"),
            ("-3", "-3"),
            ("71,5", "\"71,5\""),
            ("10,000", "\"10,000\""),
            ("1e3", "\"1e3\""),
            ("5.", "\"5.\""),
            (".5", "\".5\""),
            ("a \"b\"", "\"a \\\"b\\\"\""),
        ] {
            assert_eq!(JsonBody::default().number("value", typed).print(), format!("{{\"value\":{sent}}}"), "{typed}");
        }
        assert_eq!(JsonBody::default().number("value", "").text("comment", "").print(), "{}");
    }

    #[test]
    fn what_is_sent_twice_by_one_form_is_one_thing_and_all_else_is_another() {
        let body = |text: &str| JsonBody::default().text("text", text);
        assert_eq!(once("rgf_1", &body("a")), once("rgf_1", &body("a")));
        assert_ne!(once("rgf_1", &body("a")), once("rgf_1", &body("b")));
        assert_ne!(once("rgf_1", &body("a")), once("rgf_2", &body("a")));
    }

    #[test]
    fn what_was_typed_is_compared_without_what_browsers_make_of_lines() {
        let typed = |text: &str| TypedForm::default().with("title", "x").with("text", text);
        assert_eq!(typed("a\r\nb "), typed("a\nb"));
        assert_eq!(TypedForm::default().with("text", "a\nb").with("title", "x"), typed("a\nb"));
    }
}
