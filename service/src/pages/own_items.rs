//! What a patient writes into the own record on our pages, and corrects or removes again: what the form says is sent as an app would
//! send it, and the interactions that take it decide.

use super::record_sections::RecordSection;
use super::record_words::{RecordPlace, is_own};
use super::typed_form::{self, JsonBody, MemberFault, TypedForm};
use super::{record, refusals, sharing};
use crate::app::App;
use crate::callers::caller::Caller;
use crate::callers::people::RecordSignIn;
use crate::callers::sign_in::SignIn;
use crate::formats::zone::Zone;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::items::kind::ItemKind;
use crate::interactions::items::{creation, one, record as records, removal, update};
use crate::views::Link;
use crate::views::password::FieldProblem;
use crate::views::record_form::{FilledForm, FormField, RecordFormPage, RemovalForm};
use crate::voices::api::ApiStop;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::rest_errors::RestError;
use serde_json::Value;
use views::sent;
use views::view::Shown;

const VERSION: &str = "version";

/// A kind of item that a patient writes on a page.
pub(super) trait OwnKind: ItemKind {
    const SECTION: RecordSection;
    /// As a sentence names one.
    const NOUN: &'static str;
    /// The fields of its form; the first is where a fault is told that has no field of its own.
    const FIELDS: &'static [&'static str];
    const FAULTS: &'static [MemberFault];

    /// What the form of one that is there is filled in with.
    fn typed(shown: &Shown<Self>, zone: &Zone) -> TypedForm;

    /// What the page is called, and what it says first.
    fn words(typed: &TypedForm, is_new: bool) -> (String, String);

    /// The fields, and what the form brings back unchanged.
    fn fields(typed: &TypedForm) -> (Vec<FormField>, Vec<(&'static str, String)>);

    /// What was typed, as an app would send it. What the form does not show stays as it was.
    fn body(typed: &TypedForm, was: Option<&Self>, zone: &Zone) -> JsonBody;
}

/// What a form is about, and what was wrong with the last try.
#[derive(Default)]
struct FormState {
    /// The item that is there, and its version.
    there: Option<(String, i64)>,
    problems: Vec<FieldProblem>,
}

/// Where the items of a kind are.
fn path<K: OwnKind>() -> String {
    format!("{}/{}", record::PATH, K::SECTION.word())
}

fn add_purpose<K: OwnKind>() -> String {
    format!("add-{}", K::SECTION.word())
}

/// A form changes or removes the one item that it was made for.
fn change_purpose<K: OwnKind>(id: &str) -> String {
    format!("change-{} {id}", K::SECTION.word())
}

/// The form for a new one.
pub(super) fn show_new<K: OwnKind>(account: &RecordSignIn, call: &Call, typed: &TypedForm) -> Response {
    form::<K>(&call.app, &account.person, typed, FormState::default())
}

/// Adds one.
pub(super) async fn add<K: OwnKind>(
    RecordSignIn { person, caller }: RecordSignIn,
    call: Call,
) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let adding = async {
        let params = person.own_long_form(&app, &head.headers, body, &add_purpose::<K>()).await?;
        let typed = TypedForm::of(&params, K::FIELDS);
        let body = K::body(&typed, None, &app.settings.time_zone);
        let once = typed_form::once(params.get(forms::FIELD).unwrap_or_default(), &body);
        match made::<K>(&app, &caller, &body.text("externalId", &once).print()).await {
            Ok(()) => Ok(page::see_other(&format!("{}?done=added", path::<K>()))),
            Err(stop) => {
                let state = FormState { problems: problems::<K>(stop)?, ..FormState::default() };
                Ok(form::<K>(&app, &person, &typed, state))
            }
        }
    };
    let answer = adding.await;
    person.keep(&app, answer)
}

async fn made<K: OwnKind>(app: &App, caller: &Caller, text: &str) -> Result<(), ApiStop> {
    let sent = sent::one::<K>(text, K::demand)?;
    let own = records::own(caller)?;
    creation::create(app, caller, &own, (&[sent], &[])).await?;
    Ok(())
}

/// The form of one that is there.
pub(super) async fn show<K: OwnKind>(
    RecordSignIn { person, caller }: RecordSignIn,
    call: Call,
) -> Result<Response, PageStop> {
    let app = &call.app;
    let id = call.part("id").unwrap_or_default();
    let showing = async {
        let shown = own::<K>(app, &caller, &id).await?;
        let typed = K::typed(&shown, &app.settings.time_zone);
        let there = Some((shown.item.id.clone(), shown.item.version));
        Ok(form::<K>(app, &person, &typed, FormState { there, ..FormState::default() }))
    };
    let answer = showing.await;
    person.keep(app, answer)
}

