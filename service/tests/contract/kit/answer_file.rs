//! Every FHIR answer that a test saw, written down for the validators that are not ours: `./test` names a directory for
//! them, and its suite `answers` reads them.

use super::reply::Reply;
use axum::http::Method;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Names the directory.
const DIRECTORY: &str = "RECORDGATE_ANSWERS";

struct AnswerFile {
    file: File,
    /// What is in it: many tests get the same answer.
    written: HashSet<Vec<u8>>,
}

static ANSWERS: LazyLock<Option<Mutex<AnswerFile>>> = LazyLock::new(|| {
    let directory = std::env::var_os(DIRECTORY)?;
    let path = Path::new(&directory).join(format!("contract-{}.ndjson", std::process::id()));
    let file = File::create(&path).unwrap_or_else(|error| panic!("{DIRECTORY}: {}: {error}", path.display()));
    Some(Mutex::new(AnswerFile { file, written: HashSet::new() }))
});

/// Keeps an answer, if it is FHIR and somebody asked for answers to be kept.
pub fn keep(method: &Method, path: &str, reply: &Reply) {
    let Some(answers) = &*ANSWERS else { return };
    let is_fhir =
        reply.headers.get("content-type").is_some_and(|kind| kind.as_bytes().starts_with(b"application/fhir+json"));
    if !is_fhir || reply.body.is_empty() {
        return;
    }
    let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
    if answers.written.insert(reply.body.clone()) {
        let to = format!("{method} {path}");
        let line = serde_json::json!({ "to": to, "status": reply.status, "resource": reply.json() });
        writeln!(answers.file, "{line}").unwrap();
    }
}
