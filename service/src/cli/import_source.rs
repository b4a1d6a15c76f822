//! Reading what `recordgate import` is given: NDJSON line by line, so that a file may be larger than memory; one
//! resource or a Bundle as a whole.

use crate::operator::ResourceText;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io::{BufRead, Read, Result};

/// Resources of one batch, which is checked as a whole.
const BATCH_RESOURCES: usize = 500;
/// A batch of large documents is closed earlier.
const BATCH_BYTES: usize = 8 * 1024 * 1024;
/// The longest line of NDJSON: a resource of this size could never be fetched either.
const LINE_BYTES: u64 = 64 * 1024 * 1024;

/// Resources to store together, and what could not be read among them.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub resources: Vec<ResourceText>,
    pub problems: Vec<String>,
    bytes: usize,
}

#[derive(Deserialize)]
struct ResourceHead<'a> {
    #[serde(rename = "resourceType", borrow)]
    resource_type: Option<std::borrow::Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Bundle<'a> {
    #[serde(borrow, default)]
    entry: Vec<Entry<'a>>,
}

#[derive(Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    resource: Option<&'a RawValue>,
}

/// One file, or standard input, being read.
pub(super) struct Source {
    name: String,
    from: Box<dyn BufRead>,
    line: usize,
    /// Whether it is known to hold one resource per line; `None` before the first line was seen.
    by_line: Option<bool>,
    ended: bool,
    /// Of a Bundle that is larger than a batch, what is left over.
    left: std::vec::IntoIter<ResourceText>,
}

impl Source {
    pub(super) fn new(name: String, from: Box<dyn BufRead>) -> Self {
        let by_line = (name.ends_with(".ndjson") || name.ends_with(".jsonl")).then_some(true);
        Self { name, from, line: 0, by_line, ended: false, left: Vec::new().into_iter() }
    }

    /// The next resources; `None` at the end.
    pub(super) fn batch(&mut self) -> Result<Option<Batch>> {
        let mut batch = Batch::default();
        while batch.resources.len() < BATCH_RESOURCES && batch.bytes < BATCH_BYTES {
            if let Some(given) = self.left.next() {
                batch.bytes += given.json.len();
                batch.resources.push(given);
            } else if self.ended {
                break;
            } else {
                self.read_on(&mut batch.problems)?;
            }
        }
        let empty = batch.resources.is_empty() && batch.problems.is_empty();
        Ok(if empty { None } else { Some(batch) })
    }