/// Corrects or removes one.
pub(super) async fn change<K: OwnKind>(
    RecordSignIn { person, caller }: RecordSignIn,
    call: Call,
) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let changing = async {
        let params = person.own_long_form(&app, &head.headers, body, &change_purpose::<K>(&id)).await?;
        let done = |what| Ok(page::see_other(&format!("{}?done={what}", path::<K>())));
        if params.get("decision") == Some("remove") {
            removal::delete::<K>(&app, &caller, &id).await.map_err(beyond_mending)?;
            return done("removed");
        }
        let version: i64 =
            params.get(VERSION).and_then(|version| version.parse().ok()).ok_or_else(Problem::stale_form)?;
        let typed = TypedForm::of(&params, K::FIELDS);
        let is_so = |shown: &Shown<K>| K::typed(shown, &app.settings.time_zone) == typed;
        let shown = own::<K>(&app, &caller, &id).await?;
        // Sent twice, or nothing changed: what is wanted is so.
        if is_so(&shown) {
            return done("changed");
        }
        let body = K::body(&typed, Some(&shown.view), &app.settings.time_zone);
        match written::<K>(&app, &caller, &id, &body.value(VERSION, &Value::from(version)).print()).await {
            Ok(()) => done("changed"),
            Err(ApiStop::Rest(RestError::OtherVersion { current, .. })) => {
                let text = format!(
                    "This {} was changed after you opened this page. Send it again if yours is right.",
                    K::NOUN
                );
                let state = FormState { there: Some((id.clone(), current)), problems: vec![first::<K>(text)] };
                Ok(form::<K>(&app, &person, &typed, state))
            }
            Err(stop) => {
                let state = FormState { there: Some((id.clone(), version)), problems: problems::<K>(stop)? };
                Ok(form::<K>(&app, &person, &typed, state))
            }
        }
    };
    let answer = changing.await;
    person.keep(&app, answer)
}

async fn written<K: OwnKind>(app: &App, caller: &Caller, id: &str, text: &str) -> Result<(), ApiStop> {
    let sent = sent::one::<K>(text, K::demand)?;
    update::update(app, caller, id, &sent).await?;
    Ok(())
}

/// The item of this id, if the patient wrote it.
async fn own<K: OwnKind>(app: &App, caller: &Caller, id: &str) -> Result<Shown<K>, PageStop> {
    let shown = one::read::<K>(app, caller, id).await.map_err(refusals::unread)?;
    let own = sharing::own(caller)?;
    let place = RecordPlace { record: &own, base: record::PATH, is_own: true };
    match is_own(place, &shown.item) {
        true => Ok(shown),
        false => Err(beyond_mending(RestError::NotSource.into())),
    }
}

fn beyond_mending(stop: ApiStop) -> PageStop {
    match refusals::unwritten(stop) {
        Ok(wrong) => Problem::new(409, "Not done", wrong, "Go back and try again.").into(),
        Err(stop) => stop,
    }
}

fn first<K: OwnKind>(text: String) -> FieldProblem {
    FieldProblem { text, field: K::FIELDS.first().copied().unwrap_or_default() }
}

/// What is wrong, field by field.
fn problems<K: OwnKind>(stop: ApiStop) -> Result<Vec<FieldProblem>, PageStop> {
    let told = match &stop {
        ApiStop::Rest(error) => typed_form::problems(error, K::FAULTS),
        _ => Vec::new(),
    };
    if told.is_empty() { Ok(vec![first::<K>(refusals::unwritten(stop)?)]) } else { Ok(told) }
}

fn form<K: OwnKind>(app: &App, person: &SignIn, typed: &TypedForm, state: FormState) -> Response {
    let FormState { there, mut problems } = state;
    let status = if problems.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let (heading, lead) = K::words(typed, there.is_none());
    let (fields, mut kept) = K::fields(typed);
    // What is wrong with a field that this form does not have is told at its first, and one fault a field.
    let mut told: Vec<&str> = Vec::new();
    problems.retain_mut(|problem| {
        if !fields.iter().any(|field| field.name == problem.field) {
            problem.field = fields.first().map_or(problem.field, |field| field.name);
        }
        let is_new = !told.contains(&problem.field);
        told.push(problem.field);
        is_new
    });
    let (action, purpose, button) = match &there {
        Some((id, version)) => {
            kept.push((VERSION, version.to_string()));
            (format!("{}/{id}", path::<K>()), change_purpose::<K>(id), "Save")
        }
        None => (format!("{}/new", path::<K>()), add_purpose::<K>(), "Add"),
    };
    let removal =
        there.map(|_| RemovalForm { action: action.clone(), sealed: person.form(app, &purpose), noun: K::NOUN });
    let sealed = Some(person.form(app, &purpose));
    let page = RecordFormPage {
        frame: person.frame(app, record::PATH),
        back: Link { href: path::<K>(), text: K::SECTION.heading().into() },
        heading,
        lead,
        form: FilledForm { method: "post", action, sealed, kept, fields, problems, button },
        removal,
    };
    page::html(status, &page)
}
