//! What a session with scopes of SMART may call: for each operation the scopes that it needs, of the types that it maps to. What is
//! not in the table is closed to such sessions.

use crate::callers::caller::Caller;
use crate::voices::stop::Voice;
use axum::http::Method;
use rules::answers::Refusal;
use rules::smart::permissions::{ItemInteraction, Permissions};

/// What an operation needs of a session's scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    /// What the types need that the request names: the operation asks for itself. Or nothing, because it tells nothing of records.
    ByRequest,
    /// These permissions of each of these types.
    Of(&'static [&'static str], Permissions),
    /// It is not for such sessions.
    Closed,
}

const R: Permissions = Permissions::of(ItemInteraction::Read);
const RS: Permissions = Permissions::READ;
const C: Permissions = Permissions::of(ItemInteraction::Create);
const U: Permissions = Permissions::of(ItemInteraction::Update);

/// The FHIR API, by what comes behind `/fhir`. `$status-query`, invitations, `$date-of-last-data-point`, the glass, `$purview` and
/// `$meta-add` are not in it: what they tell or do is of all types, or is never granted by the way.
const FHIR: [(&str, &str, Needed); 44] = [
    ("POST", "", Needed::ByRequest),
    ("GET", "", Needed::ByRequest),
    ("POST", "/_search", Needed::ByRequest),
    ("GET", "/{type}", Needed::ByRequest),
    ("POST", "/{type}/_search", Needed::ByRequest),
    ("GET", "/{type}/{id}/{member}", Needed::ByRequest),
    ("POST", "/{type}/{id}/{member}/_search", Needed::ByRequest),
    ("GET", "/Patient/{id}", Needed::Of(&["Patient"], R)),
    ("GET", "/{type}/{id}", Needed::ByRequest),
    ("GET", "/_history", Needed::ByRequest),
    ("GET", "/{type}/_history", Needed::ByRequest),
    ("GET", "/{type}/{id}/_history", Needed::ByRequest),
    ("GET", "/{type}/{id}/_history/{version}", Needed::ByRequest),
    ("POST", "/{type}", Needed::ByRequest),
    ("PUT", "/{type}/{id}", Needed::ByRequest),
    ("PUT", "/{type}", Needed::ByRequest),
    ("PATCH", "/{type}", Needed::ByRequest),
    ("DELETE", "/{type}", Needed::ByRequest),
    ("PATCH", "/{type}/{id}", Needed::ByRequest),
    ("DELETE", "/{type}/{id}", Needed::ByRequest),
    ("POST", "/{type}/$validate", Needed::ByRequest),
    ("POST", "/{type}/{id}/$validate", Needed::ByRequest),
    ("GET", "/{type}/{id}/$validate", Needed::ByRequest),
    ("GET", "/{type}/$meta", Needed::ByRequest),
    ("GET", "/{type}/{id}/$meta", Needed::ByRequest),
    ("GET", "/Patient/$everything", Needed::Of(&["Patient"], RS)),
    ("GET", "/Patient/{id}/$everything", Needed::Of(&["Patient"], RS)),
    ("POST", "/Patient/{id}/$everything", Needed::Of(&["Patient"], RS)),
    ("GET", "/$export", Needed::ByRequest),
    ("POST", "/$export", Needed::ByRequest),
    ("GET", "/Patient/$export", Needed::ByRequest),
    ("POST", "/Patient/$export", Needed::ByRequest),
    ("GET", "/Group/{id}/$export", Needed::Of(&["Group"], RS)),
    ("POST", "/Group/{id}/$export", Needed::Of(&["Group"], RS)),
    ("GET", "/$export/{id}", Needed::ByRequest),
    ("DELETE", "/$export/{id}", Needed::ByRequest),
    ("GET", "/$export/{id}/{name}", Needed::ByRequest),
    ("GET", "/Observation/$lastn", Needed::Of(&["Observation"], RS)),
    ("POST", "/Patient/$match", Needed::Of(&["Patient"], RS)),
    ("POST", "/Binary", Needed::Of(&["Binary"], C)),
    ("PUT", "/Binary/{id}", Needed::Of(&["Binary"], U)),
    ("GET", "/Binary/{id}", Needed::Of(&["Binary"], R)),
    ("GET", "/Binary/{id}/_history/{version}", Needed::Of(&["Binary"], R)),
    ("POST", "/DocumentReference/$read-receipt-query", Needed::Of(&["DocumentReference"], RS)),
];

