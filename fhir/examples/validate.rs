//! Validates resources: a line on standard input names a file or is a resource as JSON; a line on standard output has its issues. With
//! the URL of a profile of HL7's and a space before it, it is what the profile says of the resource, and what its own claims say.

#![expect(clippy::print_stdout, reason = "what a program of the command line is for")]

use fhir::issue::{Class, Issue};
use fhir::json::read;
use fhir::limits::Shape;
use fhir::strict::compact;
use fhir::structure::Claim;
use fhir::validation::{Expectation, judge, validate};
use serde_json::{Value, json};
use std::io::{BufRead, Error, stdin};
use std::time::Instant;

/// Deep enough for whatever HL7 has made, and more issues than anybody reads.
const EXPECTATION: Expectation<'static> =
    Expectation { resource_type: None, id: None, shape: Shape { depth: 64, values: 1_000_000 }, issues: 100 };

fn main() -> Result<(), Error> {
    let (mut count, mut bytes, start) = (0usize, 0usize, Instant::now());
    for line in stdin().lock().lines() {
        let line = line?;
        let (profile, line) = line.split_once(' ').filter(|(url, _)| url.starts_with("http")).unwrap_or(("", &line));
        let text = if line.starts_with('{') { line.to_owned() } else { std::fs::read_to_string(line)? };
        (count, bytes) = (count + 1, bytes + text.len());
        let issues = if profile.is_empty() { validate(&text, &EXPECTATION) } else { judged(&text, profile) };
        println!("{}", issues.iter().map(issue).collect::<Value>());
    }
    let took = start.elapsed();
    eprintln!("{count} resources of {bytes} bytes in {took:?}");
    Ok(())
}

/// What profiles say of a resource.
fn judged(text: &str, profile: &str) -> Vec<Issue> {
    let compact = compact(text, EXPECTATION.shape).unwrap_or_default();
    let Some(resource) = read(&compact) else { return validate(text, &EXPECTATION) };
    let named = resource.get("resourceType").and_then(|name| name.text()).unwrap_or_default();
    let asked = match Claim::read(profile, named) {
        Claim::Profile(profile) => Some(profile),
        Claim::Base | Claim::Unknown => None,
    };
    judge(&resource, asked, EXPECTATION.issues).errors
}

fn issue(issue: &Issue) -> Value {
    let class = match issue.class {
        Class::NotFhir => "not-fhir",
        Class::BreaksRule => "breaks-rule",
    };
    json!({ "class": class, "code": issue.code.name(), "expression": issue.expression, "text": issue.text })
}
