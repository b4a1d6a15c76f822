//! One route: method, path, voice, what the caller must be, and the handler.

use super::lens_table;
use crate::app::response_budget::Taker;
use crate::callers::requirement::{Requirement, Who};
use crate::http::call::Call;
use crate::http::{receipt, unpacked};
use crate::reference::inputs;
use crate::reference::listing::{FileBody, Input, Listing, ParameterPlace, Payload, Schema};
use crate::voices::api::ApiStop;
use crate::voices::stop::{Stop, Voice};
use axum::http::{Method, header};
use axum::response::Response;
use fhir::types;
use futures_util::TryFutureExt;
use rules::answers::Refusal;
use std::pin::Pin;
use store::caller_key;

/// An answer on its way with who takes it, or what stops it.
pub(super) type Answer = Pin<Box<dyn Future<Output = Result<(Response, Option<Taker>), Box<dyn Stop>>> + Send>>;

/// One route. `GET` also answers `HEAD`. Any part of its path may be free: `{id}`.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub voice: Voice,
    /// From the type that the handler takes.
    pub who: Who,
    /// Whether it is there in a sandbox only.
    pub sandbox_only: bool,
    /// Whether pages of other origins may call it.
    pub is_open: bool,
    /// What it is for, in a sentence.
    sentence: &'static str,
    inputs: Vec<Input>,
    /// What JSON its body must be, where it takes any.
    body: Option<Schema>,
    file_body: Option<FileBody>,
    payload: Payload,
    statuses: &'static [u16],
    /// The types that a route of every type leaves out.
    pub(super) except: &'static [&'static str],
    pub(super) answer: Box<dyn Fn(Call) -> Answer + Send + Sync>,
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} ({:?})", self.method, self.path, self.who)
    }
}

/// A route that nobody has described yet: only `says` makes it one of the list.
pub(super) struct Draft(Route);

impl Draft {
    /// What it is for, in a sentence.
    pub(super) fn says(mut self, sentence: &'static str) -> Route {
        self.0.sentence = sentence;
        self.0
    }
}

impl Route {
    /// Takes these parameters too.
    pub(super) fn takes(mut self, inputs: &[Input]) -> Self {
        self.inputs.extend(inputs);
        self
    }

    /// Takes a JSON body.
    pub(super) const fn reads(mut self, body: Schema) -> Self {
        self.body = Some(body);
        self
    }

    /// Takes files.
    pub(super) const fn reads_files(mut self, body: FileBody) -> Self {
        self.file_body = Some(body);
        self
    }

    /// What it answers when all is well, if that is not what its voice gives anyway.
    pub(super) const fn gives(mut self, payload: Payload) -> Self {
        self.payload = payload;
        self
    }

    /// Statuses that neither its voice nor its caller explains.
    pub(super) const fn may_answer(mut self, statuses: &'static [u16]) -> Self {
        self.statuses = statuses;
        self
    }

    /// Not for these types, though its path is for every type.
    pub(super) const fn but_not_of(mut self, types: &'static [&'static str]) -> Self {
        self.except = types;
        self
    }

    /// Whether it takes a header of this name.
    pub(super) fn takes_header(&self, name: &str) -> bool {
        self.inputs.iter().any(|input| input.place == ParameterPlace::Header && input.name == name)
    }

    /// Whether it is of every type, and so of the one that this path of the list names.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        let is_type = |name: &str| types::named(name).is_some() && !self.except.contains(&name);
        let same = |(own, other): (&str, &str)| own == other || (own == "{type}" && is_type(other));
        self.path.split('/').count() == path.split('/').count() && self.path.split('/').zip(path.split('/')).all(same)
    }

    /// The route as the documentation lists it.
    #[must_use]
    pub fn listing(&self) -> Listing {
        let free_parts = inputs::PATH.iter().filter(|input| self.path.contains(&format!("{{{}}}", input.name)));
        let organisation = matches!(self.who, Who::FhirReader | Who::FhirWriter | Who::FhirSender | Who::FhirSystem);
        let organisation = organisation.then_some(inputs::ORGANISATION);
        Listing {
            method: self.method.clone(),
            path: self.path,
            voice: self.voice,
            who: self.who,
            sandbox_only: self.sandbox_only,
            sentence: self.sentence,
            inputs: free_parts.chain(&self.inputs).copied().chain(organisation).collect(),
            body: self.body,
            file_body: self.file_body,
            payload: self.payload,
            statuses: self.statuses,
        }
    }

    pub(super) const fn in_sandbox_only(mut self) -> Self {
        self.sandbox_only = true;
        self
    }

    /// Closed to pages of other origins, though its voice is open.
    pub(super) const fn closed_to_other_origins(mut self) -> Self {
        self.is_open = false;
        self
    }
}

