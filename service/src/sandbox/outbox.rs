//! `/sandbox/outbox`: the mail that a sandbox would have sent. `serve` has no such route.

use crate::app::mail::letter::{self, Letter};
use crate::app::trouble::During;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::views::recovery::{OutboxMail, OutboxPage};
use crate::views::{GuardedText, TimeText, navigation};
use crate::voices::page::{self, PageStop};
use axum::http::StatusCode;
use axum::response::Response;
use store::accounts::mails;

pub async fn show(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let app = &call.app;
    let (base_url, now) = (&app.settings.base_url, app.clock.now());
    let shown = mails::shown(&app.store).await.during("listing the outbox")?;
    let mails = shown.into_iter().map(|mail| {
        let purpose = mail.kind.link();
        let link = mail.link.as_ref().filter(|link| !now.is_past(link.expires_at));
        let link = purpose.zip(link).and_then(|(purpose, link)| letter::address(&app.keys, base_url, purpose, link));
        let letter = Letter::new(mail.kind, base_url, link.as_deref());
        OutboxMail {
            to: mail.address,
            subject: letter.subject,
            at: TimeText::new(mail.at, &app.settings.time_zone),
            paragraphs: letter.text.split("\r\n\r\n").map(|text| text.trim().to_owned()).collect(),
            is_over: purpose.is_some() && link.is_none(),
            link: link.map(GuardedText::new),
        }
    });
    let page = OutboxPage { frame: page::frame(app, navigation::SIGNED_OUT, ""), mails: mails.collect() };
    Ok(page::html(StatusCode::OK, &page))
}
