//! `/record/messages`: a patient sees the conversations of the own record, and begins one with those to whom the record is open.

use super::conversation_words::{Correspondents, PATH, path};
use super::message_form::{self, FIELDS, SUBJECT, TO, body_of, private, sent_once, text};
use super::record::{self, place_of, place_text};
use super::typed_form::{TypedForm, field};
use super::{refusals, sharing};
use crate::app::App;
use crate::callers::people::RecordSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::{encoding, forms};
use crate::interactions::messages;
use crate::views::Link;
use crate::views::messages::MessagesPage;
use crate::views::password::FieldProblem;
use crate::views::record_form::{FieldKind, FieldOption, FilledForm, FormField, RecordFormPage};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::limits::LIST_LINES;
use sha2::{Digest, Sha256};
use views::elements::party::{Party, PartyType};
use views::list::ListQuery;
use views::order::ListKey;

const SUBJECT_CHARACTERS: usize = 200;
const BEGIN: &str = "begin-conversation";

/// `GET /record/messages`.
pub async fn list(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let app = &call.app;
    let after = message_form::params(&call).and_then(|params| match params.get("after") {
        Some(text) => Ok(Some(place_of(text).ok_or_else(Problem::unreadable_address)?)),
        None => Ok(None),
    });
    let listing = async {
        let own = sharing::own(&caller)?;
        let mut query = ListQuery::default();
        query.limit = Some(LIST_LINES);
        let after: Option<ListKey> = after?;
        let found = messages::conversations(app, &caller, &own, (query, after.as_ref())).await;
        let (conversations, next) = found.map_err(refusals::unread)?;
        let known = Correspondents::of(app, &caller, &own).await?;
        let page = MessagesPage {
            frame: person.frame(app, record::PATH),
            conversations: conversations.iter().map(|one| known.row(one, &app.settings.time_zone)).collect(),
            older: next
                .map(|next| format!("{PATH}?{}", encoding::query([("after", place_text(&next).as_str())].into_iter()))),
        };
        Ok(page::html(StatusCode::OK, &page))
    };
    let answer = listing.await;
    person.keep(app, answer)
}

/// `GET /record/messages/new`.
pub async fn show_new(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let app = &call.app;
    let showing = async {
        let own = sharing::own(&caller)?;
        let known = Correspondents::of(app, &caller, &own).await?;
        Ok(new_form(app, &person, &known, (&TypedForm::default(), Vec::new())))
    };
    let answer = showing.await;
    person.keep(app, answer)
}

/// `POST /record/messages/new`.
pub async fn begin(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let beginning = async {
        let params = person.own_long_form(&app, &head.headers, body, BEGIN).await?;
        let typed = TypedForm::of(&params, &FIELDS);
        let own = sharing::own(&caller)?;
        let known = Correspondents::of(&app, &caller, &own).await?;
        let recipients: Vec<Party> = recipient(typed.get(TO)).iter().map(|party| known.named(party)).collect();
        let sealed = params.get(forms::FIELD).unwrap_or_default();
        // By the form, so that what is sent twice is in one conversation.
        let conversation = conversation_of(sealed);
        let body = body_of(&typed, &recipients).text("conversationId", &conversation);
        match sent_once((&app, &caller), &own, sealed, body).await {
            Ok(()) => Ok(page::see_other(&format!("{}?done=sent", path(&conversation)))),
            Err(stop) => Ok(new_form(&app, &person, &known, (&typed, message_form::problems(stop, TO)?))),
        }
    };
    let answer = beginning.await;
    person.keep(&app, answer)
}

fn new_form(
    app: &App,
    person: &SignIn,
    known: &Correspondents<'_>,
    (typed, problems): (&TypedForm, Vec<FieldProblem>),
) -> Response {
    let status = if problems.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let option = |party: &Party| FieldOption {
        value: format!("{}:{}", party.party_type.word(), party.id),
        text: known.names(std::iter::once(party)),
    };
    let nobody = FieldOption { value: String::new(), text: "Choose".into() };
    let options = std::iter::once(nobody).chain(known.open().map(option)).collect();
    let to = field(typed, TO, "To", FieldKind::Choice(options));
    let to = FormField { hint: Some("Everybody with whom you share your record.".into()), is_required: true, ..to };
    let about = field(typed, SUBJECT, "What it is about", FieldKind::Line("text", SUBJECT_CHARACTERS));
    let page = RecordFormPage {
        frame: person.frame(app, record::PATH),
        back: Link { href: PATH.into(), text: "Messages".into() },
        heading: "Write a message".into(),
        lead: "Do not write here in an emergency: nobody may see it in time. What is sent cannot be changed.".into(),
        form: FilledForm {
            method: "post",
            action: format!("{PATH}/new"),
            sealed: Some(person.form(app, BEGIN)),
            kept: Vec::new(),
            fields: vec![to, about, text(typed, "Your message"), private(typed)],
            problems,
            button: "Send",
        },
        removal: None,
    };
    page::html(status, &page)
}

/// Whom a choice of the form names.
fn recipient(chosen: &str) -> Option<Party> {
    let (party_type, id) = chosen.split_once(':')?;
    Some(Party { party_type: PartyType::named(party_type)?, id: id.to_owned(), name: None })
}

/// The conversation that a form begins.
fn conversation_of(sealed: &str) -> String {
    let digest = Sha256::digest(format!("conversation {sealed}"));
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
