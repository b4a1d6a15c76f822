//! What queries find among a few records, one sentence of the specification or of docs/gaps.md to a group of lines.

use super::{Record, evaluate};
use crate::search::reading::read;
use crate::types::{self, ResourceType};
use serde_json::{Value, json};

const BASE: &str = "https://records.example/fhir";
/// The beginning of 2021.
const NOW: i64 = 1_609_459_200_000_000;

fn world() -> Vec<Value> {
    let quantity = |value: f64, code: &str| json!({ "value": value, "unit": code, "system": "http://unitsofmeasure.org", "code": code });
    let observation = |id: &str, patient: &str, code: &str, date: &str, quantity: Value| {
        json!({ "resourceType": "Observation", "id": id, "status": "final", "subject": { "reference": patient },
            "code": { "coding": [{ "system": "urn:c", "code": code }], "text": format!("{code} text") },
            "effectiveDateTime": date, "valueQuantity": quantity })
    };
    vec![
        json!({ "resourceType": "Patient", "id": "amina", "gender": "female", "birthDate": "1980-03-14", "active": true,
            "identifier": [{ "system": "urn:n", "value": "1", "type": { "coding": [{ "system": "urn:t", "code": "MR" }] } }],
            "name": [{ "family": "O'Brien-Müller", "given": ["Amina", "Zoë"] }], "managingOrganization": { "reference": "Organization/ward" },
            "text": { "status": "generated", "div": "<div>A tall <b>woman</b></div>" } }),
        json!({ "resourceType": "Patient", "id": "bo", "gender": "male", "birthDate": "1980", "deceasedBoolean": true,
            "name": [{ "text": "Bo Amin" }], "meta": { "tag": [{ "system": "urn:tag", "code": "t" }], "profile": ["http://x.example/p/a|1"] } }),
        json!({ "resourceType": "Patient", "id": "cy", "managingOrganization": { "reference": "#o" },
            "contained": [{ "resourceType": "Organization", "id": "o", "name": "Hidden House" }] }),
        json!({ "resourceType": "Organization", "id": "ward", "name": "Ward Seven" }),
        observation("o1", "Patient/amina", "pulse", "2020-05-17T10:00:00Z", quantity(72.0, "/min")),
        observation("o2", "https://records.example/fhir/Patient/amina", "dose", "2020-05", quantity(5400.0, "mg")),
        observation("o3", "Patient/bo", "dose", "2020", quantity(5.0, "g")),
        json!({ "resourceType": "Observation", "id": "o4", "status": "final", "code": { "text": "Blood pressure" },
            "effectivePeriod": { "start": "2020-05-10", "end": "2020-06-10" },
            "subject": { "identifier": { "system": "urn:n", "value": "9" } },
            "component": [
                { "code": { "coding": [{ "code": "sys" }] }, "valueQuantity": quantity(120.0, "mm[Hg]") },
                { "code": { "coding": [{ "code": "dia" }] }, "valueQuantity": quantity(80.0, "mm[Hg]") },
            ] }),
        json!({ "resourceType": "RiskAssessment", "id": "r1", "prediction": [{ "probabilityDecimal": 0.25 }] }),
        json!({ "resourceType": "RiskAssessment", "id": "r2",
            "prediction": [{ "probabilityRange": { "low": { "value": 0.2 }, "high": { "value": 0.4 } } }] }),
        json!({ "resourceType": "ValueSet", "id": "v", "url": "http://x.example/fhir/vs/a" }),
    ]
}

fn ids(resource_type: ResourceType, search: &str) -> String {
    let world = world();
    let records: Vec<_> = world
        .iter()
        .map(|resource| {
            let resource_type = types::named(resource["resourceType"].as_str().unwrap()).unwrap();
            Record::new(resource_type, resource["id"].as_str().unwrap(), resource, BASE)
        })
        .collect();
    let parameters = search.split('&').filter_map(|parameter| parameter.split_once('='));
    let query = read(resource_type, parameters, BASE, NOW).unwrap_or_else(|faults| panic!("{search}: {faults:?}"));
    evaluate(&query, &records).iter().map(|record| record.id).collect::<Vec<_>>().join(" ")
}

