//! What a bare server is told to do, in one line for its standard input: the answer that it gives, and the work that it does
//! before each.

use super::sessions_file::Extent;
use crate::measure::trouble::Trouble;
use bytes::Bytes;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The hidden word by which this program starts itself as the bare server.
pub(crate) const BARE: &str = "bare";

/// Headers that hyper writes itself; the rest of a sample is given word for word.
const WRITTEN_BY_HYPER: [&str; 3] = ["content-length", "date", "connection"];

/// What is done before an answer is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Work {
    Nothing,
    /// One of the sessions in a file of this directory is rotated.
    Commit {
        directory: PathBuf,
        extent: Extent,
    },
    /// The record of one of the patients in the database of this URL is read.
    PostgresRead {
        url: String,
    },
}

/// The answer that is given to every request.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// The line for a server that answers as this sample did.
pub(crate) fn line(sample_head: &str, sample_body: &[u8], work: &Work) -> Result<String, Trouble> {
    let headers: Vec<[&str; 2]> = sample_head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| !WRITTEN_BY_HYPER.contains(&name.to_ascii_lowercase().as_str()))
        .map(|(name, value)| [name, value])
        .collect();
    let body = std::str::from_utf8(sample_body)?;
    let work = match work {
        Work::Nothing => Value::Null,
        Work::Commit { directory, extent: Extent { sessions, page_bytes } } => {
            json!({ "directory": directory, "sessions": sessions, "page_bytes": page_bytes })
        }
        Work::PostgresRead { url } => json!({ "url": url }),
    };
    Ok(format!("{}\n", json!({ "headers": headers, "body": body, "work": work })))
}

pub(crate) fn parse(line: &str) -> Result<(Sample, Work), Trouble> {
    let order: Value = serde_json::from_str(line)?;
    let mut headers = HeaderMap::new();
    for pair in order.get("headers").and_then(Value::as_array).into_iter().flatten() {
        let [name, value] = [pair.get(0), pair.get(1)].map(text);
        headers.append(HeaderName::from_bytes(name.as_bytes())?, HeaderValue::from_str(&value)?);
    }
    let sample = Sample { headers, body: Bytes::from(text(order.get("body"))) };
    Ok((sample, order.get("work").map_or(Ok(Work::Nothing), work)?))
}

fn work(work: &Value) -> Result<Work, Trouble> {
    let number = |name| work.get(name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
    if work.is_null() {
        return Ok(Work::Nothing);
    }
    if work.get("url").is_some() {
        return Ok(Work::PostgresRead { url: text(work.get("url")) });
    }
    let (sessions, page_bytes) = number("sessions").zip(number("page_bytes")).ok_or("this is no order")?;
    Ok(Work::Commit { directory: text(work.get("directory")).into(), extent: Extent { sessions, page_bytes } })
}

fn text(value: Option<&Value>) -> String {
    value.and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_keeps_the_sample_but_for_what_hyper_writes_itself() {
        let head = "HTTP/1.1 200 OK\r\nETag: W/\"1\"\r\ndate: today\r\nContent-Length: 2\r\nx-request-id: 7\r\n\r\n";
        let (sample, _) = parse(&line(head, b"{}", &Work::Nothing).unwrap()).unwrap();
        assert_eq!(sample.headers.len(), 2);
        assert_eq!(sample.headers["etag"], "W/\"1\"");
        assert_eq!(sample.body, "{}");
    }

    #[test]
    fn an_order_keeps_the_work_that_comes_before_an_answer() {
        let extent = Extent { sessions: 7, page_bytes: 1024 };
        for work in [
            Work::Nothing,
            Work::Commit { directory: "some/where".into(), extent },
            Work::PostgresRead { url: "postgres://me@here/records".to_owned() },
        ] {
            assert_eq!(parse(&line("", b"{}", &work).unwrap()).unwrap().1, work);
        }
        assert!(parse(r#"{"work": {"directory": "without a size"}}"#).is_err());
    }
}
