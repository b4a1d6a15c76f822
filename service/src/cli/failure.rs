//! How a command fails: sentences that say what was wrong and what would be right, on stderr for people or as JSON on stdout
//! for programs, and an exit code.

use super::out::{Out, complain};
use serde_json::json;
use std::process::ExitCode;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(super) struct Failure {
    sentences: Vec<String>,
    usage: bool,
    /// What became of it all.
    upshot: Option<&'static str>,
}

impl Failure {
    pub(super) fn because(why: impl Into<String>) -> Self {
        Self::all(vec![why.into()])
    }

    pub(super) const fn all(sentences: Vec<String>) -> Self {
        Self { sentences, usage: false, upshot: None }
    }

    /// The command was put wrongly, as clap would say.
    pub(super) const fn usage(sentences: Vec<String>) -> Self {
        Self { sentences, usage: true, upshot: None }
    }

    /// Adds what became of it all.
    pub(super) const fn so(mut self, upshot: &'static str) -> Self {
        self.upshot = Some(upshot);
        self
    }

    /// Tells whoever reads, and gives the exit code: 1 for trouble, 2 for wrong usage. A program reads stdout and nothing else,
    /// so with `--json` that is where it is told.
    pub(super) fn tell(&self, out: Out) -> ExitCode {
        let kind = if self.usage { "usage" } else { "trouble" };
        let told = json!({ "kind": kind, "problems": self.sentences, "upshot": self.upshot });
        out.value(&json!({ "error": told }));
        if !out.json {
            self.complain();
        }
        ExitCode::from(if self.usage { 2 } else { 1 })
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
        if let Some(upshot) = self.upshot {
            complain(upshot);
        }
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::because(error.to_string())
    }
}
