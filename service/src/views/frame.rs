//! What every page is made of: its frame, guarded text, and moments.

use super::navigation::NavigationLink;
use crate::formats::when;
use crate::formats::zone::Zone;
use rules::moment::Moment;
use std::fmt;

/// Text that a page must carry but that no log may: a refresh token, a sealed form value.
#[derive(Clone, Default)]
pub struct GuardedText(String);

impl GuardedText {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// For templates only: the text as the reader's browser needs it.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for GuardedText {
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

impl TimeText {
    /// Day and time, as the clocks of the zone show them.
    #[must_use]
    pub fn new(moment: Moment, zone: &Zone) -> Self {
        Self { text: zone.day_and_time(moment), iso: when::rfc3339(moment) }
    }

    /// The time alone, where the day is told above it.
    #[must_use]
    pub fn of_day(moment: Moment, zone: &Zone) -> Self {
        Self { text: zone.time(moment), iso: when::rfc3339(moment) }
    }
}

/// What the layout around every page needs to know.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub sandbox: bool,
    pub signed_in_as: Option<String>,
    /// Sealed form value of the sign-out button; without it there is no button.
    pub sign_out_form: Option<GuardedText>,
    pub navigation: Vec<NavigationLink>,
}
