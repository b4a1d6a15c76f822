//! What the sandbox's sample third-party app shows: "Sleep Diary" by the invented company "Night Owl Labs".

use askama::Template;

use super::frame::GuardedText;

/// The app's front page.
#[derive(Debug, Template)]
#[template(path = "sample/home.html")]
pub struct SampleHome {
    /// The authorization URL behind "Connect with Recordgate".
    pub connect: String,
}

/// Everything that the app and Recordgate have said to each other so far.
#[derive(Debug, Template)]
#[template(path = "sample/trace.html")]
pub struct SampleTrace {
    pub exchanges: Vec<Exchange>,
    /// What can be tried next: `STEPS`, or fewer of them.
    pub steps: Vec<SampleStep>,
    /// Sealed or random value that ties the buttons to this browser.
    pub form: GuardedText,
    /// What the letter is that was opened last, such as "PDF, 869 bytes".
    pub letter: Option<String>,
}

/// One request and its answer. Both may hold tokens, which only the page may show.
#[derive(Debug, Clone)]
pub struct Exchange {
    pub title: String,
    pub explanation: String,
    pub request: GuardedText,
    /// The status line, such as "200 OK".
    pub status: String,
    pub went_well: bool,
    pub answer: GuardedText,
}

/// A button of the app: a POST to `action`.
#[derive(Debug, Clone, Copy)]
pub struct SampleStep {
    pub action: &'static str,
    pub label: &'static str,
    pub about: &'static str,
}

pub const STEPS: [SampleStep; 8] = [
    SampleStep {
        action: "/call-fhir",
        label: "Call the FHIR API",
        about: "Finds the patient with the access token the app holds now. What follows is about that patient.",
    },
    SampleStep {
        action: "/call-rest",
        label: "Call the custom REST API",
        about: "Asks who is signed in, with the same access token.",
    },
    SampleStep {
        action: "/search",
        label: "Search for body weights",
        about: "By patient and code, the newest first, two on a page.",
    },
    SampleStep {
        action: "/next-page",
        label: "Turn the page",
        about: "Follows the link next of the last page of results.",
    },
    SampleStep {
        action: "/find-letter",
        label: "Find a letter",
        about: "The newest document of the patient that is a PDF.",
    },
    SampleStep { action: "/open-letter", label: "Open the letter", about: "Reads the PDF that the document tells of." },
    SampleStep {
        action: "/refresh",
        label: "Refresh the tokens",
        about: "Swaps the refresh token for a new pair. Each refresh token works once.",
    },
    SampleStep {
        action: "/replay",
        label: "Replay the old refresh token",
        about: "Does what a thief would do. Recordgate then ends the whole session.",
    },
];

/// The app when it came back without access, or could not go on.
#[derive(Debug, Template)]
#[template(path = "sample/error.html")]
pub struct SampleError {
    pub heading: String,
    pub what_happened: String,
    /// What Recordgate sent, such as "error=access_denied".
    pub detail: Option<String>,
}
