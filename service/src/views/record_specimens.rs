//! The pages on which a patient reads letters and messages and writes into the own record, filled with sample data, in each of their
//! states, for the tests of the pages.

use super::everyone::Link;
use super::frame::GuardedText;
use super::letter::{LetterFile, LetterOpening, LetterPage};
use super::messages::{ConversationPage, MessageText, MessagesPage};
use super::own_specimens::{entry, frame, record};
use super::password::FieldProblem;
use super::record::{ConversationRow, DateText, EntryDetail, RecordBanner, RecordNews, RecordPage};
use super::record_form::{FieldKind, FieldOption, FilledForm, FormField, RecordFormPage, RemovalForm};
use askama::Template;

pub(super) fn every_page(name: &str) -> Vec<(&'static str, String)> {
    let opened = LetterOpening::Opened(date());
    vec![
        ("record-news", record_with_news(name, 2).render().unwrap()),
        ("record-no-news", record_with_news(name, 0).render().unwrap()),
        ("letter", letter(name, LetterOpening::Unopened, 2).render().unwrap()),
        ("letter-opened", letter(name, opened, 1).render().unwrap()),
        ("letter-held-back", letter(name, LetterOpening::HeldBack(date()), 1).render().unwrap()),
        ("letter-without-files", letter(name, LetterOpening::Unopened, 0).render().unwrap()),
        ("messages", messages(name, 2).render().unwrap()),
        ("messages-none", messages(name, 0).render().unwrap()),
        ("conversation", conversation(name, Some(false)).render().unwrap()),
        ("conversation-refused", conversation(name, Some(true)).render().unwrap()),
        ("conversation-over", conversation(name, None).render().unwrap()),
        ("record-form", record_form(name, (false, false)).render().unwrap()),
        ("record-form-refused", record_form(name, (true, false)).render().unwrap()),
        ("record-form-of-an-item", record_form(name, (false, true)).render().unwrap()),
    ]
}

/// The page of a letter of a patient, as a clinician sees it.
pub(super) fn letter_of(name: &str, whose: RecordBanner) -> LetterPage {
    LetterPage { whose: Some(whose), ..letter(name, LetterOpening::Unopened, 1) }
}

fn date() -> DateText {
    DateText { text: "14 November 2026".into(), iso: "2026-11-14T10:00:00Z".into() }
}

fn row(name: &str) -> ConversationRow {
    ConversationRow {
        href: "/record/messages/x".into(),
        subject: name.into(),
        with: name.into(),
        newest: Some(date()),
        unread: 2,
    }
}

fn record_with_news(name: &str, count: usize) -> RecordPage {
    let news = RecordNews {
        appointments: vec![entry(name); count],
        letters: vec![entry(name); count],
        conversations: vec![row(name); count],
    };
    RecordPage { news: Some(news), ..record(name) }
}

fn file(name: &str) -> LetterFile {
    LetterFile { href: "/record/attachments/x".into(), name: name.into(), about: "PDF, 48 KB".into() }
}

fn letter(name: &str, opening: LetterOpening, files: usize) -> LetterPage {
    LetterPage {
        frame: frame(),
        whose: None,
        back: Link { href: "/record/letters".into(), text: "Letters and documents".into() },
        title: name.into(),
        date: Some(date()),
        details: vec![EntryDetail { name: "Sent by", text: name.into() }],
        is_open: !matches!(opening, LetterOpening::HeldBack(_)),
        opening,
        files: vec![file(name); files],
    }
}

fn messages(name: &str, count: usize) -> MessagesPage {
    MessagesPage {
        frame: frame(),
        conversations: vec![row(name); count],
        older: (count > 0).then(|| "/record/messages?after=5.x".into()),
    }
}

fn conversation(name: &str, answer: Option<bool>) -> ConversationPage {
    let message = MessageText {
        from: name.into(),
        to: name.into(),
        sent: Some(date()),
        text: name.into(),
        files: vec![file(name)],
        is_new: true,
        about: vec!["Read"],
    };
    ConversationPage {
        frame: frame(),
        notice: answer.is_some().then_some("Your message is sent."),
        back: Link { href: "/record/messages".into(), text: "Messages".into() },
        subject: name.into(),
        with: name.into(),
        messages: vec![message; 2],
        earlier: Some("/record/messages/x?before=y".into()),
        reply: answer.map(|is_refused| (name.into(), form(name, is_refused))),
    }
}

fn record_form(name: &str, (is_refused, is_there): (bool, bool)) -> RecordFormPage {
    RecordFormPage {
        frame: frame(),
        back: Link { href: "/record/journal".into(), text: "Journal".into() },
        heading: name.into(),
        lead: "It becomes a part of your record.".into(),
        form: form(name, is_refused),
        removal: is_there.then(|| RemovalForm {
            action: "/record/journal/x".into(),
            sealed: GuardedText::new("sealed-removal"),
            noun: "entry",
        }),
    }
}

/// A form with a field of each kind.
fn form(name: &str, is_refused: bool) -> FilledForm {
    let field = |field, kind| FormField {
        name: field,
        label: "Field".into(),
        hint: Some("As you like.".into()),
        value: name.into(),
        is_required: true,
        kind,
    };
    let option = FieldOption { value: name.into(), text: name.into() };
    let fields = vec![
        field("text", FieldKind::Text(5000)),
        field("value", FieldKind::Number),
        field("date", FieldKind::Line("date", 40)),
        field("label", FieldKind::Choice(vec![option; 2])),
        field("private", FieldKind::Tick),
    ];
    let problems =
        ["text", "value", "date", "label"].map(|field| FieldProblem { text: "That will not do.".into(), field });
    FilledForm {
        method: "post",
        action: "/record/journal/new".into(),
        sealed: Some(GuardedText::new("sealed-form")),
        kept: vec![("of", name.into())],
        fields,
        problems: if is_refused { problems.to_vec() } else { Vec::new() },
        button: "Add",
    }
}
