//! Systems of identifiers that the service knows by name: those of countries, and its own.

/// An identifier system of a country: its URI, what people call the number, and where it is used (ISO 3166).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NationalSystem {
    pub uri: &'static str,
    pub name: &'static str,
    /// As a path of the custom REST API names it.
    pub word: &'static str,
    pub countries: &'static [&'static str],
}

const fn national(
    uri: &'static str,
    (name, word): (&'static str, &'static str),
    countries: &'static [&'static str],
) -> NationalSystem {
    NationalSystem { uri, name, word, countries }
}

/// Every one of them; those of the United Kingdom are first.
pub const NATIONAL: [NationalSystem; 10] = [
    national("https://fhir.nhs.uk/Id/nhs-number", ("NHS number", "NHS_NUMBER"), &["GB-ENG", "GB-WLS"]),
    national("urn:oid:2.16.840.1.113883.2.1.3.2.4.16.53", ("CHI number", "CHI_NUMBER"), &["GB-SCT"]),
    national("urn:uuid:1479257a-ce8f-482a-89fa-429ac066c158", ("Health and Care number", "HC_NUMBER"), &["GB-NIR"]),
    national(
        "http://ns.electronichealth.net.au/id/hi/ihi/1.0",
        ("Individual Health Identifier", "INDIVIDUAL_HEALTH_IDENTIFIER"),
        &["IE"],
    ),
    national("http://hl7.org/fhir/sid/us-ssn", ("Social Security number", "SOCIAL_SECURITY_NUMBER"), &["US"]),
    national(
        "https://fhir.infoway-inforoute.ca/NamingSystem/ca-social-insurance-number",
        ("Social Insurance number", "SOCIAL_INSURANCE_NUMBER"),
        &["CA"],
    ),
    national(
        "http://fhir.patientsknowbest.com/id/hong-kong-identity-card-number",
        ("Hong Kong identity card number", "HONG_KONG_IDENTITY_CARD_NUMBER"),
        &["HK"],
    ),
    national("http://fhir.nl/fhir/NamingSystem/bsn", ("Burgerservicenummer", "BURGERSERVICENUMMER"), &["NL"]),
    national(
        "http://fhir.de/NamingSystem/gkv/kvnr-30",
        ("Krankenversichertennummer", "KRANKENVERSICHERTENNUMMER"),
        &["DE"],
    ),
    national("http://fhir.patientsknowbest.com/id/kuwait-civil-id", ("Kuwait civil ID", "KUWAIT_CIVIL_ID"), &["KW"]),
];

/// The systems under which the id of a Patient is an identifier.
pub const PUBLIC_ID: [&str; 2] =
    ["http://fhir.patientsknowbest.com/id/public-id", "urn:uuid:cd97da65-0aa4-43a6-b695-cfd0c6f3267d"];

/// Whether a system is one of the United Kingdom's.
#[must_use]
pub fn is_british(uri: &str) -> bool {
    NATIONAL.iter().any(|system| system.uri == uri && system.countries.iter().all(|country| country.starts_with("GB-")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_systems_are_the_united_kingdoms() {
        let british = NATIONAL.iter().filter(|system| is_british(system.uri)).map(|system| system.name);
        assert_eq!(british.collect::<Vec<_>>(), ["NHS number", "CHI number", "Health and Care number"]);
        assert!(!is_british("urn:x"));
    }
}
