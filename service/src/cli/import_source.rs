//! Reading what `recordgate import` is given: NDJSON line by line and a Bundle entry by entry, so that a file may be larger than
//! memory; one resource as a whole.

use super::import_bundle::{self, Next, newlines};
use crate::operator::ResourceText;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io::{BufRead, Read, Result};

/// Resources of one batch.
const BATCH_RESOURCES: usize = 2_000;
/// A batch of large documents is closed earlier.
const BATCH_BYTES: usize = 8 * 1024 * 1024;
/// A line of NDJSON, entry of a Bundle, or resource of so many bytes or more is refused: it could never be fetched either.
const LONGEST: u64 = 64 * 1024 * 1024;

/// Resources to store, and what could not be read among them.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub resources: Vec<ResourceText>,
    pub problems: Vec<String>,
    bytes: usize,
}

/// Of a text that was read as a whole, what tells a Bundle.
#[derive(Deserialize)]
struct SourceHead<'a> {
    #[serde(rename = "resourceType", borrow)]
    resource_type: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, default)]
    entry: Option<&'a RawValue>,
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
    /// The line that is read next.
    line: usize,
    /// Whether it is known to hold one resource per line; `None` before the first line was seen.
    by_line: Option<bool>,
    /// In a Bundle, how many of its entries were read.
    entries: Option<usize>,
    /// What is left of a Bundle that had to be read as a whole.
    left: std::vec::IntoIter<ResourceText>,
    ended: bool,
    /// Whether it was left before its end, because nobody could tell what comes there.
    is_cut_short: bool,
    /// Where a text becomes too long.
    longest: u64,
}

impl Source {
    pub(super) fn new(name: String, from: Box<dyn BufRead>) -> Self {
        let by_line = (name.ends_with(".ndjson") || name.ends_with(".jsonl")).then_some(true);
        Self {
            name,
            from,
            line: 1,
            by_line,
            entries: None,
            left: Vec::new().into_iter(),
            ended: false,
            is_cut_short: false,
            longest: LONGEST,
        }
    }

    /// Whether something stands behind what was read last that will not be read.
    pub(super) const fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// The next resources; `None` at the end.
    pub(super) fn batch(&mut self) -> Result<Option<Batch>> {
        let mut batch = Batch::default();
        while (!self.ended || self.left.len() > 0)
            && batch.resources.len() + batch.problems.len() < BATCH_RESOURCES
            && batch.bytes < BATCH_BYTES
        {
            let given = match self.entries {
                _ if self.left.len() > 0 => self.left.next(),
                Some(number) => self.entry(number + 1, &mut batch.problems),
                None => self.text(&mut batch.problems)?,
            };
            if let Some(given) = given {
                batch.bytes += given.json.len();
                batch.resources.push(given);
            }
        }
        let empty = batch.resources.is_empty() && batch.problems.is_empty();
        Ok(if empty { None } else { Some(batch) })
    }

    /// The next line, or all there is; nothing, if it is blank or the beginning of a Bundle.
    fn text(&mut self, problems: &mut Vec<String>) -> Result<Option<ResourceText>> {
        let there = self.from.fill_buf()?;
        // Most Bundles say what they are before they begin with their entries.
        if let Some(begin) = import_bundle::entries_begin(there) {
            self.line += newlines(there.get(..begin).unwrap_or_default());
            self.from.consume(begin);
            self.entries = Some(0);
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let first = self.line;
        let read = (&mut self.from).take(self.longest).read_until(b'\n', &mut bytes)?;
        self.line += 1;
        if read == 0 {
            self.ended = true;
            return Ok(None);
        }
        if read as u64 >= self.longest {
            if bytes.last() != Some(&b'\n') {
                self.from.skip_until(b'\n')?;
            }
            problems.push(self.too_long(first));
            return Ok(None);
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(None);
        }
        let broken_off = || serde_json::from_slice::<&RawValue>(&bytes).is_err_and(|error| error.is_eof());
        if !*self.by_line.get_or_insert_with(|| !broken_off()) {
            (&mut self.from).take(self.longest).read_to_end(&mut bytes)?;
            self.ended = true;
            if bytes.len() as u64 >= self.longest {
                let why = self.too_long(first);
                problems.push(format!("{why}; of a Bundle, resourceType must come before entry"));
                self.is_cut_short = true;
                return Ok(None);
            }
        }
        // So that what breaks off is said to do so in its own line.
        bytes.truncate(bytes.trim_ascii_end().len());
        Ok(self.resource(first, bytes, problems))
    }

    /// A resource that begins in line `first`; nothing, if it is a Bundle, whose entries are then what is left.
    fn resource(&mut self, first: usize, bytes: Vec<u8>, problems: &mut Vec<String>) -> Option<ResourceText> {
        let name = self.name.clone();
        let Ok(json) = String::from_utf8(bytes) else {
            problems.push(format!("{name}:{first}: this is not UTF-8"));
            return None;
        };
        if !json.trim_start().starts_with('{') {
            problems.push(format!("{name}:{first}: a FHIR resource must be a JSON object"));
            return None;
        }
        match serde_json::from_str::<SourceHead<'_>>(&json) {
            Err(error) => problems.push(self.fault(first, &error)),
            Ok(head) if head.resource_type.as_deref() == Some("Bundle") => {
                let all = head.entry.map(RawValue::get).unwrap_or("[]");
                let before = newlines(json.get(..offset(&json, all)).unwrap_or_default().as_bytes());
                self.left = self.whole(first + before, all, problems).into_iter();
            }
            Ok(_) => return Some(ResourceText { at: format!("{name}:{first}"), json }),
        }
        None
    }

