//! `GET /fhir/metadata`: the CapabilityStatement, open to everyone. It says what is there and where to get a token; and to who has
//! one, by which further parameters one may search.

use crate::app::representation::Representation;
use crate::app::{App, Settings};
use crate::callers::api::FhirReader;
use crate::callers::requirement::{Anyone, Requirement};
use crate::fhir::media;
use crate::fhir::operations::catalogue;
use crate::fhir::read::answer;
use crate::fhir::read::options::ReadOptions;
use crate::fhir::search::query_string::{MODE, Query};
use crate::http::call::Call;
use crate::http::origin;
use crate::interactions::search::own_parameters;
use crate::voices::api::{ApiStop, FHIR_JSON};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use fhir::parameters::canonical::canonical;
use fhir::parameters::kind::Kind;
use fhir::parameters::membership::COMPARTMENTS;
use fhir::parameters::parameter::Parameter;
use fhir::parameters::table;
use fhir::search::reading::OwnParameter;
use fhir::types::{self, ResourceType};
use rules::answers::Refusal;
use rules::guidance::served::{Interaction, Served};
use serde_json::{Value, json};
use store::index::own_parameters::Filling;

/// The day on which what this statement says last changed.
const DATE: &str = "2026-11-18";
/// What is said of a parameter that is none of HL7's.
const OWN_PARAMETER: &str = "Defined by a SearchParameter of this server.";
/// The same while its index is being made.
const BEING_INDEXED: &str = "Defined by a SearchParameter of this server, and still being indexed. Until then it is asked of the \
    resources themselves: beside a patient, a date or a code it is quick. Not behind a chain or _has, nor to sort by, nor as a \
    condition of a write.";
/// The same where there will be none.
const NOT_INDEXED: &str = "Defined by a SearchParameter of this server, and not indexed: it is asked of the resources themselves. \
    Not behind a chain or _has, nor to sort by, nor as a condition of a write.";
const OAUTH_URIS: &str = "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris";
/// What a server says that exports as Bulk Data Access has it.
const BULK_DATA: &str = "http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data";
/// As `Content-Type` names them.
const PATCH_FORMATS: [&str; 3] =
    ["application/json-patch+json", "application/merge-patch+json", "application/fhir+json"];
const SECURITY: &str = "Bearer tokens of the endpoints below. A System Client acts for one organisation at a time, and names it in the \
    header X-Org-Public-Id (the organisation's UUID) of every request but this one: without it 400, and 403 where the organisation \
    has not granted the client access. Other clients need no such header.";
const SECURITY_SERVICE: &str = "http://terminology.hl7.org/CodeSystem/restful-security-service";

/// What is told to who has a token may be kept by the caller alone, and is asked after each time: somebody may have defined another
/// search parameter.
const KEPT: HeaderValue = HeaderValue::from_static("private, no-cache");
/// What everybody may read changes with a release only; short enough that a release is noticed.
const KEPT_BY_ALL: HeaderValue = HeaderValue::from_static("public, max-age=300");
/// What is told to one caller is not what is told to another.
const VARIES: HeaderValue = HeaderValue::from_static("accept-encoding, authorization");

/// A user's own parameter, and how far it is indexed.
type Own = (OwnParameter, Filling);

pub async fn read(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    if !call.head.headers.contains_key(header::AUTHORIZATION) {
        origin::wait_for_document(&call).await;
    }
    let query = Query::of_statement(call.query())?;
    media::must_take_json(&call.head.headers, query.format())?;
    let options = ReadOptions::of(&query)?;
    match query.get(MODE) {
        // All of a CapabilityStatement is normative.
        None | Some("full" | "normative") => {
            // What organisations define is told to those who may search by it.
            let is_known = FhirReader::of(&call.app, &call.head).await.is_ok();
            let whole = match is_known {
                true => whole(&call.app, call.served).await,
                false => open(&call.app, call.served),
            };
            Ok(match (options.is_plain(), std::str::from_utf8(whole.bytes())) {
                (false, Ok(text)) => answer::json(options.text(ResourceType::CapabilityStatement, text)),
                _ => {
                    let kept = if is_known { KEPT } else { KEPT_BY_ALL };
                    let mut answer = whole.answer(&call.head.headers, FHIR_JSON, kept);
                    answer.headers_mut().insert(header::VARY, VARIES);
                    answer
                }
            })
        }
        Some("terminology") => {
            let text = terminology(&call.app.settings).to_string();
            Ok(answer::json(options.text(ResourceType::TerminologyCapabilities, &text)))
        }
        Some(_) => Err(Refusal::Invalid("mode must be full, normative or terminology".into()).into()),
    }
}

