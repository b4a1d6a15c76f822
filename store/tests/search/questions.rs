//! Random queries: one to three parameters of a type, from pools of what there is to ask, and an order.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};

#[derive(Clone, Debug)]
pub struct Question {
    pub kind: &'static str,
    pub parameters: Vec<(&'static str, &'static str)>,
    pub sort: Option<&'static str>,
}

const COMMON: &[(&str, &str)] = &[
    ("_tag", "urn:tags|a"),
    ("_tag", "b"),
    ("_tag:not", "b"),
    ("_tag:missing", "true"),
    ("_profile", "http://p.example/one"),
    ("_profile", "http://p.example/one|2"),
    ("_security", "GENERAL_HEALTH,MENTAL_HEALTH"),
    ("_lastUpdated", "ge2027-01-15"),
    ("_lastUpdated", "lt2027-01-15T08:00:00.000Z"),
    ("_lastUpdated", "2027"),
    ("_source:missing", "false"),
    ("_text", "note"),
    ("_text", "cafe follow,ANNUAL"),
    ("_text:missing", "true"),
    ("_content", "smith"),
    ("_content", "final,male"),
];
const PATIENT: &[(&str, &str)] = &[
    ("name", "smi"),
    ("name", "ann"),
    ("name", "anna maria smith"),
    ("name:contains", "denscheid"),
    ("name:contains", "mi,z"),
    ("name:exact", "Smith"),
    ("family:exact", "SMITH,smythe"),
    ("family", "mueller,muller ludenscheidt"),
    ("given", "zoe"),
    ("name:missing", "true"),
    ("identifier", "9"),
    ("identifier", "urn:nhs|9"),
    ("identifier", "|9"),
    ("identifier", "urn:local|"),
    ("identifier", r"urn:nhs|a\|b\,c,1"),
    ("identifier:not", "9"),
    ("identifier:of-type", "urn:types|MR|9"),
    ("identifier:of-type", "|MR|1"),
    ("identifier:text", "record"),
    ("identifier:missing", "false"),
    ("gender", "female,male"),
    ("gender", "http://hl7.org/fhir/administrative-gender|male"),
    ("gender:not", "male"),
    ("birthdate", "1980"),
    ("birthdate", "1980-02-29"),
    ("birthdate", "gt1980-06,ne1980"),
    ("birthdate", "le1980-02-29"),
    ("birthdate:missing", "true"),
    ("deceased", "false"),
    ("deceased", "true"),
    ("active", "true"),
    ("general-practitioner.name", "smith"),
    ("general-practitioner:Practitioner.identifier", "9,1"),
    ("general-practitioner:missing", "true"),
    ("_has:Observation:patient:code", "1-8"),
    ("_has:Observation:subject:status", "final"),
    ("_has:Observation:patient:encounter.status", "finished"),
    ("_has:Encounter:patient:_has:Observation:encounter:code", "1-8"),
    ("_has:Observation:patient:code:missing", "true"),
];
const OBSERVATION: &[(&str, &str)] = &[
    ("code", "1-8"),
    ("code", "http://loinc.org|1-8"),
    ("code", "|1-8"),
    ("code", "http://snomed.info/sct|"),
    ("code", "2-9,http://snomed.info/sct|1-8"),
    ("code:not", "1-8"),
    ("code:text", "blood"),
    ("code:text", "heart,weight body"),
    ("code:missing", "true"),
    ("status", "final"),
    ("status:not", "final"),
    ("date", "2020-05-17"),
    ("date", "2020"),
    ("date", "ge2020-05-17"),
    ("date", "gt2020-05-17T08:30:00Z"),
    ("date", "lt2020-05-17"),
    ("date", "le2020-06"),
    ("date", "sa2020-05"),
    ("date", "eb2020-06-16"),
    ("date", "ap2020-05-17"),
    ("date", "ne2020"),
    ("date:missing", "false"),
    ("value-quantity", "5.4|http://unitsofmeasure.org|mg"),
    ("value-quantity", "gt5|http://unitsofmeasure.org|mg"),
    ("value-quantity", "0.0054|http://unitsofmeasure.org|g"),
    ("value-quantity", "100||beats"),
    ("value-quantity", "100"),
    ("value-quantity", "lt0,ap101"),
    ("value-quantity", "ne100"),
    ("value-quantity", "le99.6||mg"),
    ("value-concept", "http://loinc.org|2-9"),
    ("value-string", "unusual words"),
    ("component-value-quantity", "7,8"),
    ("component-code-value-quantity", "http://loinc.org|1-8$7"),
    ("component-code-value-quantity", "1-8$8"),
    ("code-value-quantity", "1-8$gt5,2-9$100"),
    ("code-value-quantity:missing", "true"),
    ("code-value-string", "1-8$unusual"),
    ("combo-code", "2-9"),
    ("combo-code:not", "1-8"),
    ("combo-code:text", "heart"),
    ("combo-code:missing", "true"),
    ("combo-value-quantity", "7,100"),
    ("combo-value-quantity:missing", "false"),
    ("combo-code-value-quantity", "1-8$lt10"),
    ("combo-code-value-quantity", "2-9$ge0"),
    ("combo-code-value-quantity:missing", "true"),
    ("combo-value-concept", "2-9"),
    ("subject", "Patient/patient-0-of-WORLD"),
    ("subject", "patient-0-of-WORLD,patient-1-of-WORLD"),
    ("patient", "patient-2-of-WORLD"),
    ("patient", "Patient/patient-1-of-WORLD,https://elsewhere.example/Patient/1"),
    ("patient", "https://elsewhere.example/Patient/1"),
    ("patient:missing", "true"),
    ("patient:identifier", "urn:nhs|9"),
    ("subject", "https://records.example.org/fhir/Patient/patient-2-of-WORLD"),
    ("subject", "https://elsewhere.example/Patient/1"),
    ("subject:Patient", "patient-0-of-WORLD"),
    ("subject", "Patient/patient-1-of-WORLD/_history/1"),
    ("subject:identifier", "urn:nhs|9"),
    ("subject:identifier", "9"),
    ("subject:missing", "true"),
    ("focus", "encounter-0-of-WORLD"),
    ("focus", "urn:uuid:1"),
    ("focus:Encounter.status", "finished"),
    ("subject.name", "smith"),
    ("subject:Patient.identifier", "9"),
    ("patient.general-practitioner.name", "smith"),
    ("patient.general-practitioner:Practitioner.name:missing", "true"),
    ("patient.birthdate", "lt1990"),
    ("patient.gender:not", "male"),
    ("patient._has:Encounter:patient:status", "finished"),
    ("patient._id", "patient-1-of-WORLD,p"),
    ("encounter.subject:Patient.name", "smi"),
    ("encounter.date", "2020-05-17"),
    ("_content", "heart rate"),
    ("_content", "blood"),
];
const ENCOUNTER: &[(&str, &str)] = &[
    ("status", "finished"),
    ("class", "AMB"),
    ("date", "le2020-05-17"),
    ("date", "gt2020-05-17"),
    ("identifier", "9"),
    ("patient.name:exact", "Smith"),
    ("subject:Patient.name", "an"),
    ("_has:Observation:encounter:code", "1-8"),
    ("_has:Observation:focus:status:not", "final"),
    ("_id", "encounter-0-of-WORLD,encounter-2-of-WORLD"),
    ("_id:not", "encounter-0-of-WORLD"),
];
const OTHERS: &[(&str, &[(&str, &str)])] = &[
    (
        "Practitioner",
        &[("name", "smith"), ("identifier", "9"), ("_has:Patient:general-practitioner:gender", "male,female")],
    ),
    (
        "ValueSet",
        &[
            ("url", "http://v.example/a"),
            ("url", "http://v.example/a|1"),
            ("url:below", "http://v.example/a"),
            ("url:below", "http://v.example/a/"),
            ("url:above", "http://v.example/a/b/c"),
            ("url:missing", "true"),
            ("title", "codes"),
            ("title:contains", "blood"),
        ],
    ),
    (
        "RiskAssessment",
        &[
            ("probability", "0.5"),
            ("probability", "gt0.2"),
            ("probability", "le0.3"),
            ("probability", "sa0.2,eb0.3"),
            ("probability:missing", "true"),
            ("patient.name", "smith"),
        ],
    ),
];
const ORDERS: &[&str] = &["_id", "-_lastUpdated", "-_tag,_id", "_profile,-_id"];

