//! National ids: which identifier systems are a country's, and what people call them.

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

/// Identifier system, name, countries (ISO 3166).
const SYSTEMS: &[(&str, &str, &[&str])] = &[
    ("https://fhir.nhs.uk/Id/nhs-number", "NHS number", &["GB-ENG", "GB-WLS"]),
    ("urn:oid:2.16.840.1.113883.2.1.3.2.4.16.53", "CHI number", &["GB-SCT"]),
    ("urn:uuid:1479257a-ce8f-482a-89fa-429ac066c158", "Health and Care number", &["GB-NIR"]),
    ("http://ns.electronichealth.net.au/id/hi/ihi/1.0", "Individual Health Identifier", &["IE"]),
    ("http://hl7.org/fhir/sid/us-ssn", "Social Security number", &["US"]),
    ("https://fhir.infoway-inforoute.ca/NamingSystem/ca-social-insurance-number", "Social Insurance number", &["CA"]),
    ("http://fhir.patientsknowbest.com/id/hong-kong-identity-card-number", "Hong Kong identity card number", &["HK"]),
    ("http://fhir.nl/fhir/NamingSystem/bsn", "Burgerservicenummer", &["NL"]),
    ("http://fhir.de/NamingSystem/gkv/kvnr-30", "Krankenversichertennummer", &["DE"]),
    ("http://fhir.patientsknowbest.com/id/kuwait-civil-id", "Kuwait civil ID", &["KW"]),
];

/// The national ids among the identifiers of a Patient.
pub(super) fn among(identifiers: &[Value]) -> Vec<NationalId> {
    let known = |identifier: &Value| {
        let system = identifier.get("system")?.as_str()?;
        let (_, name, country_codes) = SYSTEMS.iter().find(|(known, ..)| *known == system)?;
        Some(NationalId { value: identifier.get("value")?.as_str()?.into(), name, country_codes })
    };
    identifiers.iter().filter_map(known).collect()
}