/// The custom REST API, by what the path begins with behind its prefix, the longest first: reading needs `rs` of the types, and what is
/// made, changed or deleted `c`, `u` or `d` besides.
const REST: [(&str, &[&str]); 23] = [
    ("/users/{id}/recordAccessToken", &[]),
    ("/users/{id}/deactivate", &[]),
    ("/users", &["Patient"]),
    ("/allergies", &["AllergyIntolerance"]),
    ("/medications", &["MedicationStatement", "MedicationRequest"]),
    ("/diagnoses", &["Condition"]),
    ("/symptoms", &["Observation"]),
    ("/journal", &["Observation"]),
    ("/measurements", &["Observation"]),
    ("/tests", &["Observation", "DiagnosticReport"]),
    ("/attachments", &["Binary"]),
    ("/documents", &["DocumentReference"]),
    ("/conversations", &["Communication"]),
    ("/messages", &["Communication"]),
    ("/appointments", &["Appointment"]),
    ("/treatmentPlans", &["CarePlan"]),
    ("/careplans", &["CarePlan"]),
    ("/consents/BTG", &[]),
    ("/consents", &["Consent"]),
    ("/accessLog", &["AuditEvent"]),
    ("/teams/mine", &["Organization"]),
    ("/teams", &["Patient"]),
    ("/privacyLabels", &[]),
];

/// The scopes that a call needs besides reading, by its method.
fn deed(method: &Method) -> Permissions {
    match *method {
        Method::POST => Permissions::of(ItemInteraction::Create),
        Method::PUT => Permissions::of(ItemInteraction::Update),
        Method::DELETE => Permissions::of(ItemInteraction::Delete),
        _ => Permissions::NONE,
    }
}

/// What a route needs of a session with scopes of SMART.
pub(super) fn needed(method: &Method, voice: Voice, path: &str) -> Needed {
    match voice {
        Voice::Fhir => of_fhir(method, path.strip_prefix("/fhir").unwrap_or(path)),
        Voice::Rest => {
            // Behind `/json`, and behind the word of a version.
            let bare = path.strip_prefix("/json").unwrap_or(path);
            let known = |path: &str| REST.iter().find(|(begins, _)| path.starts_with(begins));
            let behind = bare.get(1..).and_then(|rest| rest.find('/')).and_then(|at| bare.get(at + 1..));
            let types = known(bare).or_else(|| behind.and_then(known)).map_or(&[][..], |(_, types)| types);
            match types {
                [] => Needed::Closed,
                types => Needed::Of(types, Permissions::READ.with(deed(method))),
            }
        }
        _ => Needed::ByRequest,
    }
}

fn of_fhir(method: &Method, path: &str) -> Needed {
    let row = FHIR.iter().find(|(by, of, ..)| *by == method.as_str() && *of == path);
    row.map_or(Needed::Closed, |(.., needed)| *needed)
}

impl Needed {
    /// Refuses a session whose scopes do not cover the operation, and has it see what they open to that.
    pub(super) fn take(self, caller: &mut Caller) -> Result<(), Refusal> {
        match (caller.reach().lens(), self) {
            (None, _) | (_, Self::ByRequest) => Ok(()),
            (Some(_), Self::Closed) => Err(Refusal::OutsideScopes(None)),
            (Some(_), Self::Of(types, needed)) => {
                types.iter().try_for_each(|of| caller.must_be_granted(of, needed))?;
                *caller = caller.aimed_at(needed).into_owned();
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../docs/smart.md");

    #[test]
    fn the_page_has_the_table_of_the_custom_rest_api() {
        let (_, table) = PAGE.split_once("<!-- table: smart-rest -->\n").unwrap_or_default();
        let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).skip(2).collect();
        let told = |(path, types): &(&str, &[&str])| match types {
            [] => format!("| `{path}` | – |"),
            types => format!("| `{path}` | {} |", types.join(", ")),
        };
        assert_eq!(rows, REST.iter().map(told).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_in_no_table_is_closed() {
        for (voice, path) in
            [(Voice::Fhir, "/fhir/$purview"), (Voice::Rest, "/json/v2/notices"), (Voice::Rest, "/json/v9")]
        {
            assert_eq!(needed(&Method::GET, voice, path), Needed::Closed, "{path}");
        }
        let reading = Needed::Of(&["Condition"], Permissions::READ);
        for path in ["/json/diagnoses", "/json/v1/diagnoses/forPatient/{patientId}", "/json/v2-beta/diagnoses/{id}"] {
            assert_eq!(needed(&Method::GET, Voice::Rest, path), reading, "{path}");
        }
    }
}
