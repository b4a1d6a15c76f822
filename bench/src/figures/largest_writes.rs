//! A client that writes as much as requests may, in turn: the resource with most index rows, the longest transaction with most of
//! them, and a transaction of conditional creates alone. How much that is, the service is asked before.

use super::record;
use crate::http::driver::{self, Script};
use crate::http::requests;
use crate::http::response::Response;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::people::{ORGANISATION, patient_id};
use rules::limits::{BUNDLE_ENTRIES, RESOURCE_INDEX_ROWS, TRANSACTION_INDEX_ROWS};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const SYSTEM_OF_IDENTIFIERS: &str = "https://bench.example/largest";
/// A resource with one code has some index rows besides.
const MOST_CODES: usize = RESOURCE_INDEX_ROWS;
const MOST_CODES_OF_ENTRIES: usize = TRANSACTION_INDEX_ROWS / BUNDLE_ENTRIES;
/// The entries of a smoke run.
const FEW_ENTRIES: usize = 50;

/// What is written in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LargestWrite {
    Resource,
    Transaction,
    Conditional,
}

const TURNS: [LargestWrite; 3] = [LargestWrite::Resource, LargestWrite::Transaction, LargestWrite::Conditional];

/// How much the service takes at once.
#[derive(Debug, Clone)]
pub(crate) struct Largest {
    host: String,
    token: String,
    patients: usize,
    entries: usize,
    /// The codes of the one resource, and of each entry of the transaction.
    codes: usize,
    codes_of_entries: usize,
}

impl Largest {
    /// Tries what is accepted.
    pub(crate) async fn find(server: &Server, patients: usize, quick: bool) -> Result<Self, Trouble> {
        let entries = if quick { FEW_ENTRIES } else { BUNDLE_ENTRIES };
        let (host, token) = (server.host(), record::token(server).await?);
        let mut largest = Self { host, token, patients, entries, codes: 1, codes_of_entries: 1 };
        let is_taken =
            async |request: Vec<u8>| Ok(matches!(driver::once(server.address, &request).await?.0, 200 | 201));
        let one = largest.clone();
        largest.codes = most(MOST_CODES, async |codes| {
            is_taken(Self { codes, ..one.clone() }.request(LargestWrite::Resource, "")).await
        })
        .await?;
        largest.codes_of_entries = most(MOST_CODES_OF_ENTRIES, async |codes_of_entries| {
            is_taken(Self { codes_of_entries, ..one.clone() }.request(LargestWrite::Transaction, "")).await
        })
        .await?;
        Ok(largest)
    }

    /// Those who write on these connections, each beginning with another of the three, until all is over.
    pub(crate) fn writers(&self, connections: usize, over: &Arc<AtomicBool>) -> Vec<LargestWriter> {
        let writer = |number| LargestWriter {
            largest: self.clone(),
            over: Arc::clone(over),
            number,
            turn: number,
            request: Vec::new(),
            written: [0; 3],
            refused: 0,
        };
        (0..connections).map(writer).collect()
    }

    /// `mark` is in the identifiers of what is created on conditions: what is there already would cost nothing.
    fn request(&self, write: LargestWrite, mark: &str) -> Vec<u8> {
        let (path, body) = match write {
            LargestWrite::Resource => ("/fhir/Observation", observation(&patient_id(0), self.codes)),
            LargestWrite::Transaction => {
                ("/fhir", self.bundle(|patient, _| (observation(patient, self.codes_of_entries), None)))
            }
            LargestWrite::Conditional => ("/fhir", self.bundle(|patient, number| conditional(patient, mark, number))),
        };
        requests::create_for(&self.host, path, &self.token, ORGANISATION, &body.to_string())
    }

