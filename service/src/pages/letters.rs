//! `/record/letters/{id}`: what is known of a letter before it is opened, and `/record/attachments/{id}`: a file, which is always kept
//! and never shown by us, because anybody may have written it. Opening it tells the sender, by the same way as an app does.

use super::record_sections::RecordSection;
use super::record_words::{RecordPlace, document_type, written_by};
use super::{record, refusals, sharing};
use crate::app::App;
use crate::callers::caller::Caller;
use crate::callers::people::RecordSignIn;
use crate::documents::content::ContentRecipient;
use crate::http::call::Call;
use crate::interactions::items::one;
use crate::interactions::opened_attachment;
use crate::views::Link;
use crate::views::letter::{LetterFile, LetterOpening, LetterPage};
use crate::views::record::{DateText, EntryDetail};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::reference;
use rules::labels::Label;
use views::elements::attachment::Attachment;
use views::kinds::document::Document;
use views::view::Shown;

/// `GET /record/letters/{id}`.
pub async fn show(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let app = &call.app;
    let id = call.part("id").unwrap_or_default();
    let showing = async {
        let own = sharing::own(&caller)?;
        let place = RecordPlace { record: &own, base: record::PATH, is_own: true };
        let page = letter(app, &caller, place, &id).await?;
        Ok(page::html(StatusCode::OK, &LetterPage { frame: person.frame(app, record::PATH), ..page }))
    };
    let answer = showing.await;
    person.keep(app, answer)
}

/// `GET /record/attachments/{id}`: of a letter, a message, a plan or the journal.
pub async fn give(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, .. } = call;
    let answer = file(ContentRecipient { app: &app, taker: caller.taker(), head: &head }, &caller, &id).await;
    person.keep(&app, answer)
}

/// A file on its way, with the headers that keep a browser from running it here.
pub(super) async fn file(to: ContentRecipient<'_>, caller: &Caller, id: &str) -> Result<Response, PageStop> {
    if !reference::is_id(id) {
        return Err(Problem::not_found().into());
    }
    let opened = opened_attachment::open(to, caller, id).await.map_err(refusals::unread)?;
    Ok(opened.ok_or_else(Problem::not_found)?.answer())
}

/// The letter of this id in this record.
pub(super) async fn found(
    app: &App,
    caller: &Caller,
    place: RecordPlace<'_>,
    id: &str,
) -> Result<Shown<Document>, PageStop> {
    let shown = one::read::<Document>(app, caller, id).await.map_err(refusals::unread)?;
    Ok(Some(shown).filter(|shown| shown.item.patient_id == place.record.patient).ok_or_else(Problem::not_found)?)
}

/// The page of the letter of this id.
pub(super) async fn letter(
    app: &App,
    caller: &Caller,
    place: RecordPlace<'_>,
    id: &str,
) -> Result<LetterPage, PageStop> {
    let Shown { item, view } = found(app, caller, place, id).await?;
    let date = |iso: Option<String>| iso.map(|iso| DateText::new(iso, &app.settings.time_zone));
    let (read_at, until) = (date(view.read_at.0.clone()), date(view.hidden_until.0.clone()));
    let opening = match (read_at, until) {
        (_, Some(until)) => LetterOpening::HeldBack(until),
        (Some(read_at), None) => LetterOpening::Opened(read_at),
        (None, None) => LetterOpening::Unopened,
    };
    let label = item.privacy_label.and_then(|label| Label::named(label.word()));
    let author = view.author.0.as_ref().and_then(|author| author.name.clone());
    let by = written_by(place, &item);
    let details = [
        ("Sent by", Some(by.clone())),
        ("Written by", author.filter(|author| *author != by)),
        ("Kind", Some(document_type(&view))),
        ("Privacy label", Some(label.map_or("No privacy label", Label::words).to_owned())),
    ];
    let section = RecordSection::Letters;
    // Held back is a content from the patient, who sees that it has come; not from those who treat.
    let is_open = !(place.is_own && matches!(opening, LetterOpening::HeldBack(_)));
    Ok(LetterPage {
        frame: Default::default(),
        whose: None,
        back: Link { href: section.path(place), text: section.heading().into() },
        title: view.title.clone().unwrap_or_else(|| document_type(&view)),
        date: date(view.date.as_ref().map(|date| date.0.clone())),
        details: details.into_iter().filter_map(|(name, text)| Some(EntryDetail { name, text: text? })).collect(),
        opening,
        is_open,
        files: view.attachments.iter().map(|file| attached(place, id, file)).collect(),
    })
}

fn attached(place: RecordPlace<'_>, letter: &str, file: &Attachment) -> LetterFile {
    let href = match place.is_own {
        true => own_file(file.id()),
        false => format!("{}/{letter}/files/{}", RecordSection::Letters.path(place), file.id()),
    };
    LetterFile { href, name: name(file), about: about(file) }
}

/// Where a patient opens a file of the own record.
pub(super) fn own_file(id: &str) -> String {
    format!("{}/attachments/{id}", record::PATH)
}

/// What a file is called.
pub(super) fn name(file: &Attachment) -> String {
    let named = file.0.name.0.clone().filter(|name| !name.trim().is_empty());
    named.unwrap_or_else(|| "File".into())
}

/// What sort of file it is, and how large.
pub(super) fn about(file: &Attachment) -> String {
    let said = file.0.content_type.0.as_deref().unwrap_or_default();
    let essence = said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let sort = match essence.as_str() {
        "application/pdf" => "PDF",
        "text/plain" => "text",
        "text/html" => "web page",
        _ if essence.starts_with("image/") => "picture",
        _ => "file",
    };
    let size = file.0.size.0.as_ref().and_then(|size| size.digits().parse::<u64>().ok());
    size.map_or_else(|| sort.to_owned(), |size| format!("{sort}, {}", bytes(size)))
}

fn bytes(size: u64) -> String {
    match size {
        0..1000 => format!("{size} bytes"),
        1000..1_000_000 => format!("{} KB", size / 1000),
        _ => format!("{} MB", size / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use views::elements::attachment::AttachmentMembers;
    use views::members::made::Made;

    #[test]
    fn a_file_says_what_it_is_and_how_large() {
        let told = |content_type: Option<&str>, size: Option<i64>| {
            about(&Attachment(AttachmentMembers {
                content_type: Made(content_type.map(String::from)),
                size: Made(size.map(Into::into)),
                ..AttachmentMembers::default()
            }))
        };
        assert_eq!(told(Some("application/pdf"), Some(48_213)), "PDF, 48 KB");
        assert_eq!(told(Some("Text/HTML; charset=utf-8"), Some(7)), "web page, 7 bytes");
        assert_eq!(told(Some("image/svg+xml"), Some(3_000_000)), "picture, 3 MB");
        assert_eq!(told(None, None), "file");
    }
}
