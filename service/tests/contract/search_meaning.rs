//! What a search means where R4 leaves it open: the tree that a query is read into, over records in memory.

use fhir::search::evaluation::{Record, evaluate};
use fhir::search::reading::read;
use fhir::types::{self, ResourceType};
use serde_json::{Value, json};

const BASE: &str = "http://records.test/fhir";
/// The beginning of 2021, in microseconds.
const NOW: i64 = 1_609_459_200_000_000;

/// Whether a search finds this one resource.
fn finds(resource: &Value, name: &str, value: &str) -> bool {
    let resource_type = types::named(resource["resourceType"].as_str().unwrap()).unwrap();
    let query = read(resource_type, [(name, value)], BASE, NOW).unwrap_or_else(|faults| panic!("{faults:?}"));
    !evaluate(&query, &[Record::new(resource_type, "own", resource, BASE)]).is_empty()
}

fn hold(resource: &Value, table: &[(&str, &str, bool)]) {
    for (name, value, found) in table {
        assert_eq!(finds(resource, name, value), *found, "{name}={value} of {resource}");
    }
}

// gaps: FHIR, where R4 leaves it open > Time zones
#[test]
fn a_date_without_a_zone_is_that_day_in_utc() {
    let at = |date: &str| json!({ "resourceType": "Observation", "effectiveDateTime": date });
    hold(&at("2020-05-17"), &[("date", "2020-05-17T00:00:00Z", false), ("date", "ge2020-05-17T00:00:00Z", true)]);
    hold(&at("2020-05-17T23:30:00-01:00"), &[("date", "2020-05-18", true), ("date", "2020-05-17", false)]);
    for wrong in ["0000", "0000-01-01", "2020-05-17T23:30:00+14:01", "2020-05-17T23:30:00-14:01"] {
        assert!(read(ResourceType::Observation, [("date", wrong)], BASE, NOW).is_err(), "{wrong}");
    }
}

// gaps: FHIR, where R4 leaves it open > Date and range comparison
#[test]
fn equal_is_inside_unequal_needs_a_value_and_approximate_is_a_tenth_of_the_distance_to_now() {
    let may = json!({ "resourceType": "Observation", "effectiveDateTime": "2020-05" });
    hold(
        &may,
        &[
            ("date", "2020", true),
            ("date", "2020-05-17", false),
            ("date", "ne2020-05-17", true),
            ("date", "ne2020", false),
        ],
    );
    hold(&may, &[("date", "ap2020-06-20", true), ("date", "ap2020-07-15", false)]);
    hold(&json!({ "resourceType": "Observation" }), &[("date", "ne2020", false)]);
    let until = json!({ "resourceType": "Observation", "effectivePeriod": { "end": "2020-05-31" } });
    hold(&until, &[("date", "eb2020-06-01", true), ("date", "lt1900", true), ("date", "gt2020-05", false)]);
}

// gaps: FHIR, where R4 leaves it open > Numbers and quantities
#[test]
fn a_searched_number_is_a_range_by_its_digits_and_a_unit_means_base_units() {
    let quantity = |value: f64| json!({ "value": value, "system": "http://unitsofmeasure.org", "code": "mg" });
    let of = |value: f64| json!({ "resourceType": "Observation", "valueQuantity": quantity(value) });
    hold(&of(99.5), &[("value-quantity", "100", true), ("value-quantity", "100.0", false)]);
    hold(&of(100.5), &[("value-quantity", "100", false), ("value-quantity", "gt100", true)]);
    hold(
        &of(5400.0),
        &[("value-quantity", "5.4||g", true), ("value-quantity", "5.4", false), ("value-quantity", "5400||g", false)],
    );
    let range = json!({ "resourceType": "RiskAssessment",
        "prediction": [{ "probabilityRange": { "low": { "value": 0.2 }, "high": { "value": 0.4 } } }] });
    hold(&range, &[("probability", "0.3", false), ("probability", "gt0.3", true), ("probability", "lt0.3", true)]);
}

// gaps: FHIR, where R4 leaves it open > `:not`
#[test]
fn not_finds_what_has_no_value_and_whoever_is_not_said_to_be_dead_is_not() {
    let patient = json!({ "resourceType": "Patient" });
    hold(&patient, &[("gender:not", "male,female", true), ("deceased", "false", true), ("deceased", "true", false)]);
    hold(&json!({ "resourceType": "Patient", "gender": "male" }), &[("gender:not", "female,male", false)]);
}

