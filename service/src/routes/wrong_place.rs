//! What a program hears that asks for the APIs where they are not: in JSON, and where they are.

use crate::formats::accept;
use crate::voices::stop::Voice;
use axum::http::{HeaderMap, header};
use fhir::types;
use rules::answers::Refusal;

/// Last parts of the paths at which other services have their token endpoint.
const TOKEN_ENDPOINTS: [&str; 2] = ["token", "access_token"];

/// In which voice a request outside of all paths is refused, and how, if it is one of a program that asks for JSON.
pub(super) fn refusal(base_url: &str, path: &str, headers: &HeaderMap) -> Option<(Voice, Refusal)> {
    let takes = |name: &str| accept::takes(accept::items(headers, header::ACCEPT), name) == Some(true);
    let is_of_fhir = takes("application/fhir+json");
    if takes("text/html") || !(is_of_fhir || takes("application/json")) {
        return None;
    }
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or_default();
    let is_token = TOKEN_ENDPOINTS.contains(&parts.next_back().unwrap_or(first));
    let fhir = format!("the FHIR API is at {base_url}/fhir, and {base_url}/fhir/metadata says what it has");
    let (voice, words) = if is_token {
        let discovery = format!("{base_url}/.well-known/oauth-authorization-server");
        (Voice::Token, format!("the token endpoint is {base_url}/apiToken.action; {discovery} names all endpoints"))
    } else if is_of_fhir || types::named(first).is_some() || first == "metadata" {
        (if is_of_fhir { Voice::Fhir } else { Voice::Rest }, fhir)
    } else {
        (
            Voice::Rest,
            format!("{fhir}; the custom REST API is at {base_url}/json, and {base_url}/openapi.json describes it"),
        )
    };
    Some((voice, Refusal::NotFound(format!("there is nothing at this path; {words}"))))
}
