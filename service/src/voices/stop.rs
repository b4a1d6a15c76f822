//! What a handler gives instead of an answer, and the voice of the route in which it is said.

use crate::app::App;
use axum::http::Method;
use axum::response::Response;
use std::convert::Infallible;

/// In which voice a route speaks; also how its requests are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    Token,
    Authorization,
    Fhir,
    Rest,
    Page,
    Health,
    Discovery,
}

impl Voice {
    /// The label of the metrics.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Authorization => "authorize",
            Self::Fhir => "fhir",
            Self::Rest => "rest",
            Self::Page => "pages",
            Self::Health => "health",
            Self::Discovery => "discovery",
        }
    }
}

impl Voice {
    /// Whether pages of other origins may call what speaks in it: it is meant for programs and heeds no cookie. A row of the
    /// list of routes may be stricter.
    #[must_use]
    pub const fn is_open(self) -> bool {
        match self {
            Self::Token | Self::Fhir | Self::Rest | Self::Discovery => true,
            Self::Authorization | Self::Page | Self::Health => false,
        }
    }
}

/// Where a handler stopped: all that is needed to say why.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    pub app: &'a App,
    pub voice: Voice,
    pub method: &'a Method,
    /// As the route has it, with its free parts named.
    pub path: &'static str,
}

/// A refusal, or trouble. Trouble is logged where it is said.
pub trait Stop: Send {
    fn say(self: Box<Self>, at: &Situation<'_>) -> Response;

    /// Whether it is ours, so that whoever is still sending is to hear of it and try again.
    fn is_trouble(&self) -> bool {
        false
    }
}

impl Stop for Infallible {
    fn say(self: Box<Self>, _: &Situation<'_>) -> Response {
        match *self {}
    }
}