// gaps: FHIR, where R4 leaves it open > Strings
#[test]
fn a_text_matches_from_the_start_of_a_part_or_of_the_whole_name() {
    let patient =
        json!({ "resourceType": "Patient", "name": [{ "family": "O'Brien-Müller", "given": ["Zoë", "Ann"] }] });
    hold(&patient, &[("name", "obrien muller", true), ("name", "ZOE ann o", true), ("name", "muller", false)]);
    hold(&patient, &[("name:contains", "MULL", true), ("name:exact", "Zoë", true), ("name:exact", "zoë", false)]);
}

// gaps: FHIR, where R4 leaves it open > Tokens
#[test]
fn a_token_is_compared_byte_for_byte() {
    let patient =
        json!({ "resourceType": "Patient", "gender": "male", "identifier": [{ "system": "urn:s", "value": "aB" }] });
    hold(&patient, &[("identifier", "aB", true), ("identifier", "ab", false), ("identifier", "urn:S|aB", false)]);
    hold(&patient, &[("gender", "http://hl7.org/fhir/administrative-gender|male", true), ("gender", "Male", false)]);
}

// gaps: FHIR, where R4 leaves it open > References
#[test]
fn an_id_alone_is_any_target_and_an_absolute_url_under_our_base_is_the_relative_one() {
    let about = |reference: &str| json!({ "resourceType": "Observation", "subject": { "reference": reference } });
    for ours in ["Patient/1", "http://records.test/fhir/Patient/1"] {
        hold(&about(ours), &[("subject", "1", true), ("subject", "Patient/1", true), ("patient", "1", true)]);
        hold(&about(ours), &[("subject", "http://records.test/fhir/Patient/1", true), ("subject", "Group/1", false)]);
    }
    hold(&about("Group/1"), &[("subject", "1", true), ("patient", "1", false)]);
    hold(
        &about("https://x.example/Patient/1"),
        &[("subject", "1", false), ("subject", "https://x.example/Patient/1", true)],
    );
}

// gaps: FHIR, where R4 leaves it open > `_text` and `_content`
#[test]
fn words_are_whole_and_all_there_in_the_narrative_or_in_any_text() {
    let patient = json!({
        "resourceType": "Patient",
        "id": "walrus",
        "text": { "status": "generated", "div": "<div>Tall woman,<br/>lives in K&#246;ln</div>" },
        "contact": [{ "name": { "text": "O'Hara" } }],
    });
    hold(&patient, &[("_text", "KOLN tall", true), ("_text", "wom", false), ("_text", "tall man", false)]);
    hold(&patient, &[("_text", "man,woman", true), ("_text", "ohara", false), ("_text", "br", false)]);
    hold(&patient, &[("_content", "ohara köln", true), ("_content", "walrus", false), ("_content", "contact", false)]);
    hold(&patient, &[("_text:missing", "false", true), ("_content:missing", "true", false)]);
}

// gaps: FHIR, where R4 leaves it open > Search parameters that are not served
#[test]
fn what_is_not_served_is_refused_and_what_is_unknown_is_told_with_what_is_known() {
    for (name, words) in [
        ("_filter", "not served"),
        ("_list", "not served"),
        ("_query", "not served"),
        ("phonetic", "not served"),
        ("general-practitioner:in", "not served"),
        ("color", "known are"),
    ] {
        let faults = read(ResourceType::Patient, [(name, "x")], BASE, NOW).unwrap_err();
        assert!(faults[0].words.contains(words), "{}", faults[0]);
    }
}

// gaps: Records and reach > Chains into contained or logical Patients
#[test]
fn no_chain_finds_a_record_by_a_patient_whom_the_resource_itself_contains() {
    let inside = |kind: &str, member: &str| {
        let patient = json!({ "resourceType": "Patient", "id": "p", "identifier": [{ "value": "9" }], "name": [{ "family": "Ito" }] });
        json!({ "resourceType": kind, "contained": [patient], member: { "reference": "#p" } })
    };
    let observation = inside("Observation", "subject");
    hold(&observation, &[("patient.identifier", "9", false), ("subject:Patient.name", "ito", false)]);
    let logical = json!({ "resourceType": "Observation", "subject": { "identifier": { "value": "9" } } });
    hold(&logical, &[("patient.identifier", "9", false), ("subject:identifier", "9", true)]);
    // A Device is in nobody's record, and what is no Patient names nobody.
    hold(&inside("Device", "patient"), &[("patient.identifier", "9", true)]);
    let practitioner = json!({ "resourceType": "Practitioner", "id": "d", "name": [{ "family": "Ito" }] });
    let performed =
        json!({ "resourceType": "Observation", "contained": [practitioner], "performer": [{ "reference": "#d" }] });
    hold(&performed, &[("performer:Practitioner.name", "ito", true)]);
}
