//! What every page is made of: its frame, guarded text, and moments.

use crate::formats::when;
use rules::moment::Moment;
use std::fmt;

/// Text that a page must carry but that no log may: a refresh token, a sealed form value.
#[derive(Clone, Default)]
pub struct Guarded(String);

impl Guarded {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// For templates only: the text as the reader's browser needs it.
    pub fn shown(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[guarded]")
    }
}

/// A moment, once for people and once for machines (`<time datetime>`).
#[derive(Debug, Clone)]
pub struct TimeText {
    pub text: String,
    pub iso: String,
}

impl From<Moment> for TimeText {
    fn from(moment: Moment) -> Self {
        Self { text: when::day_and_time(moment), iso: when::rfc3339(moment) }
    }
}

/// What the layout around every page needs to know.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub sandbox: bool,
    pub signed_in_as: Option<String>,
    /// Sealed form value of the sign-out button; without it there is no button.
    pub sign_out_form: Option<Guarded>,
}