/// Whose a timeline is, of which code, and what else is asked of it.
const WHOSE: &[(&str, &str)] = &[
    ("patient", "patient-0-of-WORLD"),
    ("subject", "Patient/patient-0-of-WORLD"),
    ("subject:Patient", "patient-1-of-WORLD"),
    ("patient", "https://records.example.org/fhir/Patient/patient-2-of-WORLD"),
    ("patient", "nobody-of-WORLD"),
];
const WHAT: &[(&str, &str)] = &[
    ("code", "http://loinc.org|1-8"),
    ("code", "|1-8"),
    ("code", "http://loinc.org|2-9"),
    ("code", "http://snomed.info/sct|1-8"),
];
const BESIDES: &[(&str, &str)] =
    &[("status", "final"), ("date", "2020"), ("code:not", "2-9"), ("code", "1-8"), ("patient.name", "smith")];

/// What a patient has of a code, the latest first.
fn timeline() -> BoxedStrategy<Question> {
    let besides = prop_oneof![2 => Just(None), 1 => select(BESIDES).prop_map(Some)];
    let question = |(whose, what, besides)| {
        let parameters = [Some(whose), Some(what), besides].into_iter().flatten().collect();
        Question { kind: "Observation", parameters, sort: Some("-date") }
    };
    (select(WHOSE), select(WHAT), besides).prop_map(question).boxed()
}

