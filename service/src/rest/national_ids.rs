//! National ids: those of a Patient's identifiers that are of a country's system, with what people call them.

use fhir::identifier_systems::NATIONAL;
use serde::Serialize;
use serde_json::Value;

/// A national id as the custom REST API says it.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NationalId {
    pub value: String,
    pub name: &'static str,
    pub country_codes: &'static [&'static str],
}

/// The national ids among the identifiers of a Patient.
pub(super) fn among(identifiers: &[Value]) -> Vec<NationalId> {
    let known = |identifier: &Value| {
        let system = identifier.get("system")?.as_str()?;
        let known = NATIONAL.iter().find(|known| known.uri == system)?;
        let value = identifier.get("value")?.as_str()?.into();
        Some(NationalId { value, name: known.name, country_codes: known.countries })
    };
    identifiers.iter().filter_map(known).collect()
}
