//! Which representation a request wants and which it sends: FHIR's JSON, and nothing else.

use crate::formats::accept::{self, AcceptItem};
use axum::http::{HeaderMap, header};
use rules::answers::Refusal;
use rules::params::shown;

const FHIR_JSON: &str = "application/fhir+json";
/// What a body of FHIR may be called.
const JSON: [&str; 2] = [FHIR_JSON, "application/json"];
/// What `_format` may say. A plus sign that was not encoded arrives as a space.
const FORMATS: [&str; 5] = [FHIR_JSON, "application/fhir json", "application/json", "text/json", "json"];
/// The only version of FHIR here, as the parameter `fhirVersion` of a media type names it.
const FHIR_VERSION: &str = "4.0";

/// Refuses a request whose `_format`, or else whose `Accept`, leaves no room for FHIR's JSON.
pub(super) fn must_take_json(headers: &HeaderMap, format: Option<&str>) -> Result<(), Refusal> {
    let takes = match format.map(AcceptItem::of) {
        Some(format) => FORMATS.iter().any(|known| format.is(known)) && is_of_version(format),
        None => accepts_json(headers),
    };
    takes
        .then_some(())
        .ok_or_else(|| not_taken(format.map_or_else(|| asked(headers), |format| format!("_format {}", shown(format)))))
}

/// What `Accept` asks for, as it can be told again.
fn asked(headers: &HeaderMap) -> String {
    let all: Vec<&str> = accept::members(headers, header::ACCEPT).collect();
    format!("Accept {}", shown(&all.join(", ")))
}

/// By what `Accept` says of FHIR's JSON itself, then of JSON, then of all; whoever says nothing takes it. A range of another
/// version of FHIR is not about ours.
fn accepts_json(headers: &HeaderMap) -> bool {
    let takes = |name| accept::takes(accepted(headers).filter(|range| is_of_version(*range)), name);
    let is_json = || takes("application/json").filter(|is_taken| *is_taken);
    let is_any = || takes("application/*").or_else(|| takes("*/*"));
    takes(FHIR_JSON).or_else(is_json).or_else(is_any).unwrap_or_else(|| accepted(headers).next().is_none())
}

const fn not_taken(asked: String) -> Refusal {
    Refusal::NotAcceptable("answers are application/fhir+json, of fhirVersion 4.0; there is no XML", asked)
}

/// The names of the lines of JSON that an export gives. A plus sign that was not encoded arrives as a space.
const LINES: [&str; 4] = ["application/fhir+ndjson", "application/fhir ndjson", "application/ndjson", "ndjson"];

/// Whether `_outputFormat` asks for lines of JSON.
pub(super) fn is_lines(format: &str) -> bool {
    LINES.iter().any(|known| AcceptItem::of(format).is(known))
}

/// Refuses a request whose `Accept` leaves no room for lines of JSON. Whoever takes JSON takes a line of it.
pub(super) fn must_take_lines(headers: &HeaderMap) -> Result<(), Refusal> {
    let refusal = || Refusal::NotAcceptable("the files of an export are application/fhir+ndjson", asked(headers));
    match LINES.iter().find_map(|known| accept::takes(accepted(headers), known)) {
        Some(is_taken) => is_taken.then_some(()).ok_or_else(refusal),
        None => must_take_json(headers, None).map_err(|_| refusal()),
    }
}

/// Whether `Prefer` asks for the answer to come later.
pub(super) fn prefers_async(headers: &HeaderMap) -> bool {
    preferences(headers).any(|preference| preference.eq_ignore_ascii_case("respond-async"))
}

/// Refuses an answer of any other version of FHIR.
pub(super) fn must_be_of_version(version: Option<&str>) -> Result<(), Refusal> {
    match version {
        Some(other) if other != FHIR_VERSION => Err(not_taken(format!("fhirVersion {}", shown(other)))),
        _ => Ok(()),
    }
}

