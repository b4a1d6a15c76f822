//! An answer that came over a socket.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

/// An answer, whole.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    /// Reads what a server sent before it closed the connection.
    pub fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap();
            (name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value.trim()).unwrap())
        };
        Self { status, headers: lines.map(header).collect(), body: body.to_owned() }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in: {}", self.body))
    }

    /// A text member of the JSON in a 200.
    #[track_caller]
    pub fn member(&self, name: &str) -> String {
        assert_eq!(self.status, 200, "{}", self.body);
        self.json()[name].as_str().unwrap_or_else(|| panic!("no {name} in: {}", self.body)).to_owned()
    }
}