    fn bundle(&self, entry: impl Fn(&str, usize) -> (Value, Option<String>)) -> Value {
        let entry = |number| {
            let (resource, criteria) = entry(&patient_id(number % self.patients), number);
            let mut request = json!({ "method": "POST", "url": "Observation" });
            if let (Some(criteria), Some(request)) = (criteria, request.as_object_mut()) {
                request.insert("ifNoneExist".to_owned(), criteria.into());
            }
            json!({ "resource": resource, "request": request })
        };
        let entries: Vec<Value> = (0..self.entries).map(entry).collect();
        json!({ "resourceType": "Bundle", "type": "transaction", "entry": entries })
    }
}

/// The largest count up to this one that is taken: of any that is, all smaller ones are.
async fn most(all: usize, mut is_taken: impl AsyncFnMut(usize) -> Result<bool, Trouble>) -> Result<usize, Trouble> {
    let (mut taken, mut refused) = (0, all + 1);
    while refused - taken > 1 {
        let middle = taken.midpoint(refused);
        if is_taken(middle).await? {
            taken = middle;
        } else {
            refused = middle;
        }
    }
    if taken > 0 { Ok(taken) } else { Err("the service takes not even the smallest of these writes".into()) }
}

fn observation(patient: &str, codes: usize) -> Value {
    let code = |number: usize| json!({ "system": "http://loinc.org", "code": format!("c-{number}") });
    json!({
        "resourceType": "Observation",
        "status": "final",
        "code": { "coding": (0..codes).map(code).collect::<Vec<_>>() },
        "subject": { "reference": format!("Patient/{patient}") },
        "effectiveDateTime": "2026-03-04T09:30:00Z",
    })
}

/// An Observation that is created where the patient has none of its identifier, and the criteria that say so.
fn conditional(patient: &str, mark: &str, number: usize) -> (Value, Option<String>) {
    let value = format!("{mark}-{number}");
    let mut one = observation(patient, 1);
    if let Some(members) = one.as_object_mut() {
        members.insert("identifier".to_owned(), json!([{ "system": SYSTEM_OF_IDENTIFIERS, "value": value }]));
    }
    (one, Some(format!("identifier={SYSTEM_OF_IDENTIFIERS}|{value}&patient={patient}&code=http://loinc.org|c-0")))
}

/// One connection of that client.
#[derive(Debug)]
pub(crate) struct LargestWriter {
    largest: Largest,
    over: Arc<AtomicBool>,
    number: usize,
    turn: usize,
    request: Vec<u8>,
    /// How many of each were written, in the order of the turns, and how many of all were refused.
    pub(crate) written: [u32; 3],
    pub(crate) refused: u32,
}

impl Script for LargestWriter {
    fn request(&mut self) -> &[u8] {
        let write = TURNS.into_iter().cycle().nth(self.turn % TURNS.len()).unwrap_or(LargestWrite::Resource);
        self.request = self.largest.request(write, &format!("{}-{}", self.number, self.turn));
        &self.request
    }

    fn answered(&mut self, answer: &Response<'_>) -> Result<(), Trouble> {
        match (answer.status, self.written.get_mut(self.turn % TURNS.len())) {
            (200 | 201, Some(written)) => *written += 1,
            _ => self.refused += 1,
        }
        self.turn += 1;
        Ok(())
    }

    /// What others of the same client leave no room for is refused.
    fn accepts(&self, _: u16) -> bool {
        true
    }

    fn finished(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_most_that_is_taken_is_found_in_few_tries() {
        for most_taken in [1, 2, 777, 9_999, 10_000] {
            let mut tries = 0;
            let found = most(10_000, async |count| {
                tries += 1;
                Ok(count <= most_taken)
            });
            assert_eq!(found.await.unwrap(), most_taken);
            assert!(tries <= 14, "{tries}");
        }
        assert!(most(10, async |_| Ok(false)).await.is_err());
    }

    #[test]
    fn each_conditional_create_has_criteria_of_its_own() {
        let [first, second] = [conditional("p", "0-2", 1), conditional("p", "0-5", 1)];
        assert_ne!(first.1, second.1);
        assert_eq!(first.0["identifier"][0]["value"], "0-2-1");
    }
}
