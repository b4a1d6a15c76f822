//! A SearchParameter of one's own: what it defines, or all that is wrong with it. It is brought into the form of HL7's table.

use crate::custom::expression::compile;
use crate::issue::{Issue, IssueCode};
use crate::parameters::kind::Kind;
use crate::parameters::parameter::Parameter;
use crate::parameters::table;
use crate::types::{self, ResourceType};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// HL7's own SearchParameters are under this URL. Of a parameter that is served already, a copy defines nothing.
const HL7: &str = "http://hl7.org/fhir/SearchParameter/";
/// Names that mean something else in a search.
const TAKEN: [&str; 4] = ["fhirVersion", "near", "phonetic", "max"];
const LONGEST_CODE: usize = 64;
const LONGEST_EXPRESSION: usize = 2000;
const MOST_BASES: usize = 20;
/// Different definitions, under different numbers, that one process reads in its life.
const MOST_KNOWN: usize = 4096;

/// What a SearchParameter defines: for each type of its base a line, as the table of HL7's has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub code: String,
    lines: Vec<(ResourceType, String)>,
}

impl Definition {
    /// The types that it is of.
    pub fn bases(&self) -> impl Iterator<Item = ResourceType> {
        self.lines.iter().map(|(base, _)| *base)
    }

    /// Each type with its line.
    pub fn lines(&self) -> impl Iterator<Item = (ResourceType, &str)> {
        self.lines.iter().map(|(base, line)| (*base, line.as_str()))
    }
}

/// Reads a SearchParameter. It defines nothing where it is not active, or where it is HL7's own of what is served already.
pub fn read(resource: &Value) -> Result<Option<Definition>, Vec<Issue>> {
    let text = |name: &str| resource.get(name).and_then(Value::as_str).unwrap_or_default();
    if text("status") != "active" {
        return Ok(None);
    }
    let mut issues = Vec::new();
    let (code, is_copy) = (text("code"), text("url").starts_with(HL7));
    let mut bases = Vec::new();
    for name in resource.get("base").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        match types::named(name) {
            Some(base) if table::find(base, code).is_none() => bases.push(base),
            Some(_) if is_copy => {}
            Some(_) => {
                let words = format!("{name} has a search parameter {code:?} by R4 already");
                issues.push(issue(IssueCode::Processing, "code", words));
            }
            None => {
                let words = format!("{name:?} is not supported: name the types themselves");
                issues.push(issue(IssueCode::NotSupported, "base", words));
            }
        }
    }
    if is_copy && bases.is_empty() && issues.is_empty() {
        return Ok(None);
    }
    let mut say = |code, element, words| issues.push(issue(code, element, words));
    if bases.len() > MOST_BASES {
        say(IssueCode::NotSupported, "base", format!("at most {MOST_BASES} types are supported"));
    }
    if !is_code(code) || TAKEN.contains(&code) {
        let words = format!(
            "{code:?} cannot be the name of a search parameter: letters, digits and hyphens, a letter first, at most {LONGEST_CODE}"
        );
        say(IssueCode::Value, "code", words);
    }
    if resource.get("component").is_some() {
        say(IssueCode::NotSupported, "component", "composite parameters are not supported".into());
    }
    if !matches!(text("xpathUsage"), "" | "normal") {
        say(IssueCode::NotSupported, "xpathUsage", format!("{:?} is not supported, only normal", text("xpathUsage")));
    }
    let kind = Kind::named(text("type")).filter(|kind| !matches!(kind, Kind::Composite | Kind::Text));
    let Some(kind) = kind else {
        say(IssueCode::NotSupported, "type", format!("{:?} parameters are not supported", text("type")));
        return Err(issues);
    };
    let expression = text("expression");
    if expression.is_empty() || expression.len() > LONGEST_EXPRESSION {
        say(
            IssueCode::Required,
            "expression",
            format!("an expression of at most {LONGEST_EXPRESSION} bytes is needed"),
        );
        return Err(issues);
    }
    let targets: Vec<&str> =
        resource.get("target").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let mut lines = Vec::new();
    for base in bases {
        match compile(expression, base, kind) {
            Ok(branches) => lines.push((base, line(code, kind, &targets, &branches))),
            Err(words) => say(IssueCode::NotSupported, "expression", words),
        }
    }
    if issues.is_empty() { Ok(Some(Definition { code: code.into(), lines })) } else { Err(issues) }
}

/// What a stored SearchParameter defines; nothing where it cannot be served any more.
#[must_use]
pub fn of_text(stored: &str) -> Option<Definition> {
    let resource: Value = serde_json::from_str(stored).ok()?;
    read(&resource).ok().flatten()
}

fn issue(code: IssueCode, element: &str, words: String) -> Issue {
    Issue::rule(code, format!("SearchParameter.{element}"), words)
}

/// Whether it can be the name of a parameter of one's own.
#[must_use]
pub fn is_code(code: &str) -> bool {
    code.len() <= LONGEST_CODE
        && code.starts_with(|c: char| c.is_ascii_alphabetic())
        && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// A parameter as a line of the table.
fn line(code: &str, kind: Kind, targets: &[&str], branches: &[String]) -> String {
    let mut line = format!("{code} {}", kind.name());
    if kind == Kind::Reference {
        let targets = if targets.is_empty() { "*".to_owned() } else { targets.join(",") };
        line.push_str(&format!(" >{targets}"));
    }
    for branch in branches {
        line.push(' ');
        line.push_str(branch);
    }
    line
}

/// The parameter of a line under a number, the same for the same two; none where too many have been read already. It is kept for
/// ever, as those of the table are, so there is a bound.
#[must_use]
pub fn parameter(number: u32, line: &str) -> Option<&'static Parameter> {
    type Known = HashMap<&'static str, Vec<&'static Parameter>>;
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let same = all.get_key_value(line).map(|(line, known)| (*line, &known[..]));
    if let Some(parameter) = same.and_then(|(_, known)| known.iter().find(|known| known.number == number)) {
        return Some(parameter);
    }
    if all.values().map(Vec::len).sum::<usize>() >= MOST_KNOWN {
        return None;
    }
    let line = match same {
        Some((line, _)) => line,
        None => Box::leak(line.to_owned().into_boxed_str()),
    };
    let parameter: &'static Parameter = Box::leak(Box::new(Parameter::read(number, line)?));
    all.entry(line).or_default().push(parameter);
    Some(parameter)
}

#[cfg(test)]
#[path = "definition_tests.rs"]
mod tests;
