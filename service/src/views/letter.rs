//! What the page of a letter shows before anything of it is opened.

use super::everyone::Link;
use super::frame::Frame;
use super::record::{DateText, EntryDetail, RecordBanner};
use askama::Template;

/// `/record/letters/{id}`.
#[derive(Debug, Template)]
#[template(path = "letter.html")]
pub struct LetterPage {
    pub frame: Frame,
    /// Whose record it is in, where it is not the reader's own.
    pub whose: Option<RecordBanner>,
    pub back: Link,
    pub title: String,
    pub date: Option<DateText>,
    /// Who wrote it, what it is, under which label.
    pub details: Vec<EntryDetail>,
    pub opening: LetterOpening,
    /// Whether the reader may open it.
    pub is_open: bool,
    pub files: Vec<LetterFile>,
}

/// Whether the patient has opened a letter.
#[derive(Clone, Debug)]
pub enum LetterOpening {
    Unopened,
    Opened(DateText),
    /// Its content is held back from the patient and carers.
    HeldBack(DateText),
}

/// A file that hangs on something.
#[derive(Clone, Debug)]
pub struct LetterFile {
    pub href: String,
    pub name: String,
    /// What sort of file, and how large.
    pub about: String,
}
