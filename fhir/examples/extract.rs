//! Prints what is extracted from resources, for a comparison from outside: one resource to a line in, one to a line out.

use fhir::extraction::extract::{Entry, extract};
use fhir::extraction::index_value::{IndexValue, Target};
use fhir::types;
use fhir::values::magnitude::Interval;
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, Write};

const BASE: &str = "https://records.example/fhir";

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let resource: Value = serde_json::from_str(&line?)?;
        let named = resource.get("resourceType").and_then(Value::as_str).and_then(types::named);
        let entries = named.map_or_else(Vec::new, |resource_type| extract(resource_type, &resource, BASE));
        writeln!(out, "{}", by_code(&entries))?;
    }
    out.flush()
}

fn by_code(entries: &[Entry<'_>]) -> Value {
    let mut codes = Map::new();
    for entry in entries {
        let list = codes.entry(entry.parameter.code).or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.push(told(&entry.value));
        }
    }
    Value::Object(codes)
}

fn told(value: &IndexValue<'_>) -> Value {
    match value {
        IndexValue::Token { system, code } => json!({ "token": [system, code] }),
        IndexValue::TokenText(folded) => json!({ "tokenText": folded }),
        IndexValue::TokenOfType { system, code, value } => json!({ "ofType": [system, code, value] }),
        IndexValue::Text { written, folded } => json!({ "text": [written, folded] }),
        IndexValue::Whole(folded) => json!({ "whole": folded }),
        IndexValue::Reference { target, version } => json!({ "reference": [place(*target), version] }),
        IndexValue::Identifier { system, value } => json!({ "identifier": [system, value] }),
        // Too large for numbers of JavaScript.
        IndexValue::Date(span) => json!({ "date": [span.low.to_string(), span.high.to_string()] }),
        IndexValue::Number(interval) => json!({ "number": sides(*interval) }),
        IndexValue::Quantity(amount) => json!({
            "quantity": [sides(amount.written), amount.system, amount.code, amount.unit],
            "canonical": amount.canonical.as_ref().map(|(interval, base)| json!([sides(*interval), base])),
        }),
        IndexValue::Uri { uri, version } => json!({ "uri": [uri, version] }),
        IndexValue::Composite(parts) => {
            json!({ "composite": parts.iter().map(|part| part.iter().map(told).collect()).collect::<Vec<Value>>() })
        }
    }
}

fn place(target: Target<'_>) -> Value {
    match target {
        Target::Local(resource_type, id) => json!(format!("{}/{id}", resource_type.name())),
        Target::Url(url) => json!(url),
        Target::Contained(id) => json!(format!("#{id}")),
    }
}

/// JSON has no number without end.
fn sides(interval: Interval) -> Value {
    let side = |side: f64| if side.is_finite() { json!(side) } else { json!(side.to_string()) };
    json!([side(interval.low), side(interval.high)])
}
