//! What a command did.

use serde_json::Value;
use std::process::Output;

/// What a command did.
pub struct Outcome {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Outcome {
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout.clone()).unwrap(),
            err: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    /// The command succeeded; gives what it printed.
    #[track_caller]
    pub fn fine(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self.out
    }

    /// The command succeeded and printed one JSON value.
    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.fine()).unwrap()
    }

    /// The command failed with this exit code; gives what it complained of.
    #[track_caller]
    pub fn failed(self, code: i32) -> String {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        self.err
    }

    /// The command failed with this exit code and told a program why: in the last line that it printed, and nowhere else.
    #[track_caller]
    pub fn failed_in_json(self, code: i32) -> Value {
        assert_eq!((self.code, self.err.as_str()), (code, ""), "{}", self.out);
        let last: Value = serde_json::from_str(self.out.lines().last().unwrap()).unwrap();
        last["error"].clone()
    }
}
