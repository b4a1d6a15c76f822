//! Validates resources: a line of JSON on standard input names a file or is a resource; a line on standard output has its issues.

#![expect(clippy::print_stdout, reason = "what a program of the command line is for")]

use fhir::issue::{Class, Issue};
use fhir::limits::Shape;
use fhir::validation::{Expectation, validate};
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
        let text = if line.starts_with('{') { line } else { std::fs::read_to_string(&line)? };
        (count, bytes) = (count + 1, bytes + text.len());
        let issues: Vec<Value> = validate(&text, &EXPECTATION).iter().map(issue).collect();
        println!("{}", Value::from(issues));
    }
    let took = start.elapsed();
    eprintln!("{count} resources of {bytes} bytes in {took:?}");
    Ok(())
}

fn issue(issue: &Issue) -> Value {
    let class = match issue.class {
        Class::NotFhir => "not-fhir",
        Class::BreaksRule => "breaks-rule",
    };
    json!({ "class": class, "code": issue.code.name(), "expression": issue.expression, "text": issue.text })
}