/// The CapabilityStatement as everybody may read it: without what organisations define.
fn open(app: &App, served: &Served) -> Representation {
    app.open_statement.get_or_init(|| Representation::of(statement(&app.settings, served, &[]).to_string())).clone()
}

/// The CapabilityStatement, with the search parameters that are defined at this time.
async fn whole(app: &App, served: &Served) -> Representation {
    let (memory, now) = (&app.capability_statement, app.clock.now());
    if let Some(text) = memory.fresh(now) {
        return text;
    }
    let make = |own: &[Own]| Representation::of(statement(&app.settings, served, own).to_string());
    // Where nobody can look, what was true before is told: a statement is asked for before anything else is.
    let Ok((own, definitions)) = own_parameters::all(app, now).await else {
        return memory.last().unwrap_or_else(|| make(&[]));
    };
    let text = memory.of(&definitions).unwrap_or_else(|| make(&own));
    memory.keep(text.clone(), definitions, now);
    text
}

/// What is served of terminologies: nothing but codes as they are stored.
fn terminology(settings: &Settings) -> Value {
    json!({
        "resourceType": "TerminologyCapabilities",
        "status": "active",
        "date": DATE,
        "kind": "instance",
        "software": { "name": "Recordgate", "version": env!("CARGO_PKG_VERSION") },
        "implementation": { "description": "Recordgate FHIR API", "url": format!("{}/fhir", settings.base_url) },
    })
}

fn statement(settings: &Settings, served: &Served, own: &[Own]) -> Value {
    let base = &settings.base_url;
    let mut statement = json!({
        "resourceType": "CapabilityStatement",
        "status": "active",
        "date": DATE,
        "kind": "instance",
        "instantiates": [BULK_DATA],
        "software": { "name": "Recordgate", "version": env!("CARGO_PKG_VERSION") },
        "implementation": { "description": "Recordgate FHIR API", "url": format!("{base}/fhir") },
        "fhirVersion": "4.0.1",
        "format": ["application/fhir+json", "json"],
        "patchFormat": PATCH_FORMATS,
        "rest": [{
            "mode": "server",
            "security": {
                "cors": true,
                "description": SECURITY,
                "extension": [{
                    "url": OAUTH_URIS,
                    "extension": [
                        { "url": "authorize", "valueUri": format!("{base}/apiAuthorize.action") },
                        { "url": "token", "valueUri": format!("{base}/apiToken.action") },
                        { "url": "revoke", "valueUri": format!("{base}/apiRevoke.action") },
                        { "url": "introspect", "valueUri": format!("{base}/apiIntrospect.action") },
                        { "url": "manage", "valueUri": format!("{base}/connected-apps") },
                    ],
                }],
                "service": [{
                    "coding": [{ "system": SECURITY_SERVICE, "code": "OAuth", "display": "OAuth" }],
                    "text": "OAuth 2.0 bearer tokens",
                }],
            },
            "interaction": interactions(Served::SYSTEM, served),
            "searchParam": parameters_of_all(),
            "compartment": COMPARTMENTS.map(compartment),
            "resource": types::all().filter_map(|of| resource(of, served, own)).collect::<Vec<_>>(),
        }],
    });
    let operations = catalogue::statements(served, Served::SYSTEM);
    if let Some(rest) =
        statement.pointer_mut("/rest/0").and_then(Value::as_object_mut).filter(|_| !operations.is_empty())
    {
        rest.insert("operation".into(), operations.into());
    }
    statement
}

fn own_parameter(((_, own), filling): &Own) -> Value {
    let documentation = match filling {
        Filling::Whole => OWN_PARAMETER,
        Filling::Begun => BEING_INDEXED,
        Filling::Never => NOT_INDEXED,
    };
    json!({ "name": own.code, "type": own.kind.code(), "documentation": documentation })
}

