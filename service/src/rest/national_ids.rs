//! National ids: those of a Patient's identifiers that are of a country's system, with what people call them.

use crate::formats::json_object::json_object;
use fhir::identifier_systems::NATIONAL;
use serde_json::Value;

json_object! {
    /// A national id as the custom REST API says it.
    #[derive(Debug, PartialEq, Eq)]
    pub(crate) struct NationalId {
        "value" => value: String,
        "name" => name: &'static str,
        "countryCodes" => country_codes: &'static [&'static str],
    }
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