/// What answers the calls of a route: a function of a caller that fulfils a requirement, and the call.
pub(super) trait Handler<R>: Copy + Send + Sync + 'static {
    fn answer(self, caller: R, call: Call) -> impl Future<Output = Result<Response, Box<dyn Stop>>> + Send;
}

impl<R, H, F, S> Handler<R> for H
where
    R: Send,
    H: Fn(R, Call) -> F + Copy + Send + Sync + 'static,
    F: Future<Output = Result<Response, S>> + Send,
    S: Stop + 'static,
{
    fn answer(self, caller: R, call: Call) -> impl Future<Output = Result<Response, Box<dyn Stop>>> + Send {
        self(caller, call).map_err(|stop| Box::new(stop) as Box<dyn Stop>)
    }
}

fn route<R: Requirement + 'static>(
    method: Method,
    voice: Voice,
    path: &'static str,
    handler: impl Handler<R>,
) -> Draft {
    let needed = lens_table::needed(&method, voice, path);
    let answer = move |mut call: Call| -> Answer {
        Box::pin(async move {
            let mut caller = match R::of(&call.app, &call.head).await {
                Ok(caller) => caller,
                Err(stop) => {
                    if stop.is_trouble() {
                        // Apart, because few bodies come while the database is away, and every request would have room for it.
                        Box::pin(hear_out(&mut call)).await;
                    }
                    return Err(Box::new(stop) as Box<dyn Stop>);
                }
            };
            if let Some(caller) = caller.caller() {
                needed.take(caller).map_err(|refusal| Box::new(ApiStop::from(refusal)) as Box<dyn Stop>)?;
            }
            let taker = caller.taker();
            if let Some(key) = caller.key() {
                caller_key::note(key);
            }
            if matches!(voice, Voice::Fhir | Voice::Rest) && !unpacked::is_known(&call.head.headers) {
                let refusal =
                    Refusal::UnsupportedMediaType("send the body as it is, or with Content-Encoding: gzip or deflate");
                return Err(Box::new(ApiStop::from(refusal)) as Box<dyn Stop>);
            }
            // Of strangers nothing is taken but forms, which are short.
            let _until_answered = taker.and_then(|taker| receipt::count(&mut call, taker));
            Ok((handler.answer(caller, call).await?, taker))
        })
    };
    Draft(Route {
        payload: usual_payload(voice, &method),
        method,
        path,
        voice,
        who: R::WHO,
        sandbox_only: false,
        is_open: voice.is_open(),
        sentence: "",
        inputs: Vec::new(),
        body: None,
        file_body: None,
        statuses: &[],
        except: &[],
        answer: Box::new(answer),
    })
}

/// Lets a sender finish whom nobody can look up for a moment: otherwise most would hear a connection break, and no reason. Who waits
/// to hear that the body is wanted sends nothing.
async fn hear_out(call: &mut Call) {
    if !call.head.headers.contains_key(header::EXPECT) {
        receipt::read_on(std::mem::take(&mut call.body)).await;
    }
}

/// What a voice gives when all is well. A form of a page ends in a redirect.
fn usual_payload(voice: Voice, method: &Method) -> Payload {
    match voice {
        Voice::Fhir if *method == Method::DELETE => Payload::Nothing,
        Voice::Fhir => Payload::FhirJson,
        Voice::Page if *method == Method::POST => Payload::Nothing,
        Voice::Authorization | Voice::Page => Payload::Html,
        Voice::Token | Voice::Rest | Voice::Discovery => Payload::Json(Schema::EmptyObject),
        Voice::Health => Payload::PlainText,
    }
}

pub(super) fn get<R: Requirement + 'static>(voice: Voice, path: &'static str, handler: impl Handler<R>) -> Draft {
    route(Method::GET, voice, path, handler)
}

pub(super) fn put<R: Requirement + 'static>(voice: Voice, path: &'static str, handler: impl Handler<R>) -> Draft {
    route(Method::PUT, voice, path, handler)
}

pub(super) fn patch<R: Requirement + 'static>(voice: Voice, path: &'static str, handler: impl Handler<R>) -> Draft {
    route(Method::PATCH, voice, path, handler)
}

pub(super) fn delete<R: Requirement + 'static>(voice: Voice, path: &'static str, handler: impl Handler<R>) -> Draft {
    route(Method::DELETE, voice, path, handler)
}

pub(super) fn post<R: Requirement + 'static>(voice: Voice, path: &'static str, handler: impl Handler<R>) -> Draft {
    route(Method::POST, voice, path, handler)
}