    /// Reads the next line, or all there is, into `left`.
    fn read_on(&mut self, problems: &mut Vec<String>) -> Result<()> {
        let mut bytes = Vec::new();
        let read = (&mut self.from).take(LINE_BYTES).read_until(b'\n', &mut bytes)?;
        self.line += 1;
        let first = self.line;
        if read == 0 {
            self.ended = true;
            return Ok(());
        }
        if read as u64 == LINE_BYTES && self.by_line == Some(true) {
            problems.push(format!("{}:{first}: the line is longer than {LINE_BYTES} bytes", self.name));
            self.ended = true;
            return Ok(());
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        let broken_off = || serde_json::from_slice::<&RawValue>(&bytes).is_err_and(|error| error.is_eof());
        if !*self.by_line.get_or_insert_with(|| !broken_off()) {
            self.from.read_to_end(&mut bytes)?;
            self.ended = true;
        }
        // So that what breaks off is said to do so in its own line.
        bytes.truncate(bytes.trim_ascii_end().len());
        match String::from_utf8(bytes) {
            Ok(text) => self.left = expand(&self.name, first, text, problems).into_iter(),
            Err(_) => problems.push(format!("{}:{first}: this is not UTF-8", self.name)),
        }
        Ok(())
    }
}

/// The resources of one JSON text that begins in line `first`.
fn expand(name: &str, first: usize, text: String, problems: &mut Vec<String>) -> Vec<ResourceText> {
    let fault = |error: &serde_json::Error| {
        let words = error.to_string();
        let why = words.split(" at line ").next().unwrap_or_default();
        let line = first + error.line().saturating_sub(1);
        format!("{name}:{line}: this is not a FHIR resource in JSON: {why} (column {})", error.column())
    };
    if !text.trim_start().starts_with('{') {
        problems.push(format!("{name}:{first}: a FHIR resource must be a JSON object"));
        return Vec::new();
    }
    let head = match serde_json::from_str::<ResourceHead<'_>>(&text) {
        Ok(head) => head,
        Err(error) => {
            problems.push(fault(&error));
            return Vec::new();
        }
    };
    if head.resource_type.as_deref() != Some("Bundle") {
        return vec![ResourceText { at: format!("{name}:{first}"), json: text }];
    }
    let bundle = match serde_json::from_str::<Bundle<'_>>(&text) {
        Ok(bundle) => bundle,
        Err(error) => {
            problems.push(fault(&error));
            return Vec::new();
        }
    };
    let mut given = Vec::with_capacity(bundle.entry.len());
    let (mut line, mut counted_to) = (first, 0);
    for (number, entry) in bundle.entry.iter().enumerate() {
        let number = number + 1;
        let Some(resource) = entry.resource else {
            problems.push(format!("{name}:{line}: entry {number} of the Bundle has no resource"));
            continue;
        };
        // The raw value borrows from the text, so where it stands is where it begins in memory.
        let at = (resource.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let between = text.as_bytes().get(counted_to..at).unwrap_or_default();
        line += between.iter().filter(|byte| **byte == b'\n').count();
        counted_to = at;
        given.push(ResourceText { at: format!("{name}:{line} (entry {number})"), json: resource.get().to_owned() });
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> (Vec<String>, Vec<String>) {
        let mut source = Source::new(name.into(), Box::new(std::io::Cursor::new(text.to_owned())));
        let (mut places, mut problems) = (Vec::new(), Vec::new());
        while let Some(batch) = source.batch().unwrap() {
            places.extend(batch.resources.into_iter().map(|given| given.at));
            problems.extend(batch.problems);
        }
        (places, problems)
    }

    #[test]
    fn a_resource_over_many_lines_is_one_resource() {
        let (places, problems) = read("p.json", "\n{\n  \"resourceType\": \"Patient\",\n  \"id\": \"a\"\n}\n");
        assert_eq!((places, problems), (vec!["p.json:2".to_owned()], vec![]));
    }

    #[test]
    fn each_line_of_ndjson_is_a_resource_and_blank_ones_are_nothing() {
        let text = "{\"resourceType\":\"Patient\",\"id\":\"a\"}\n\n{\"resourceType\":\"Patient\",\"id\":\"b\"}";
        let (places, problems) = read("-", text);
        assert_eq!((places, problems), (vec!["-:1".to_owned(), "-:3".to_owned()], vec![]));
    }

    #[test]
    fn the_entries_of_a_bundle_are_named_with_the_lines_that_they_begin_in() {
        let text =
            "{\n\"resourceType\":\"Bundle\",\n\"entry\":[\n{\"resource\":{\n\"id\":\"a\"}},\n{},\n{\"resource\":{}}]}";
        let (places, problems) = read("b.json", text);
        assert_eq!(places, ["b.json:4 (entry 1)", "b.json:7 (entry 3)"]);
        assert_eq!(problems, ["b.json:4: entry 2 of the Bundle has no resource"]);
    }

    #[test]
    fn every_bad_line_is_named_and_the_good_ones_are_still_read() {
        let text = "{\"id\":\"a\"}\n{\"id\":\n[]\n\"x\"\n{\"id\":\"b\"}\n";
        let (places, problems) = read("x.ndjson", text);
        assert_eq!(places, ["x.ndjson:1", "x.ndjson:5"]);
        assert_eq!(problems.len(), 3, "{problems:?}");
        for (problem, line) in problems.iter().zip(["x.ndjson:2:", "x.ndjson:3:", "x.ndjson:4:"]) {
            assert!(problem.starts_with(line), "{problem}");
        }
    }

    #[test]
    fn a_file_larger_than_a_batch_comes_in_batches() {
        let text = "{\"id\":\"a\"}\n".repeat(BATCH_RESOURCES + 1);
        let mut source = Source::new("-".into(), Box::new(std::io::Cursor::new(text)));
        assert_eq!(source.batch().unwrap().unwrap().resources.len(), BATCH_RESOURCES);
        assert_eq!(source.batch().unwrap().unwrap().resources.len(), 1);
        assert!(source.batch().unwrap().is_none());
    }
}