/// Whether a media type is of our version of FHIR, or says nothing of it.
fn is_of_version(media_type: AcceptItem<'_>) -> bool {
    media_type.parameter("fhirVersion").all(|version| version == FHIR_VERSION)
}

/// Refuses a body of another version of FHIR.
pub(super) fn must_send_version(headers: &HeaderMap) -> Result<(), Refusal> {
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    is_of_version(AcceptItem::of(sent))
        .then_some(())
        .ok_or(Refusal::UnsupportedMediaType("send resources of fhirVersion 4.0"))
}

/// Whether a request for a Binary wants the resource, not the content in it.
pub(super) fn wants_resource(headers: &HeaderMap, format: Option<&str>) -> bool {
    format.is_some() || accept::takes(accepted(headers), FHIR_JSON) == Some(true)
}

/// Refuses a body that does not say it is FHIR's JSON.
pub(super) fn must_send_json(headers: &HeaderMap) -> Result<(), Refusal> {
    must_send_version(headers)?;
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(AcceptItem::of);
    let known = sent.is_some_and(|sent| JSON.iter().any(|json| sent.is(json)));
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
    let sent = all
        .next()
        .and_then(|value| value.to_str().ok())
        .map(str::trim)
        .filter(|sent| AcceptItem::of(sent).name().contains('/'));
    let Some(sent) = sent.filter(|_| all.next().is_none()) else {
        return Err(Refusal::UnsupportedMediaType(
            "say in one Content-Type what the content is, for example application/pdf",
        ));
    };
    let is = |known: &str| AcceptItem::of(sent).is(known);
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

fn accepted(headers: &HeaderMap) -> impl Iterator<Item = AcceptItem<'_>> {
    accept::items(headers, header::ACCEPT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (header::ACCEPT, value.parse().unwrap())).collect()
    }

    #[test]
    fn whoever_takes_json_gets_it_and_whoever_refuses_it_does_not() {
        for taken in [
            &[][..],
            &[""],
            &["application/fhir+json"],
            &["APPLICATION/JSON"],
            &["Application/FHIR+JSON; FhirVersion=4.0"],
            &["text/html", "application/*;q=0.1"],
            &["application/fhir+xml, */*;q=0.5"],
            &["application/json;q=0, */*"],
            &["*/*;q=0, application/fhir+json"],
            &["application/fhir+json;fhirVersion=3.0, application/fhir+json;fhirVersion=4.0"],
            &["application/fhir+json;fhirVersion=3.0;q=0", "*/*"],
        ] {
            assert!(must_take_json(&headers(taken), None).is_ok(), "{taken:?}");
        }
        for refused in [
            &["application/fhir+json;q=0"][..],
            &["application/fhir+json;q=0, */*"],
            &["*/*", "application/FHIR+json; Q=0.0"],
            &["*/*;q=0"],
            &["application/*;q=0, */*"],
            &["application/json;q=0"],
            &["text/html", "application/fhir+xml"],
            &["application/fhir+json;fhirVersion=3.0"],
        ] {
            assert!(must_take_json(&headers(refused), None).is_err(), "{refused:?}");
        }
    }

    #[test]
    fn a_binary_is_given_as_the_resource_to_those_who_ask_for_that() {
        for (accept, is_resource) in [
            ("Application/Fhir+Json", true),
            ("*/*, application/fhir+json;q=0.1", true),
            ("application/fhir+json;q=0, */*", false),
            ("application/json", false),
            ("*/*", false),
        ] {
            assert_eq!(wants_resource(&headers(&[accept]), None), is_resource, "{accept}");
        }
    }

    #[test]
    fn the_files_of_an_export_are_taken_by_their_names_or_as_json() {
        for (accept, is_taken) in [
            ("APPLICATION/FHIR+NDJSON", true),
            ("application/json", true),
            ("*/*", true),
            ("application/fhir+ndjson;q=0, */*", false),
            ("text/csv", false),
        ] {
            assert_eq!(must_take_lines(&headers(&[accept])).is_ok(), is_taken, "{accept}");
        }
    }
}