fn finds(resource_type: ResourceType, table: &[(&str, &str)]) {
    for (search, wanted) in table {
        assert_eq!(ids(resource_type, search), *wanted, "{}?{search}", resource_type.name());
    }
}

#[test]
fn texts_match_from_the_start_of_a_part_or_of_the_whole() {
    finds(
        ResourceType::Patient,
        &[
            ("name=amin", "amina"),
            ("name=bo", "bo"),
            ("name=OBRIEN", "amina"),
            ("name=muller", ""),
            ("name:contains=muller", "amina"),
            ("name=zoe", "amina"),
            ("name=amina zoe o", "amina"),
            ("family=amina", ""),
            ("name:contains=MIN", "amina bo"),
            ("given:exact=Zoë", "amina"),
            ("given:exact=Zoe", ""),
            ("name=x,zo", "amina"),
            ("name=zoe&name=amina", "amina"),
            ("name:missing=true", "cy"),
            ("name:missing=false", "amina bo"),
        ],
    );
}

#[test]
fn tokens_match_by_system_and_code() {
    finds(
        ResourceType::Patient,
        &[
            ("identifier=1", "amina"),
            ("identifier=urn:n|1", "amina"),
            ("identifier=urn:n|", "amina"),
            ("identifier=|1", ""),
            ("identifier=urn:x|1", ""),
            ("identifier:of-type=urn:t|MR|1", "amina"),
            ("identifier:of-type=urn:t|MR|2", ""),
            ("gender=female", "amina"),
            ("gender=http://hl7.org/fhir/administrative-gender|female", "amina"),
            ("gender=Female", ""),
            ("gender:not=male", "amina cy"),
            ("gender:not=male,female", "cy"),
            ("active=true", "amina"),
            ("deceased=false", "amina cy"),
            ("deceased=true", "bo"),
            ("_tag=urn:tag|t", "bo"),
            ("_id=bo,cy", "bo cy"),
            ("_profile=http://x.example/p/a", "bo"),
            ("_profile=http://x.example/p/a|1", "bo"),
            ("_profile=http://x.example/p/a|2", ""),
            ("_profile:below=http://x.example/p", "bo"),
            ("_text=woman tall", "amina"),
            ("_text=tal", ""),
            ("_content=female", "amina"),
        ],
    );
    finds(
        ResourceType::Observation,
        &[("code:text=blood", "o4"), ("code:text=pressure", ""), ("code=urn:c|", "o1 o2 o3")],
    );
}

#[test]
fn dates_match_by_the_time_that_they_last() {
    finds(
        ResourceType::Observation,
        &[
            ("date=2020-05", "o1 o2"),
            ("date=2020", "o1 o2 o3 o4"),
            ("date=2020-05-17", "o1"),
            ("date=ne2020-05", "o3 o4"),
            ("date=gt2020-05", "o3 o4"),
            ("date=lt2020-05", "o3"),
            ("date=ge2020-05", "o1 o2 o3 o4"),
            ("date=le2020-05", "o1 o2 o3"),
            ("date=sa2020-05-09", "o1 o4"),
            ("date=eb2020-06", "o1 o2"),
            ("date=ap2020-01-01", "o3"),
            ("date=ge2020-05-10&date=le2020-05-20", "o1 o2 o3 o4"),
            ("date=2020-05-17T10:00:00Z", "o1"),
            ("date=2020-05-17T12:00:00 02:00", "o1"),
        ],
    );
    finds(
        ResourceType::Patient,
        &[("birthdate=1980", "amina bo"), ("birthdate=1980-03-14", "amina"), ("birthdate=lt1980-03-15", "amina bo")],
    );
}

