//! `/record/journal/new` and `/record/journal/{id}`: a patient writes an entry of the journal, changes it or removes it.

use super::own_items::{self, OwnKind};
use super::record_sections::RecordSection;
use super::typed_form::{JsonBody, MemberFault, TypedForm, field, label, when};
use crate::callers::people::RecordSignIn;
use crate::formats::clinical_date;
use crate::formats::zone::Zone;
use crate::http::call::Call;
use crate::views::record_form::{FieldKind, FormField};
use crate::voices::page::PageStop;
use axum::response::Response;
use rules::labels::DEFAULT_LABEL;
use rules::limits::TEXT_CHARACTERS;
use rules::params::TEXT_FIELD;
use views::item::PrivacyLabel;
use views::kinds::journal::JournalEntry;
use views::view::Shown;

const TITLE_CHARACTERS: usize = 200;

impl OwnKind for JournalEntry {
    const SECTION: RecordSection = RecordSection::Journal;
    const NOUN: &'static str = "entry";
    const FIELDS: &'static [&'static str] = &[TEXT_FIELD, "title", "date", "time", "label"];
    const FAULTS: &'static [MemberFault] = &[
        ("text", TEXT_FIELD, "Write something, in plain text."),
        ("title", "title", "Write the title in plain text."),
        ("date", "date", "Give a day that there is, and a time as in 07:30, or none."),
        ("privacyLabel", "label", "Choose one of the labels."),
    ];

    fn typed(shown: &Shown<Self>, zone: &Zone) -> TypedForm {
        let Shown { item, view } = shown;
        let (day, clock) = view.date.as_ref().map(|date| clinical_date::fields(&date.0, zone)).unwrap_or_default();
        TypedForm::default()
            .with("title", view.title.as_deref().unwrap_or_default())
            .with(TEXT_FIELD, view.words.as_deref().unwrap_or_default())
            .with("date", &day)
            .with("time", &clock)
            .with("label", item.privacy_label.map_or("", PrivacyLabel::word))
    }

    fn words(_: &TypedForm, is_new: bool) -> (String, String) {
        match is_new {
            true => (
                "Write into your journal".into(),
                "It becomes a part of your record, and says that you wrote it.".into(),
            ),
            false => ("Change this entry".into(), "What you change here changes for everybody who sees it.".into()),
        }
    }

    fn fields(typed: &TypedForm) -> (Vec<FormField>, Vec<(&'static str, String)>) {
        let title = field(typed, "title", "Title, if you like", FieldKind::Line("text", TITLE_CHARACTERS));
        let text = field(typed, TEXT_FIELD, "What do you want to note?", FieldKind::Text(TEXT_CHARACTERS));
        let [day, clock] = when(typed);
        (vec![title, FormField { is_required: true, ..text }, day, clock, label(typed)], Vec::new())
    }

    fn body(typed: &TypedForm, was: Option<&Self>, zone: &Zone) -> JsonBody {
        let kept = was.and_then(|was| was.date.as_ref());
        let is_kept =
            |date: &str| clinical_date::fields(date, zone) == (typed.get("date").into(), typed.get("time").into());
        let date = match kept.filter(|date| is_kept(&date.0)) {
            Some(date) => date.0.clone(),
            None => clinical_date::of_fields(typed.get("date"), typed.get("time"), zone),
        };
        let attachments: Vec<String> = was.map(|was| was.attachments.clone()).unwrap_or_default();
        JsonBody::default()
            .text("title", typed.get("title"))
            .text("text", typed.get(TEXT_FIELD))
            .text("date", &date)
            .text("privacyLabel", typed.get("label"))
            .value("attachments", &attachments.into())
    }
}

/// `GET /record/journal/new`.
pub async fn show_new(account: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let today = call.app.settings.time_zone.date(account.person.now);
    let typed = TypedForm::default().with("date", &today).with("label", DEFAULT_LABEL.code());
    let page = own_items::show_new::<JournalEntry>(&account, &call, &typed);
    account.person.keep(&call.app, Ok(page))
}

/// `POST /record/journal/new`.
pub async fn add(account: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    own_items::add::<JournalEntry>(account, call).await
}

/// `GET /record/journal/{id}`.
pub async fn show(account: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    own_items::show::<JournalEntry>(account, call).await
}

/// `POST /record/journal/{id}`.
pub async fn change(account: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    own_items::change::<JournalEntry>(account, call).await
}
