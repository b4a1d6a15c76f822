//! Questions whose work is counted: the steps of SQLite's machine, and how often the nodes of PostgreSQL's plans run.

use crate::bodies::BASE;
use crate::stage::NOW;
use fhir::search::query::Query;
use fhir::search::sieve::Sieve;
use fhir::search::{controls, reading};
use fhir::types;
use rules::reach::Reach;
use rusqlite::StatementStatus;
use rusqlite::types::Value;
use serde_json::Value as Json;
use store::search::compile::Search;

/// Clauses beside a question, each with so many values: each of them costs a row on which it is tried thousands of steps.
const CLAUSES: usize = 12;
const VALUES: usize = 50;

/// What is asked, for as many patients as it names.
pub struct Asked {
    pub kind: &'static str,
    pub parameters: Vec<(String, String)>,
    pub sort: Option<&'static str>,
}

impl Asked {
    pub fn new(kind: &'static str, parameters: &[(&str, &str)], sort: Option<&'static str>) -> Self {
        let parameters = parameters.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Self { kind, parameters, sort }
    }

    /// With clauses beside it that are costly to try, of a parameter that every type has, and each of its own.
    pub fn costly(mut self) -> Self {
        let values = |at: usize| (0..VALUES).map(|value| format!("t{at}-{value}")).collect::<Vec<_>>().join(",");
        self.parameters.extend((0..CLAUSES).map(|at| ("_tag:not".into(), values(at))));
        self
    }

    /// About somebody else.
    pub fn about(&self, one: &str, other: &str) -> Self {
        let parameters = self.parameters.iter().map(|(name, value)| (name.clone(), value.replace(one, other)));
        Self { parameters: parameters.collect(), ..*self }
    }

    pub fn statements(&self, reach: &Reach) -> Vec<(String, Vec<Value>)> {
        let pairs = self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let pairs = pairs.chain(self.sort.map(|sort| ("_sort", sort)));
        let query = reading::read(types::named(self.kind).unwrap(), pairs, BASE, NOW.0 * 1000).unwrap();
        let controls = controls::read(&query).unwrap();
        let query = Sieve::of(&query).map_or(query, |sieve| sieve.rest);
        statements(reach, &query, &controls.sort)
    }
}

pub fn statements(reach: &Reach, query: &Query, sort: &[controls::SortKey]) -> Vec<(String, Vec<Value>)> {
    store::search_statements(reach, &Search { query, sort, after: None, floor: None, limit: 21 }, NOW)
}

/// Steps of SQLite's machine.
pub fn steps(connection: &rusqlite::Connection, asked: &[(String, Vec<Value>)]) -> i64 {
    let count = |(sql, args): &(String, Vec<Value>)| {
        let mut statement = connection.prepare_cached(sql).unwrap();
        statement.reset_status(StatementStatus::VmStep);
        // By the number in its name: SQLite itself counts names in the order in which they stand in the text.
        for (number, arg) in (1..).zip(args) {
            if let Some(index) = statement.parameter_index(&format!("${number}")).unwrap() {
                statement.raw_bind_parameter(index, arg).unwrap();
            }
        }
        let mut rows = statement.raw_query();
        while rows.next().unwrap().is_some() {}
        drop(rows);
        i64::from(statement.get_status(StatementStatus::VmStep))
    };
    asked.iter().map(count).sum()
}

/// How often the nodes of a plan ran, and how many rows they gave.
pub async fn work(client: &tokio_postgres::Client, sql: &str, args: &[Value]) -> i64 {
    let literal = |value: &Value| match value {
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        _ => "NULL".into(),
    };
    let args = args.iter().map(literal).collect::<Vec<_>>().join(", ");
    let sql = store::in_postgres(sql);
    let asked = format!("DEALLOCATE ALL; PREPARE p AS {sql}; EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE p ({args})");
    let messages = client.simple_query(&asked).await.unwrap_or_else(|error| panic!("{error:?} in {asked}"));
    let text = messages.into_iter().find_map(|message| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(String::from),
        _ => None,
    });
    let plan: Json = serde_json::from_str(&text.unwrap()).unwrap();
    of_node(&plan[0]["Plan"])
}

fn of_node(node: &Json) -> i64 {
    let number = |name: &str| node[name].as_f64().unwrap_or_default();
    let own = number("Actual Loops") * (1.0 + number("Actual Rows"));
    let below = node["Plans"].as_array().into_iter().flatten().map(of_node).sum::<i64>();
    #[expect(clippy::cast_possible_truncation, reason = "a few hundred")]
    let own = own.round() as i64;
    own + below
}
