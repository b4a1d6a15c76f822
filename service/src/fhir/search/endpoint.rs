//! Searching by every parameter of a type, within the caller's reach: `GET /fhir/{type}` and `POST /fhir/{type}/_search`, the same
//! inside of a compartment (`/fhir/Patient/{id}/Observation`, `…/*`), and over several types at once (`GET /fhir?_type=…`).

use crate::app::App;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::read::answer;
use crate::fhir::read::options::ReadOptions;
use crate::fhir::read::request::ReadRequest;
use crate::fhir::search::page_token;
use crate::fhir::search::searchset::{self, Searchset};
use crate::http::call::Call;
use crate::http::encoding;
use crate::http::forms::{self, FormFault};
use crate::interactions::search::context::{self, SearchContext};
use crate::interactions::search::own_parameters;
use crate::interactions::search::page::{self, PageRequest};
use crate::interactions::search::query::{Sent, pairs, parts};
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::FORM_BODY_BYTES;
use rules::params::shown;

const PAGE: &str = "_page";

pub async fn by_query(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let scope = SearchContext::of_type(answer::resource_type(&call)?);
    find(&call.app, &caller, &ReadRequest::of(&call), scope).await
}

/// The same of a type that the path names in full.
pub(crate) async fn of_type(caller: FhirReader, call: Call, of: ResourceType) -> Result<Response, ApiStop> {
    find(&call.app, &caller, &ReadRequest::of(&call), SearchContext::of_type(of)).await
}

/// The same with the parameters in a form; those of the URL count as well.
pub async fn by_form(caller: FhirReader, mut call: Call) -> Result<Response, ApiStop> {
    let sent = form(&mut call).await?;
    let scope = SearchContext::of_type(answer::resource_type(&call)?);
    find_sent(&call.app, &caller, &ReadRequest::of(&call), sent, scope).await
}

pub async fn in_compartment(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let scope = compartment(&call)?;
    find(&call.app, &caller, &ReadRequest::of(&call), scope).await
}

pub async fn in_compartment_by_form(caller: FhirReader, mut call: Call) -> Result<Response, ApiStop> {
    let sent = form(&mut call).await?;
    let scope = compartment(&call)?;
    find_sent(&call.app, &caller, &ReadRequest::of(&call), sent, scope).await
}

pub async fn of_all(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    find(&call.app, &caller, &ReadRequest::of(&call), SearchContext::of_all()).await
}

pub async fn of_all_by_form(caller: FhirReader, mut call: Call) -> Result<Response, ApiStop> {
    let sent = form(&mut call).await?;
    find_sent(&call.app, &caller, &ReadRequest::of(&call), sent, SearchContext::of_all()).await
}

/// The compartment that a path names, and what is looked for in it.
fn compartment(call: &Call) -> Result<SearchContext, Refusal> {
    let of = answer::resource_type(call)?;
    SearchContext::of_compartment(of, &call.part("id").unwrap_or_default(), &call.part("member").unwrap_or_default())
}

/// The parameters of the URL and those of the form.
async fn form(call: &mut Call) -> Result<Vec<Sent>, Refusal> {
    let mut sent = pairs(call.query().unwrap_or_default().as_bytes())?;
    let body = std::mem::take(&mut call.body);
    sent.extend(pairs(&forms::encoded(&call.head.headers, body).await.map_err(refusal)?)?);
    Ok(sent)
}

/// What a search by its query string finds.
pub(crate) async fn find(
    app: &App,
    caller: &Caller,
    request: &ReadRequest<'_>,
    scope: SearchContext,
) -> Result<Response, ApiStop> {
    let sent = pairs(request.query.unwrap_or_default().as_bytes())?;
    find_sent(app, caller, request, sent, scope).await
}

async fn find_sent(
    app: &App,
    caller: &Caller,
    request: &ReadRequest<'_>,
    mut sent: Vec<Sent>,
    scope: SearchContext,
) -> Result<Response, ApiStop> {
    let begins = sent.iter().position(|(name, _)| name == PAGE).map(|at| sent.remove(at).1);
    let is_pretty = request.layout_of(&sent)?;
    let mut scope = scope.narrow(&sent)?;
    let own = own_parameters::named(app, caller, &scope.types, &sent).await?;
    scope.own.clone_from(&own.parameters);
    let ignored = if request.is_lenient() { unknown(&scope, &mut sent) } else { vec![] };
    scope.must_know(&sent)?;
    let (queries, controls) = parts(app, &scope, &sent, caller)?;
    let after = page_token::open_place(&app.keys, &scope.path, begins.as_deref(), &controls.sort)?;
    let asked = PageRequest { queries: &queries, controls: &controls, after, own: &own };
    let page = page::page(app, caller, asked).await?;
    let next = page.next.and_then(|next| page_token::seal_place(&app.keys, &scope.path, &next));
    let fhir = base(&app.settings.base_url);
    let url = format!("{fhir}/{}", scope.path).trim_end_matches('/').to_owned();
    let set = Searchset {
        base: fhir,
        url,
        matches: page.matches,
        included: page.included,
        total: page.total,
        own: link(&sent, begins.as_deref()),
        next: next.map(|next| link(&sent, Some(&next))),
        remarks: remarks(&ignored, page.is_cut),
        options: ReadOptions { is_pretty, summary: controls.summary, elements: controls.elements },
    };
    searchset::respond(app, caller, set).await
}

/// Takes out the parameters that the types do not have, and names them.
fn unknown(scope: &SearchContext, sent: &mut Vec<Sent>) -> Vec<String> {
    let (known, unknown) = std::mem::take(sent).into_iter().partition(|(name, _)| scope.knows(context::code(name)));
    *sent = known;
    let unknown: Vec<Sent> = unknown;
    unknown.into_iter().map(|(name, _)| shown(&name).to_string()).collect()
}

/// What a caller has to know of an answer that is not all that was asked for.
fn remarks(ignored: &[String], is_cut: bool) -> Vec<String> {
    let ignored = ignored.iter().map(|name| format!("the parameter {name} is not known and was ignored"));
    let cut = is_cut.then(|| "there is more to include than one answer may have".to_owned());
    ignored.chain(cut).collect()
}

/// The query again, for a link: as it was answered, but for its page.
pub(crate) fn link(sent: &[Sent], page: Option<&str>) -> String {
    let kept = sent.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    encoding::query(kept.chain(page.map(|page| (PAGE, page))))
}

fn refusal(fault: FormFault) -> Refusal {
    match fault {
        FormFault::NotAForm => {
            Refusal::UnsupportedMediaType("send the parameters with Content-Type: application/x-www-form-urlencoded")
        }
        FormFault::TooLarge => Refusal::TooLarge { most_bytes: FORM_BODY_BYTES },
        FormFault::Broken => Refusal::Invalid("the form broke off".into()),
        FormFault::Unreadable(_) => Refusal::Invalid("the form cannot be read".into()),
    }
}
