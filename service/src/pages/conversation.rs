//! `/record/messages/{id}`: a patient reads one conversation, and answers in it.

use super::conversation_words::{Correspondents, PATH, path, subject};
use super::message_form::{self, PRIVATE, body_of, private, sent_once, text};
use super::typed_form::TypedForm;
use super::{letters, record, refusals, sharing};
use crate::app::App;
use crate::callers::caller::Caller;
use crate::callers::people::RecordSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::messages;
use crate::views::Link;
use crate::views::letter::LetterFile;
use crate::views::messages::{ConversationPage, MessageText};
use crate::views::password::FieldProblem;
use crate::views::record::DateText;
use crate::views::record_form::FilledForm;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use rules::limits::LIST_LINES;
use rules::params::TEXT_FIELD;
use views::elements::attachment::Attachment;
use views::elements::party::Party;
use views::html;
use views::kinds::message::{Message, MessageStatus};
use views::view::Shown;

/// The field that says which message an answer is for.
const ANSWERS: &str = "answers";

/// `GET /record/messages/{id}`. Whoever opens it has read it; to ask for the head alone is not to open it.
pub async fn show(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let app = &call.app;
    let (id, asked) = (call.part("id").unwrap_or_default(), message_form::params(&call));
    let is_opened = call.head.method != Method::HEAD;
    let showing = async {
        let asked = asked?;
        let notice = (asked.get("done") == Some("sent")).then_some("Your message is sent.");
        let state =
            ConversationState { before: asked.get("before"), notice, is_opened, ..ConversationState::default() };
        conversation(app, (&person, &caller), &id, state).await
    };
    let answer = showing.await;
    person.keep(app, answer)
}

/// `POST /record/messages/{id}`.
pub async fn answer(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let answering = async {
        let params = person.own_long_form(&app, &head.headers, body, &answer_purpose(&id)).await?;
        let typed = TypedForm::of(&params, &[TEXT_FIELD, PRIVATE]);
        let own = sharing::own(&caller)?;
        let known = Correspondents::of(&app, &caller, &own).await?;
        let found = messages::conversation(&app, &caller, &id, (None, None)).await.map_err(refusals::unread)?.0;
        let (recipients, answered) = reply_to(&known, &found, params.get(ANSWERS)).ok_or_else(Problem::not_found)?;
        let sealed = params.get(forms::FIELD).unwrap_or_default();
        let body = body_of(&typed, &recipients).text("inReplyTo", &answered.item.id);
        match sent_once((&app, &caller), &own, sealed, body).await {
            Ok(()) => Ok(page::see_other(&format!("{}?done=sent", path(&id)))),
            Err(stop) => {
                let problems = message_form::problems(stop, TEXT_FIELD)?;
                let state = ConversationState { typed: Some(typed), problems, ..ConversationState::default() };
                conversation(&app, (&person, &caller), &id, state).await
            }
        }
    };
    let answer = answering.await;
    person.keep(&app, answer)
}

/// What is shown of a conversation beside its messages.
#[derive(Default)]
struct ConversationState<'s> {
    /// The newest messages before this one, instead of the newest of all.
    before: Option<&'s str>,
    notice: Option<&'static str>,
    /// Whether it is read by this.
    is_opened: bool,
    typed: Option<TypedForm>,
    problems: Vec<FieldProblem>,
}

async fn conversation(
    app: &App,
    (person, caller): (&SignIn, &Caller),
    id: &str,
    state: ConversationState<'_>,
) -> Result<Response, PageStop> {
    let own = sharing::own(caller)?;
    let asked = (LIST_LINES, state.before, state.is_opened);
    let (found, is_more) = messages::open_conversation(app, caller, id, asked).await.map_err(refusals::unread)?;
    let known = Correspondents::of(app, caller, &own).await?;
    let mut others: Vec<&Party> = Vec::new();
    for party in found.iter().flat_map(|one| one.view.sender.0.iter().chain(&one.view.recipients)) {
        if !known.is_reader(party) && !others.iter().any(|known| known.is(party)) {
            others.push(party);
        }
    }
    let said = found.iter().rev().find_map(|one| one.view.subject.as_deref());
    let status = if state.problems.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let earlier = found.first().filter(|_| is_more).map(|first| format!("{}?before={}", path(id), first.item.id));
    let page = ConversationPage {
        frame: person.frame(app, record::PATH),
        notice: state.notice,
        back: Link { href: PATH.into(), text: "Messages".into() },
        subject: subject(said),
        with: known.names(others.into_iter()),
        messages: found.iter().map(|one| message(app, &known, one)).collect(),
        earlier,
        reply: reply_to(&known, &found, None).map(|(recipients, answered)| {
            let usual = TypedForm::default().with(PRIVATE, if answered.view.private { "yes" } else { "" });
            let typed = state.typed.unwrap_or(usual);
            let fields = vec![text(&typed, "Your answer"), private(&typed)];
            let form = FilledForm {
                method: "post",
                action: path(id),
                sealed: Some(person.form(app, &answer_purpose(id))),
                kept: vec![(ANSWERS, answered.item.id.clone())],
                fields,
                problems: state.problems,
                button: "Send",
            };
            (known.names(recipients.iter()), form)
        }),
    };
    Ok(page::html(status, &page))
}

/// A message in the words of a page. HTML that others wrote is shown as its words.
fn message(app: &App, known: &Correspondents<'_>, Shown { view, .. }: &Shown<Message>) -> MessageText {
    let words = view.content.as_deref().unwrap_or_default();
    let file = |file: &Attachment| LetterFile {
        href: letters::own_file(file.id()),
        name: letters::name(file),
        about: letters::about(file),
    };
    let is_draft = view.status == Some(MessageStatus::Draft);
    let about = [
        (is_draft, "A draft: it is not sent"),
        (view.private, "Only you and those who take part can read it"),
        (view.sender.0.as_ref().is_some_and(|party| known.is_reader(party)) && view.first_read.0.is_some(), "Read"),
    ];
    MessageText {
        from: known.names(view.sender.0.iter()),
        to: known.names(view.recipients.iter()),
        sent: view.sent.0.clone().map(|sent| DateText::new(sent, &app.settings.time_zone)),
        text: if view.html { html::words(words) } else { words.to_owned() },
        files: view.attachments.iter().map(file).collect(),
        is_new: view.status == Some(MessageStatus::Unread),
        about: about.into_iter().filter(|(is_so, _)| *is_so).map(|(_, words)| words).collect(),
    }
}

/// To whom an answer goes, which is all who take part, and the message that it answers: the newest, or the one that a form names, so
/// that what is sent twice is the same.
fn reply_to<'m>(
    known: &Correspondents<'_>,
    found: &'m [Shown<Message>],
    named: Option<&str>,
) -> Option<(Vec<Party>, &'m Shown<Message>)> {
    let sent: Vec<&Shown<Message>> = found.iter().filter(|one| one.view.status != Some(MessageStatus::Draft)).collect();
    let last = match named {
        Some(named) => sent.iter().position(|one| one.item.id == named)?,
        None => sent.len().checked_sub(1)?,
    };
    let mut recipients: Vec<Party> = Vec::new();
    for party in sent.iter().take(last + 1).flat_map(|one| one.view.sender.0.iter().chain(&one.view.recipients)) {
        if !known.is_reader(party) && !recipients.iter().any(|known| known.is(party)) {
            recipients.push(known.named(party));
        }
    }
    let answered = sent.get(last).copied()?;
    (!recipients.is_empty()).then_some((recipients, answered))
}

/// A form answers in the one conversation that it was made for.
fn answer_purpose(id: &str) -> String {
    format!("answer {id}")
}
