//! Which representation a request wants and which it sends: FHIR's JSON, and nothing else.

use axum::http::{HeaderMap, header};
use rules::answers::Refusal;

const FHIR_JSON: &str = "application/fhir+json";
/// What a body of FHIR may be called.
const JSON: [&str; 2] = [FHIR_JSON, "application/json"];
/// What `_format` may say. A plus sign that was not encoded arrives as a space.
const FORMATS: [&str; 5] = [FHIR_JSON, "application/fhir json", "application/json", "text/json", "json"];
/// The only version of FHIR here, as the parameter `fhirVersion` of a media type names it.
const FHIR_VERSION: &str = "4.0";

/// Refuses a request whose `_format`, or else whose `Accept`, leaves no room for FHIR's JSON.
pub(super) fn must_take_json(headers: &HeaderMap, format: Option<&str>) -> Result<(), Refusal> {
    let is_taken = |range: &str, known: &[&str]| {
        known.iter().any(|known| known.eq_ignore_ascii_case(essence(range))) && is_of_version(range)
    };
    let takes = match format {
        Some(format) => is_taken(format, &FORMATS),
        None => {
            let mut ranges = accepted_ranges(headers).peekable();
            ranges.peek().is_none()
                || ranges.any(|range| is_taken(range, &[FHIR_JSON, "application/json", "application/*", "*/*"]))
        }
    };
    takes.then_some(()).ok_or(NOT_TAKEN)
}

const NOT_TAKEN: Refusal =
    Refusal::NotAcceptable("answers are application/fhir+json, of fhirVersion 4.0; there is no XML");

/// The names of the lines of JSON that an export gives. A plus sign that was not encoded arrives as a space.
const LINES: [&str; 4] = ["application/fhir+ndjson", "application/fhir ndjson", "application/ndjson", "ndjson"];

/// Whether `_outputFormat` asks for lines of JSON.
pub(super) fn is_lines(format: &str) -> bool {
    LINES.iter().any(|known| known.eq_ignore_ascii_case(essence(format)))
}

/// Refuses a request whose `Accept` leaves no room for lines of JSON. Whoever takes JSON takes a line of it.
pub(super) fn must_take_lines(headers: &HeaderMap) -> Result<(), Refusal> {
    match accepted_ranges(headers).any(is_lines) {
        true => Ok(()),
        false => must_take_json(headers, None)
            .map_err(|_| Refusal::NotAcceptable("the files of an export are application/fhir+ndjson")),
    }
}

/// Whether `Prefer` asks for the answer to come later.
pub(super) fn prefers_async(headers: &HeaderMap) -> bool {
    preferences(headers).any(|preference| preference.eq_ignore_ascii_case("respond-async"))
}

/// Refuses an answer of any other version of FHIR.
pub(super) fn must_be_of_version(version: Option<&str>) -> Result<(), Refusal> {
    version.is_none_or(|version| version == FHIR_VERSION).then_some(()).ok_or(NOT_TAKEN)
}

/// Whether a media type is of our version of FHIR, or says nothing of it.
fn is_of_version(media_type: &str) -> bool {
    let named = media_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let mut versions = named.filter(|(name, _)| name.trim().eq_ignore_ascii_case("fhirVersion"));
    versions.all(|(_, version)| version.trim().trim_matches('"') == FHIR_VERSION)
}

/// Refuses a body of another version of FHIR.
pub(super) fn must_send_version(headers: &HeaderMap) -> Result<(), Refusal> {
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    is_of_version(sent).then_some(()).ok_or(Refusal::UnsupportedMediaType("send resources of fhirVersion 4.0"))
}

/// Whether a request for a Binary wants the resource, not the content in it.
pub(super) fn wants_resource(headers: &HeaderMap, format: Option<&str>) -> bool {
    format.is_some() || accepted_ranges(headers).any(|range| essence(range) == FHIR_JSON)
}

/// Refuses a body that does not say it is FHIR's JSON.
pub(super) fn must_send_json(headers: &HeaderMap) -> Result<(), Refusal> {
    must_send_version(headers)?;
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(essence);
    let known = sent.is_some_and(|sent| JSON.iter().any(|json| json.eq_ignore_ascii_case(sent)));
    known.then_some(()).ok_or(Refusal::UnsupportedMediaType("send the body with Content-Type: application/fhir+json"))
}

/// What a body that becomes a Binary is: the resource, or its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SentForm {
    Resource,
    /// JSON that may be either.
    Json(String),
    Content(String),
}

/// What a request sends, by its media type; FHIR's XML is not read.
pub(super) fn of_binary(headers: &HeaderMap) -> Result<SentForm, Refusal> {
    let mut all = headers.get_all(header::CONTENT_TYPE).iter();
    let sent =
        all.next().and_then(|value| value.to_str().ok()).map(str::trim).filter(|sent| essence(sent).contains('/'));
    let Some(sent) = sent.filter(|_| all.next().is_none()) else {
        return Err(Refusal::UnsupportedMediaType(
            "say in one Content-Type what the content is, for example application/pdf",
        ));
    };
    let is = |known: &str| essence(sent).eq_ignore_ascii_case(known);
    match sent {
        _ if is(FHIR_JSON) => must_send_version(headers).map(|()| SentForm::Resource),
        _ if is("application/json") => Ok(SentForm::Json(sent.to_owned())),
        _ if is("application/fhir+xml") => {
            Err(Refusal::UnsupportedMediaType("send a Binary as application/fhir+json, or its content as what it is"))
        }
        _ => Ok(SentForm::Content(sent.to_owned())),
    }
}

/// What a request prefers (`Prefer`), one by one.
pub(super) fn preferences(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let all = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split([',', ';'])).map(str::trim)
}

/// Whether `Prefer` asks to pass over parameters of a search that are not known.
pub(super) fn prefers_lenient(headers: &HeaderMap) -> bool {
    preferences(headers).any(|preference| preference == "handling=lenient")
}

fn accepted_ranges(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let all = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(',')).map(str::trim)
}

/// A media type without its parameters.
fn essence(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or_default().trim()
}
