//! How a command fails: sentences on stderr that say what was wrong and what would be right, and an exit code.

use std::process::ExitCode;

const TROUBLE: u8 = 1;
const WRONG_USAGE: u8 = 2;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(super) struct Failure {
    sentences: Vec<String>,
    status: u8,
    /// What became of it all.
    upshot: Option<&'static str>,
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
    pub(super) const fn so(mut self, upshot: &'static str) -> Self {
        self.upshot = Some(upshot);
        self
    }

    /// Tells stderr and gives the exit code: 1 for trouble, 2 for wrong usage, or the command's own.
    pub(super) fn tell(&self) -> ExitCode {
        let error = console::style("error:").red().bold().for_stderr();
        match self.sentences.as_slice() {
            [only] => super::out::complain(&format!("{error} {only}")),
            many => {
                super::out::complain(&format!("{error} {} problems:", many.len()));
                for sentence in many {
                    super::out::complain(&format!("  {sentence}"));
                }
            }
        }
        if let Some(upshot) = self.upshot {
            super::out::complain(upshot);
        }
        ExitCode::from(self.status)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::because(error.to_string())
    }
}
