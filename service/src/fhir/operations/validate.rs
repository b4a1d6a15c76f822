//! `POST /fhir/{type}/$validate` and `…/{type}/{id}/$validate`: what is wrong with a resource that is sent, or that is stored.
//! Nothing is stored, and whatever is found the answer is 200: it is what was asked for.

use crate::app::App;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::operations::catalogue::VALIDATE;
use crate::fhir::operations::invocation::{Invocation, is_parameters};
use crate::fhir::operations::verdict::{self, Mode, Subject};
use crate::fhir::read::answer;
use crate::fhir::{body, media};
use crate::http::call::Call;
use crate::interactions::read;
use crate::interactions::write::authority;
use crate::preparation::{SHAPE, base};
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::json::{Node, read};
use fhir::strict;
use fhir::structure::Profile;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::params::shown;
use store::write::resource_write::Demand;

/// What is asked: of which text, in view of what.
struct Question {
    resource: Option<String>,
    mode: Option<Mode>,
    profile: Option<&'static Profile>,
}

pub async fn of_type(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let question = question(&caller, resource_type, call).await?;
    let (app, Question { resource, mode, profile }) = question;
    if let Some(mode @ (Mode::Update | Mode::Delete)) = mode {
        let words = format!("mode {} is about one that is there: ask {{type}}/{{id}}/$validate", mode.word());
        return Err(Refusal::Invalid(words).into());
    }
    let resource = resource.ok_or_else(|| Refusal::Invalid("send the resource to validate".into()))?;
    examine(&app, &caller, Subject { resource_type, id: None, mode, profile }, resource).await
}

pub async fn of_instance(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let id = answer::id(resource_type, &call)?.into_owned();
    let (app, Question { resource, mode, profile }) = question(&caller, resource_type, call).await?;
    if mode == Some(Mode::Create) {
        return Err(Refusal::Invalid("mode create is about one that is not there: ask {type}/$validate".into()).into());
    }
    let subject = Subject { resource_type, id: Some(id), mode, profile };
    match resource.filter(|_| mode != Some(Mode::Delete)) {
        Some(resource) => examine(&app, &caller, subject, resource).await,
        None => of_stored(&app, &caller, subject).await,
    }
}

/// What is wrong with what is there, or with its deletion.
async fn of_stored(app: &App, caller: &Caller, subject: Subject) -> Result<Response, ApiStop> {
    let id = subject.id.as_deref().unwrap_or_default();
    let found = read::resource(app, caller, subject.resource_type, id).await?;
    let text = if subject.mode == Some(Mode::Delete) { String::new() } else { found.body.clone() };
    examine(app, caller, subject, text).await
}

async fn examine(app: &App, caller: &Caller, subject: Subject, text: String) -> Result<Response, ApiStop> {
    let mut found = Vec::new();
    if subject.mode.is_some()
        && let Err(refusal) = authority::must_not_be_the_ledgers(subject.resource_type)
    {
        found.push(verdict::refused(&refusal));
    } else if let Some(Mode::Create | Mode::Update) = subject.mode
        && let Err(refusal) = authority::must_not_promise(subject.resource_type)
    {
        found.push(verdict::refused(&refusal));
    } else if let (Some(Mode::Update | Mode::Delete), Some(id)) = (subject.mode, &subject.id) {
        match authority::of_existing(app, caller, (subject.resource_type, id), Demand::Nothing).await {
            Err(ApiStop::Refusal(refusal @ Refusal::OtherSource)) => found.push(verdict::refused(&refusal)),
            other => drop(other?),
        }
    }
    if subject.mode != Some(Mode::Delete) {
        let base = base(&app.settings.base_url);
        found.extend(app.workers.run(caller.taker(), text.len(), move || verdict::of(&text, &subject, &base)).await?);
    }
    Ok(answer::json(verdict::outcome(found)))
}

/// What the URL and the body ask. A body that is no Parameters is the resource itself.
async fn question(
    caller: &Caller,
    resource_type: ResourceType,
    call: Call,
) -> Result<(crate::app::Shared, Question), ApiStop> {
    let Call { app, head, body, .. } = call;
    let mut asked = Invocation::of_query(&VALIDATE, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let sent = body::bytes(&app, body).await?;
    let mut resource = None;
    if !sent.is_empty() {
        media::must_send_json(&head.headers)?;
        let text = body::as_text(sent)?;
        let length = text.len();
        let apart = move || apart(asked, resource_type, text);
        (asked, resource) = app.workers.run(caller.taker(), length, apart).await??;
    }
    let asked = asked.checked()?;
    if let Some(inside) = asked.resource("resource")? {
        resource = Some(inside.to_owned());
    }
    let mode = asked.text("mode")?.map(mode).transpose()?;
    let profile = asked.text("profile")?;
    if mode == Some(Mode::Profile) && profile.is_none() {
        return Err(Refusal::Invalid("mode profile needs a profile".into()).into());
    }
    let profile = profile.map(|url| verdict::profile(url, resource_type)).transpose()?.flatten();
    Ok((app, Question { resource, mode, profile }))
}

/// What a body says of the question, or the resource that it is.
fn apart(
    asked: Invocation,
    resource_type: ResourceType,
    text: String,
) -> Result<(Invocation, Option<String>), Refusal> {
    match is_about_another(resource_type, &text) {
        true => Ok((asked.and_body(&text)?, None)),
        false => Ok((asked, Some(text))),
    }
}

/// Whether a body is a Parameters that carries what to validate; one at `Parameters/$validate` may be that itself.
fn is_about_another(resource_type: ResourceType, text: &str) -> bool {
    let Ok(compact) = strict::compact(text, SHAPE) else { return false };
    let Some(body) = read(&compact).filter(is_parameters) else { return false };
    let carries = |parameter: &Node<'_>| parameter.get("name").and_then(Node::text) == Some("resource");
    let parameters = body.get("parameter").map(Node::items).unwrap_or_default();
    resource_type != ResourceType::Parameters || parameters.iter().any(carries)
}

fn mode(word: &str) -> Result<Mode, Refusal> {
    Mode::named(word).ok_or_else(|| {
        let known = Mode::ALL.map(Mode::word).join(", ");
        Refusal::Invalid(format!("mode {} is not known; known are: {known}", shown(word)))
    })
}
