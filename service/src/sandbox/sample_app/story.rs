//! The trace in words: what each message is for, and the messages as a developer would write them down.

use super::conversation::{AppAnswer, AppRequest};
use super::diary::Diary;
use super::findings::PDF;
use crate::views::GuardedText;
use crate::views::sample::Exchange;
use axum::http::StatusCode;
use serde_json::Value;

/// Headers of an answer that a client looks at.
const SHOWN: [&str; 5] = ["Content-Type", "Cache-Control", "Pragma", "WWW-Authenticate", "Retry-After"];

/// What one message is for, and what it means when it works and when it does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Story {
    pub title: &'static str,
    pub well: &'static str,
    pub ill: &'static str,
}

pub(super) const CODE: Story = Story {
    title: "Exchange the code for tokens",
    well: "The app sends the code and the verifier behind its challenge. Whoever saw only the code could not do this.",
    ill: "Recordgate did not accept the code, so the app has no tokens.",
};
pub(super) const FHIR: Story = Story {
    title: "Call the FHIR API",
    well: "The search names no patient. It finds one, because this session reaches its own patient only.",
    ill: "The access token does not open the record. The code in the answer says why.",
};
pub(super) const REST: Story = Story {
    title: "Call the custom REST API",
    well: "The same access token, the other API: who is the person behind it?",
    ill: "The access token does not open this API. The message in the answer says why.",
};
pub(super) const SEARCH: Story = Story {
    title: "Search by patient and code",
    well: "The body weights of this patient, the newest first, two on a page. If there are more, the link next leads to them.",
    ill: "The search was not answered. The code in the answer says why.",
};
pub(super) const NEXT_PAGE: Story = Story {
    title: "Turn the page",
    well: "The app followed the link next as it was given. A page without that link is the last one.",
    ill: "The page was not answered. The code in the answer says why.",
};
pub(super) const FIND_LETTER: Story = Story {
    title: "Find a letter",
    well: "The newest document of this patient that is a PDF. Its attachment says where the content is.",
    ill: "The search was not answered. The code in the answer says why.",
};
pub(super) const OPEN_LETTER: Story = Story {
    title: "Open the letter",
    well: "The content itself, because the app asked for a PDF. The address alone opens nothing: it needs the access token.",
    ill: "The letter was not opened. The code in the answer says why.",
};
pub(super) const REFRESH: Story = Story {
    title: "Refresh the tokens",
    well: "The refresh token is used up now. The app holds a new pair.",
    ill: "Recordgate gave no new tokens. The person must connect the app again.",
};
pub(super) const REPLAY: Story = Story {
    title: "Replay a used refresh token",
    well: "Recordgate took the token for a retry and gave the same answer again: this client has a retry window.",
    ill: "A used refresh token can only come from a thief or from a broken app, so Recordgate ended the session: no token of it works any more. Try the calls again.",
};

/// The first message, which the browser carried: there and back again.
pub(super) fn authorization(request_url: &str, callback_url: &str) -> Exchange {
    Exchange {
        title: "Ask the person".into(),
        explanation: "The browser went to Recordgate with this request. There the person logged in and approved, and \
                      came back with a code. The state is the one that was sent, so the answer belongs to this browser."
            .into(),
        request: GuardedText::new(format!("GET {}", by_line(request_url))),
        status: status_line(StatusCode::SEE_OTHER),
        went_well: true,
        answer: GuardedText::new(format!("Location: {}", by_line(callback_url))),
    }
}

/// A message that the app sent itself.
pub(super) fn exchange(diary: &Diary, story: Story, message: &AppRequest, reply: &AppAnswer) -> Exchange {
    let went_well = reply.status.is_success();
    Exchange {
        title: story.title.into(),
        explanation: if went_well { story.well } else { story.ill }.into(),
        request: GuardedText::new(request(diary, message)),
        status: status_line(reply.status),
        went_well,
        answer: GuardedText::new(answer(reply)),
    }
}

fn request(diary: &Diary, message: &AppRequest) -> String {
    let (method, path) = message.method_and_path();
    let mut text = format!("{method} {path}\nHost: {}\n", diary.service_host());
    for (name, value) in message.headers() {
        text.push_str(&format!("{name}: {value}\n"));
    }
    if let AppRequest::Token(parameters) = message {
        let pairs: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={}", value.reveal())).collect();
        text.push_str(&format!("\n{}", pairs.join("\n&")));
    }
    text
}

fn answer(reply: &AppAnswer) -> String {
    let mut text = String::new();
    for name in SHOWN {
        if let Some(value) = reply.headers.get(name).and_then(|value| value.to_str().ok()) {
            text.push_str(&format!("{name}: {value}\n"));
        }
    }
    text.push('\n');
    text.push_str(&content(reply));
    text
}

fn content(reply: &AppAnswer) -> String {
    if reply.media_type() == PDF {
        return format!("(a PDF of {} bytes)", reply.body.len());
    }
    let pretty = serde_json::from_slice::<Value>(&reply.body).and_then(|value| serde_json::to_string_pretty(&value));
    pretty.unwrap_or_else(|_| String::from_utf8_lossy(&reply.body).into_owned())
}

/// A URL with one query parameter a line.
fn by_line(url: &str) -> String {
    url.replacen('?', "\n?", 1).replace('&', "\n&")
}

fn status_line(status: StatusCode) -> String {
    format!("{} {}", status.as_u16(), status.canonical_reason().unwrap_or_default())
}