#[test]
fn numbers_match_by_their_digits_and_exactly_as_limits() {
    finds(
        ResourceType::RiskAssessment,
        &[
            ("probability=0.25", "r1"),
            ("probability=0.3", "r1"),
            ("probability=0.2", ""),
            ("probability=gt0.25", "r2"),
            ("probability=ge0.25", "r1 r2"),
            ("probability=lt0.25", "r2"),
            ("probability=sa0.1", "r1 r2"),
            ("probability=eb0.4", "r1"),
            ("probability=ne0.25", "r2"),
            ("probability=ap0.24", "r1 r2"),
            ("probability=0.3,0.25", "r1"),
        ],
    );
}

#[test]
fn quantities_match_as_written_without_a_unit_and_in_base_units_with_one() {
    finds(
        ResourceType::Observation,
        &[
            ("value-quantity=5400", "o2"),
            ("value-quantity=5.4|http://unitsofmeasure.org|g", "o2"),
            ("value-quantity=5.4||g", "o2"),
            ("value-quantity=gt5||g", "o2"),
            ("value-quantity=ge5||g", "o2 o3"),
            ("value-quantity=72||s", ""),
            ("value-quantity=72||/min", "o1"),
            ("value-quantity=5400|urn:x|mg", ""),
            ("value-quantity=gt1", "o1 o2 o3"),
            ("combo-value-quantity=12||cm[Hg]", "o4"),
            ("component-code-value-quantity=sys$120", "o4"),
            ("component-code-value-quantity=dia$120", ""),
            ("component-code-value-quantity=dia$lt100||mm[Hg]", "o4"),
            ("code-value-quantity=urn:c|dose$gt5.1||g", "o2"),
        ],
    );
}

#[test]
fn references_match_however_they_are_spelt() {
    finds(
        ResourceType::Observation,
        &[
            ("patient=amina", "o1 o2"),
            ("subject=Patient/amina", "o1 o2"),
            ("subject:Patient=amina", "o1 o2"),
            ("subject:Group=amina", ""),
            ("subject=https://records.example/fhir/Patient/amina", "o1 o2"),
            ("subject=https://x.example/fhir/Patient/amina", ""),
            ("subject:identifier=urn:n|9", "o4"),
            ("subject:identifier=9", "o4"),
            ("subject:identifier=urn:x|9", ""),
            ("patient=amina,bo", "o1 o2 o3"),
        ],
    );
}

#[test]
fn chains_go_through_references_into_contained_resources_and_back() {
    finds(
        ResourceType::Observation,
        &[
            ("patient.name=amin", "o1 o2"),
            ("subject:Patient.gender=male", "o3"),
            ("patient.organization.name=ward", "o1 o2"),
            ("patient._has:Observation:patient:code=pulse", "o1 o2"),
            ("patient.name=bo&code=pulse", ""),
        ],
    );
    finds(
        ResourceType::Patient,
        &[
            ("organization.name=hidden", "cy"),
            ("organization.name=ward", "amina"),
            ("_has:Observation:patient:code=dose", "amina bo"),
            ("_has:Observation:patient:code=pulse", "amina"),
            ("_has:Observation:subject:value-quantity=lt5.2||g", "bo"),
            ("_has:Observation:patient:patient.name=bo", "bo"),
            ("_has:Observation:patient:code:missing=true", ""),
        ],
    );
    finds(ResourceType::Organization, &[("_has:Patient:organization:_has:Observation:patient:code=pulse", "ward")]);
}

#[test]
fn uris_match_whole_or_along_their_path() {
    finds(
        ResourceType::ValueSet,
        &[
            ("url=http://x.example/fhir/vs/a", "v"),
            ("url=http://x.example/fhir/vs", ""),
            ("url:below=http://x.example/fhir", "v"),
            ("url:below=http://x.example/fhi", ""),
            ("url:below=http://x.example/fhir/", "v"),
            ("url:above=http://x.example/fhir/vs/a/b", "v"),
            ("url:above=http://x.example/fhir/vs/ab", ""),
        ],
    );
}