/// HL7's definition of a compartment, which is named as its type is, but for the first letter.
fn compartment(of: ResourceType) -> String {
    let (first, rest) = of.name().split_at_checked(1).unwrap_or_default();
    format!("http://hl7.org/fhir/CompartmentDefinition/{}{rest}", first.to_ascii_lowercase())
}

/// What is served of a type, or of all at once.
fn interactions(name: &str, served: &Served) -> Vec<Value> {
    served.of(name).filter_map(Interaction::code).map(|code| json!({ "code": code })).collect()
}

/// A parameter of HL7's, with its definition where the standard has one.
fn parameter_of(of: ResourceType, parameter: &Parameter) -> Value {
    let mut told = json!({ "name": parameter.code, "type": parameter.kind.code() });
    if let (Some(members), Some(definition)) = (told.as_object_mut(), canonical(of, parameter.code)) {
        members.insert("definition".into(), definition.into());
    }
    told
}

/// The parameters of a search over all types: those that each of them has.
fn parameters_of_all() -> Vec<Value> {
    let Some(first) = types::all().next() else { return Vec::new() };
    let is_common = |parameter: &&Parameter| types::all().all(|of| table::find(of, parameter.code).is_some());
    let common = table::of(first).iter().filter(is_common).map(|parameter| parameter_of(first, parameter));
    let named = json!({ "name": "_type", "type": Kind::Token.code(), "documentation": "The types that are searched." });
    common.chain([named]).collect()
}

/// What refers to a type by name. References that may be to any type are so many that only the star stands for them.
fn reverse_includes(of: ResourceType) -> Value {
    let sources = types::all().flat_map(|source| table::of(source).iter().map(move |parameter| (source, parameter)));
    let referring =
        sources.filter(|(_, parameter)| parameter.kind == Kind::Reference && parameter.targets.contains(&of));
    let named = referring.map(|(source, parameter)| format!("{}:{}", source.name(), parameter.code));
    ["*".to_owned()].into_iter().chain(named).collect()
}

/// What is served of a type, by the list of routes that serves it.
fn resource(resource_type: ResourceType, served: &Served, own: &[Own]) -> Option<Value> {
    let name = resource_type.name();
    let codes = interactions(name, served);
    // FHIR has no empty arrays.
    if codes.is_empty() {
        return None;
    }
    let has = |interaction| served.has(interaction, name);
    let mut resource = json!({
        "type": name,
        "interaction": codes,
        "versioning": if has(Interaction::Update) { "versioned-update" } else { "versioned" },
        "readHistory": has(Interaction::History),
        "conditionalRead": if has(Interaction::Read) { "full-support" } else { "not-supported" },
        "updateCreate": has(Interaction::Update),
        "conditionalCreate": has(Interaction::ConditionalCreate),
        "conditionalUpdate": has(Interaction::ConditionalUpdate),
        "conditionalDelete": if has(Interaction::ConditionalDelete) { "single" } else { "not-supported" },
    });
    let members = resource.as_object_mut()?;
    if has(Interaction::Search) {
        let parameters = table::of(resource_type).iter();
        let references = parameters.clone().filter(|parameter| parameter.kind == Kind::Reference);
        let includes = references.map(|reference| format!("{name}:{}", reference.code));
        let of_table = |parameter: &Parameter| parameter_of(resource_type, parameter);
        let own = own.iter().filter(|((of, _), _)| *of == resource_type);
        let indexed = own.clone().filter(|((_, own), _)| own.is_indexed() && own.kind == Kind::Reference);
        let includes = includes.chain(indexed.map(|((_, own), _)| format!("{name}:{}", own.code)));
        members.insert("searchInclude".into(), ["*".to_owned()].into_iter().chain(includes).collect());
        members.insert("searchRevInclude".into(), reverse_includes(resource_type));
        members.insert("searchParam".into(), parameters.map(of_table).chain(own.map(own_parameter)).collect());
    }
    let operations = catalogue::statements(served, name);
    if !operations.is_empty() {
        members.insert("operation".into(), operations.into());
    }
    Some(resource)
}
