//! What stands in the way of showing a page, in words for the person in front of it.

use crate::app::trouble::{Nature, Report};
use crate::formats::when;

/// The words of a page that says no.
#[derive(Debug)]
pub struct Problem {
    pub status: u16,
    pub heading: &'static str,
    pub what_was_wrong: String,
    pub what_to_do: &'static str,
    pub retry_after: Option<i64>,
}

impl Problem {
    #[must_use]
    pub fn new(
        status: u16,
        heading: &'static str,
        what_was_wrong: impl Into<String>,
        what_to_do: &'static str,
    ) -> Self {
        Self { status, heading, what_was_wrong: what_was_wrong.into(), what_to_do, retry_after: None }
    }

    /// Too many failures: when to come back.
    #[must_use]
    pub fn wait(seconds: i64) -> Self {
        let minutes = when::length((seconds + 59) / 60 * 60);
        let wait = format!("There were too many failed attempts. Please wait {minutes} before the next one.");
        Self { retry_after: Some(seconds), ..Self::new(429, "Please wait", wait, "Then go back and try again.") }
    }

    /// Too many people are signing in at this moment.
    #[must_use]
    pub fn busy() -> Self {
        let busy = "Many people are signing in at this moment.";
        Self { retry_after: Some(2), ..Self::new(503, "Please try again", busy, "Go back and try again in a moment.") }
    }

    /// Too many sign in from the same address at this moment.
    #[must_use]
    pub fn long_line() -> Self {
        let many = "Many sign-ins from your network are waiting at this moment.";
        Self { retry_after: Some(1), ..Self::new(429, "Please wait", many, "Go back and try again in a moment.") }
    }

    /// Whoever is here has not read what they asked for before.
    #[must_use]
    pub fn too_much_unread() -> Self {
        let wrong = "Too much of what was asked for from here is still on its way.";
        Self { retry_after: Some(1), ..Self::new(429, "Please wait", wrong, "Try again in a moment.") }
    }

    /// All together have too much under way.
    #[must_use]
    pub fn crowded() -> Self {
        let busy = "The service is busy at this moment.";
        Self { retry_after: Some(1), ..Self::new(503, "Please try again", busy, "Please try again in a moment.") }
    }

    #[must_use]
    pub fn too_large() -> Self {
        Self::new(413, "That was too much", "The form that was sent is too large.", "Go back and try again.")
    }

    #[must_use]
    pub fn head_too_large() -> Self {
        let wrong = "Your browser sent more with this request than we take: an address or cookies that are too long.";
        Self::new(431, "That was too much", wrong, "Shorten the address, or clear the cookies of this website.")
    }

    /// A form of ours that was opened too long ago, used before, or never ours.
    #[must_use]
    pub fn stale_form() -> Self {
        let wrong = "This page was open for too long, or was used already.";
        Self::new(400, "This page has expired", wrong, "Go back to where you came from and start again.")
    }

    /// An address that somebody has broken.
    #[must_use]
    pub fn unreadable_address() -> Self {
        let wrong = "The address of this page has something in it that cannot be read.";
        Self::new(400, "This link is not right", wrong, "Go back and try again.")
    }

    #[must_use]
    pub fn foreign_form() -> Self {
        let wrong = "The form was sent from another website.";
        Self::new(403, "Not from here", wrong, "Open the page on this website and try again.")
    }

    #[must_use]
    pub fn not_found() -> Self {
        Self::new(404, "Page not found", "There is no page at this address.", "Check the address, or go back.")
    }

    #[must_use]
    pub fn wrong_method() -> Self {
        Self::new(405, "Not like this", "This page does not do that.", "Go back and try again.")
    }

    /// Trouble on our side.
    #[must_use]
    pub fn of_trouble(report: &Report) -> Self {
        let next = "Please try again in a moment.";
        if report.nature != Nature::Lasting {
            let busy = report.sentence("The service is busy at this moment.");
            return Self { retry_after: Some(1), ..Self::new(503, "Please try again", busy, next) };
        }
        let wrong = report.sentence("Something went wrong on our side. It has been noted.");
        Self::new(500, "Something went wrong", wrong, next)
    }
}