/// Every timeline without anything else.
pub fn courses() -> Vec<Question> {
    let with = |whose| WHAT.iter().map(move |what| vec![whose, *what]);
    let all = WHOSE.iter().copied().flat_map(with);
    all.map(|parameters| Question { kind: "Observation", parameters, sort: Some("-date") }).collect()
}

pub fn question() -> impl Strategy<Value = Question> {
    let others = OTHERS.iter().map(|(kind, pool)| (1, of(kind, pool, &[])));
    let known = [
        (6, of("Patient", PATIENT, &["name,birthdate", "-family,gender", "general-practitioner,-name"])),
        (
            10,
            of(
                "Observation",
                OBSERVATION,
                &[
                    "-date,code",
                    "value-quantity,-_id",
                    "-code,status",
                    "subject,-date",
                    "combo-value-quantity,-patient",
                ],
            ),
        ),
        (2, of("Encounter", ENCOUNTER, &["-date"])),
        (4, timeline()),
    ];
    prop::strategy::Union::new_weighted(known.into_iter().chain(others).collect())
}

fn of(kind: &'static str, pool: &'static [(&str, &str)], orders: &[&'static str]) -> BoxedStrategy<Question> {
    let pool: Vec<_> = pool.iter().chain(COMMON).copied().collect();
    let parameters = prop_oneof![
        6 => subsequence(pool.clone(), 1),
        5 => subsequence(pool.clone(), 2),
        1 => subsequence(pool, 0..=3)
    ];
    let orders: Vec<_> = orders.iter().chain(ORDERS).copied().collect();
    let sort = prop_oneof![2 => Just(None), 1 => select(orders).prop_map(Some)];
    (parameters, sort).prop_map(move |(parameters, sort)| Question { kind, parameters, sort }).boxed()
}

/// Every parameter that is asked for, by itself.
pub fn each() -> Vec<Question> {
    let known = [("Patient", PATIENT), ("Observation", OBSERVATION), ("Encounter", ENCOUNTER)];
    let pools = known.into_iter().chain(OTHERS.iter().copied());
    let pools = pools.chain([("Patient", COMMON)]);
    pools
        .flat_map(|(kind, pool)| pool.iter().map(move |one| Question { kind, parameters: vec![*one], sort: None }))
        .collect()
}
