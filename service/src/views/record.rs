//! What the pages of a record show, to its patient or to a team's clinician: its sections with what is newest in each, and one section with its items.

use super::chart::Chart;
use super::everyone::Link;
use super::frame::{Frame, GuardedText, TimeText};
use crate::formats::clinical_date;
use crate::formats::zone::Zone;
use askama::Template;

/// `/record`: every section, and the newest few of each.
#[derive(Debug, Template)]
#[template(path = "record.html")]
pub struct RecordPage {
    pub frame: Frame,
    /// Whose record it is, where it is not the reader's own.
    pub whose: Option<RecordBanner>,
    /// What comes first in the reader's own.
    pub news: Option<RecordNews>,
    pub sections: Vec<RecordSectionText>,
}

/// What a patient looks for first: what is to come, and what they have not read.
#[derive(Clone, Debug)]
pub struct RecordNews {
    /// Appointments to come, the next one first.
    pub appointments: Vec<RecordEntry>,
    /// Letters that were not opened, the newest first.
    pub letters: Vec<RecordEntry>,
    /// Conversations with something new.
    pub conversations: Vec<ConversationRow>,
}

/// Whose record a clinician reads for a team, and what the team sees of it. It depends on the consent alone.
#[derive(Clone, Debug)]
pub struct RecordBanner {
    pub name: String,
    pub born: Option<DateText>,
    pub numbers: Vec<String>,
    pub team: String,
    /// To the team's patients.
    pub back: String,
    pub sees: String,
    /// To the apps that can be opened for this patient, if there are any.
    pub apps: Option<String>,
    /// Until when the record is open in an emergency.
    pub until: Option<TimeText>,
    /// To the page by which more is seen in an emergency, where the team may.
    pub emergency: Option<String>,
    /// Where the emergency look is ended.
    pub end: Option<(String, GuardedText)>,
}

#[derive(Clone, Debug)]
pub struct RecordSectionText {
    pub id: &'static str,
    pub heading: &'static str,
    pub newest: Vec<RecordEntry>,
    /// To the whole section.
    pub way: Link,
}

/// `/record/{section}`: the items of one section, or those of one of its kinds over time.
#[derive(Debug, Template)]
#[template(path = "record_section.html")]
pub struct RecordSectionPage {
    pub frame: Frame,
    /// Whose record it is, where it is not the reader's own.
    pub whose: Option<RecordBanner>,
    pub heading: String,
    /// Back to where this is a part of.
    pub back: Link,
    pub notice: Option<&'static str>,
    /// To the form by which the reader adds one.
    pub addition: Option<Link>,
    pub chart: Option<Chart>,
    pub entries: Vec<RecordEntry>,
    pub older: Option<String>,
}

/// One item of a record, in words.
#[derive(Clone, Debug)]
pub struct RecordEntry {
    pub title: String,
    pub value: Option<String>,
    /// When it was so, as precise as the record has it.
    pub date: Option<DateText>,
    pub details: Vec<EntryDetail>,
    /// Who wrote it.
    pub by: String,
    /// Under which privacy label it is.
    pub label: &'static str,
    /// To its own page, where it has one.
    pub way: Option<Link>,
    /// To the same over time, where there is such a thing.
    pub over_time: Option<String>,
}

/// A conversation of a list.
#[derive(Clone, Debug)]
pub struct ConversationRow {
    pub href: String,
    pub subject: String,
    /// Who takes part beside the reader.
    pub with: String,
    pub newest: Option<DateText>,
    /// How many of its messages the reader has not read.
    pub unread: i64,
}

/// A clinical date, for people and for machines.
#[derive(Clone, Debug)]
pub struct DateText {
    pub text: String,
    pub iso: String,
}

impl DateText {
    /// A date or a moment as FHIR writes it, as the clocks of the zone show it.
    #[must_use]
    pub fn new(iso: String, zone: &Zone) -> Self {
        Self { text: clinical_date::text(&iso, zone), iso }
    }
}

#[derive(Clone, Debug)]
pub struct EntryDetail {
    pub name: &'static str,
    pub text: String,
}