    /// The resources of the entries of a Bundle that is in memory.
    fn whole(&self, first: usize, all: &str, problems: &mut Vec<String>) -> Vec<ResourceText> {
        let entries = match serde_json::from_str::<Vec<&RawValue>>(all) {
            Ok(entries) => entries,
            Err(error) => {
                problems.push(self.fault(first, &error));
                return Vec::new();
            }
        };
        let (mut line, mut counted, mut given) = (first, 0, Vec::with_capacity(entries.len()));
        for (number, entry) in (1..).zip(entries) {
            let at = offset(all, entry.get());
            line += newlines(all.get(counted..at).unwrap_or_default().as_bytes());
            counted = at;
            given.extend(self.taken_out(number, line, entry.get(), problems));
        }
        given
    }

    /// The next entry of a Bundle; nothing at its end.
    fn entry(&mut self, number: usize, problems: &mut Vec<String>) -> Option<ResourceText> {
        let most = usize::try_from(self.longest).unwrap_or(usize::MAX);
        let (bytes, first) = match import_bundle::next(&mut *self.from, most) {
            Ok(Next::Entry(bytes, lines)) => (bytes, self.line + lines),
            Ok(Next::TooLong { before, within }) => {
                let first = self.line + before;
                problems.push(format!("{} (entry {number})", self.too_long(first)));
                self.line = first + within;
                self.entries = Some(number);
                return None;
            }
            Ok(Next::End(lines)) => {
                self.line += lines;
                self.entries = None;
                return None;
            }
            Err(error) => {
                problems.push(format!("{}:{}: behind entry {}: {error}", self.name, self.line, number - 1));
                self.ended = true;
                self.is_cut_short = true;
                return None;
            }
        };
        self.line = first + newlines(&bytes);
        self.entries = Some(number);
        match std::str::from_utf8(&bytes) {
            Ok(entry) => self.taken_out(number, first, entry, problems),
            Err(_) => {
                problems.push(format!("{}:{first}: entry {number} of the Bundle is not UTF-8", self.name));
                None
            }
        }
    }

    /// The resource of one entry, which begins in line `first`.
    fn taken_out(&self, number: usize, first: usize, entry: &str, problems: &mut Vec<String>) -> Option<ResourceText> {
        match serde_json::from_str::<Entry<'_>>(entry).map(|entry| entry.resource) {
            Ok(Some(resource)) => {
                let before = entry.get(..offset(entry, resource.get())).unwrap_or_default();
                let line = first + newlines(before.as_bytes());
                let at = format!("{}:{line} (entry {number})", self.name);
                return Some(ResourceText { at, json: resource.get().to_owned() });
            }
            Ok(None) => problems.push(format!("{}:{first}: entry {number} of the Bundle has no resource", self.name)),
            Err(error) => problems.push(self.fault(first, &error)),
        }
        None
    }

    fn too_long(&self, first: usize) -> String {
        format!("{}:{first}: this is {} bytes or longer, which is more than a resource may be", self.name, self.longest)
    }

    fn fault(&self, first: usize, error: &serde_json::Error) -> String {
        let words = error.to_string();
        let why = words.split(" at line ").next().unwrap_or_default();
        let line = first + error.line().saturating_sub(1);
        format!("{}:{line}: this is not a FHIR resource in JSON: {why} (column {})", self.name, error.column())
    }
}

