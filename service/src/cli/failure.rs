//! How a command fails: sentences that say what was wrong and what would be right, on stderr for people or as JSON on stdout
//! for programs, and an exit code.

use super::out::{Out, complain};
use serde_json::json;
use std::process::ExitCode;

const TROUBLE: u8 = 1;
const WRONG_USAGE: u8 = 2;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(super) struct Failure {
    sentences: Vec<String>,
    status: u8,
    /// What became of it all.
    upshot: Option<String>,
}

impl Failure {
    pub(super) fn because(why: impl Into<String>) -> Self {
        Self::all(vec![why.into()])
    }

    pub(super) const fn all(sentences: Vec<String>) -> Self {
        Self { sentences, status: TROUBLE, upshot: None }
    }

    /// The command was put wrongly, as clap would say.
    pub(super) const fn usage(sentences: Vec<String>) -> Self {
        Self { sentences, status: WRONG_USAGE, upshot: None }
    }

    /// Ends the command with another exit status.
    pub(super) const fn with_status(mut self, status: u8) -> Self {
        self.status = status;
        self
    }

    /// Adds what became of it all.
    pub(super) fn so(mut self, upshot: impl Into<String>) -> Self {
        self.upshot = Some(upshot.into());
        self
    }

    /// Tells whoever reads, and gives the exit code: 1 for trouble, 2 for wrong usage, or the command's own. A program reads
    /// stdout and nothing else, so with `--json` that is where it is told.
    pub(super) fn tell(&self, out: Out) -> ExitCode {
        let kind = if self.status == WRONG_USAGE { "usage" } else { "trouble" };
        let told = json!({ "kind": kind, "problems": self.sentences, "upshot": self.upshot });
        out.value(&json!({ "error": told }));
        if !out.json {
            self.complain();
        }
        ExitCode::from(self.status)
    }

    fn complain(&self) {
        let error = console::style("error:").red().bold().for_stderr();
        match self.sentences.as_slice() {
            [only] => complain(&format!("{error} {only}")),
            many => {
                complain(&format!("{error} {} problems:", many.len()));
                for sentence in many {
                    complain(&format!("  {sentence}"));
                }
            }
        }
        if let Some(upshot) = &self.upshot {
            complain(upshot);
        }
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::because(error.to_string())
    }
}