/// Where a part of a text stands in it. What serde borrows is a part in memory too.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> (Vec<String>, Vec<String>) {
        let (places, problems, _) = read_below(LONGEST, name, text);
        (places, problems)
    }

    /// With another length at which a text is too long; also tells whether something was left unread.
    fn read_below(longest: u64, name: &str, text: &str) -> (Vec<String>, Vec<String>, bool) {
        let mut source = Source::new(name.into(), Box::new(std::io::Cursor::new(text.to_owned())));
        source.longest = longest;
        let (mut places, mut problems) = (Vec::new(), Vec::new());
        while let Some(batch) = source.batch().unwrap() {
            places.extend(batch.resources.into_iter().map(|given| given.at));
            problems.extend(batch.problems);
        }
        (places, problems, source.is_cut_short())
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
        assert_eq!(problems, ["b.json:6: entry 2 of the Bundle has no resource"]);
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

    #[test]
    fn a_bundle_may_come_in_one_line_and_another_behind_it() {
        let bundle = r#"{"resourceType":"Bundle","entry":[{"resource":{"id":"a"}},{"resource":{"id":"b"}}],"total":2}"#;
        let (places, problems) = read("b.json", &format!("{bundle}\n{bundle}\n"));
        let expected = ["b.json:1 (entry 1)", "b.json:1 (entry 2)", "b.json:2 (entry 1)", "b.json:2 (entry 2)"];
        assert_eq!((places, problems), (expected.map(String::from).to_vec(), vec![]));
    }

    #[test]
    fn a_bundle_that_breaks_off_gives_what_is_whole_and_says_where_it_ends() {
        let text = "{\"resourceType\":\"Bundle\",\n\"entry\":[{\"resource\":{\"id\":\"a\"}},\n{\"resource\":";
        let (places, problems) = read("b.json", text);
        assert_eq!(places, ["b.json:2 (entry 1)"]);
        assert_eq!(problems, ["b.json:2: behind entry 1: the Bundle breaks off before its end"]);
    }

    #[test]
    fn a_bundle_that_says_last_what_it_is_is_read_as_a_whole() {
        let text = "{\"entry\":[\n{\"resource\":{\"id\":\"a\"}},\n\n{}],\"resourceType\":\"Bundle\"}";
        let (places, problems) = read("b.json", text);
        assert_eq!(places, ["b.json:2 (entry 1)"]);
        assert_eq!(problems, ["b.json:4: entry 2 of the Bundle has no resource"]);
        assert_eq!(read("b.json", r#"{"resourceType":"Bundle","type":"collection"}"#), (vec![], vec![]));
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_by_its_number_and_the_others_are_read() {
        let long = format!(r#"{{"id":"{}"}}"#, "x".repeat(100));
        for long in [long.clone(), format!("{long}{long}")] {
            for text in [
                format!("{{\"id\":\"a\"}}\n{long}\n{{\"id\":\"b\"}}\n{long}"),
                format!("{long}\n{{\"id\":\"a\"}}\n{long}\n{{\"id\":\"b\"}}\n"),
            ] {
                let (places, problems, is_cut_short) = read_below(100, "-", &text);
                assert_eq!((places.len(), problems.len(), is_cut_short), (2, 2, false), "{places:?} {problems:?}");
                let first = if text.starts_with("{\"id\":\"a\"}") { 2 } else { 1 };
                assert!(problems[0].starts_with(&format!("-:{first}: this is 100 bytes or longer")), "{problems:?}");
                assert!(problems[1].starts_with(&format!("-:{}: this is 100", first + 2)), "{problems:?}");
            }
        }
    }

    #[test]
    fn an_entry_that_is_too_long_is_refused_by_its_number_and_the_others_are_read() {
        let long = format!("{{\"resource\":{{\"id\":\n\"{}\"}}}}", "x".repeat(300));
        let text =
            format!("{{\"resourceType\":\"Bundle\",\n\"entry\":[{long},\n{{\"resource\":{{\"id\":\"b\"}}}}]}}\n");
        let (places, problems, is_cut_short) = read_below(200, "b.json", &text);
        assert_eq!((places, is_cut_short), (vec!["b.json:4 (entry 2)".to_owned()], false));
        assert_eq!(problems, ["b.json:2: this is 200 bytes or longer, which is more than a resource may be (entry 1)"]);
    }

    #[test]
    fn a_file_that_is_left_before_its_end_is_known_for_it() {
        let long = "{\n\"id\":".to_owned() + &" ".repeat(200) + "\"a\"}";
        for text in [long.as_str(), "{\"resourceType\":\"Bundle\",\n\"entry\":[{\"resource\":"] {
            let (places, problems, is_cut_short) = read_below(100, "b.json", text);
            assert_eq!((places.len(), problems.len(), is_cut_short), (0, 1, true), "{problems:?}");
        }
    }
}
