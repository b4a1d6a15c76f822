//! Random resources, with values from pools so small that queries hit them.

use proptest::prelude::*;

pub const BASE: &str = "https://records.example.org/fhir";

/// A resource to write, by numbers from which its values are picked.
#[derive(Clone, Debug)]
pub struct Draft {
    pub kind: usize,
    pub place: usize,
    pub maker: usize,
    pub picks: Vec<usize>,
}

pub const KINDS: [&str; 6] = ["Patient", "Observation", "Encounter", "Practitioner", "ValueSet", "RiskAssessment"];
/// Places of each kind; the Patients are those of the world.
pub const PLACES: usize = 3;
const PICKS: usize = 14;

pub fn draft() -> impl Strategy<Value = Draft> {
    let kind = prop_oneof![2 => Just(0_usize), 5 => Just(1), 2 => Just(2), 1 => Just(3), 1 => Just(4), 1 => Just(5)];
    (kind, 0..PLACES, 0..4_usize, prop::collection::vec(0..60_usize, PICKS))
        .prop_map(|(kind, place, maker, picks)| Draft { kind, place, maker, picks })
}

/// The id of a place in one of many worlds.
pub fn id(kind: usize, place: usize, world: usize) -> String {
    format!("{}-{place}-of-{world}", KINDS[kind].to_lowercase())
}

struct Picker<'d> {
    picks: &'d [usize],
    at: usize,
    world: usize,
}

impl Picker<'_> {
    fn number(&mut self) -> usize {
        self.at += 1;
        self.picks[self.at % self.picks.len()] + self.at / self.picks.len()
    }

    /// One of these; nothing, as often as one of them.
    fn one(&mut self, pool: &[&str]) -> String {
        let at = self.number() % (pool.len() + 1);
        pool.get(at).map_or_else(String::new, |text| text.replace("WORLD", &self.world.to_string()))
    }
}

const CODES: [&str; 5] = [
    r#","code":{"coding":[{"system":"http://loinc.org","code":"1-8"}],"text":"Blood pressure"}"#,
    r#","code":{"coding":[{"system":"http://loinc.org","code":"2-9","display":"Héart rate"},{"system":"http://snomed.info/sct","code":"1-8"}]}"#,
    r#","code":{"coding":[{"code":"1-8"},{"system":"http://loinc.org","code":"1-8"}]}"#,
    r#","code":{"coding":[{"system":"http://snomed.info/sct"}],"text":"blood"}"#,
    r#","code":{"text":"Weight, body"}"#,
];
const QUANTITIES: [&str; 9] = [
    r#","valueQuantity":{"value":5.4,"unit":"mg","system":"http://unitsofmeasure.org","code":"mg"}"#,
    r#","valueQuantity":{"value":0.0054,"unit":"gram","system":"http://unitsofmeasure.org","code":"g"}"#,
    r#","valueQuantity":{"value":100,"unit":"beats"}"#,
    r#","valueQuantity":{"value":99.6,"unit":"mg","comparator":"<","system":"http://unitsofmeasure.org","code":"mg"}"#,
    r#","valueQuantity":{"value":-3}"#,
    r#","valueCodeableConcept":{"coding":[{"system":"http://loinc.org","code":"2-9"}]}"#,
    r#","valueString":"Ünusual -- words""#,
    r#","valueCodeableConcept":{"text":"unusual words"}"#,
    r#","valueSampledData":{"origin":{"value":5},"period":1,"dimensions":1,"data":"1 2 95"}"#,
];
const WHEN: [&str; 6] = [
    r#","effectiveDateTime":"2020-05-17""#,
    r#","effectiveDateTime":"2020-05-17T10:30:00+02:00""#,
    r#","effectiveDateTime":"2020""#,
    r#","effectivePeriod":{"start":"2020-05-01","end":"2020-06-15"}"#,
    r#","effectivePeriod":{"start":"2019-01-01"}"#,
    r#","effectiveInstant":"2021-01-01T00:00:00.000Z""#,
];
const SUBJECTS: [&str; 7] = [
    r#","subject":{"reference":"Patient/patient-0-of-WORLD"}"#,
    r#","subject":{"reference":"Patient/patient-1-of-WORLD/_history/1"}"#,
    r#","subject":{"reference":"https://records.example.org/fhir/Patient/patient-2-of-WORLD"}"#,
    r##","subject":{"reference":"#p"},"contained":[{"resourceType":"Patient","id":"p","name":[{"family":"Smith"}],"identifier":[{"value":"9"}]}]"##,
    r#","subject":{"reference":"https://elsewhere.example/Patient/1"}"#,
    r#","subject":{"identifier":{"system":"urn:nhs","value":"9"},"reference":"Patient/patient-0-of-WORLD"}"#,
    r##","subject":{"reference":"#p"},"contained":[{"resourceType":"Patient","id":"p","generalPractitioner":[{"reference":"#g"},{"reference":"Practitioner/practitioner-0-of-WORLD"}]},{"resourceType":"Practitioner","id":"g","name":[{"family":"Smith"}]}]"##,
];
const NAMES: [&str; 6] = [
    r#","name":[{"family":"Smith","given":["Anna","Maria"]}]"#,
    r#","name":[{"family":"smythe"},{"text":"Ann Smith"}]"#,
    r#","name":[{"family":"Müller-Lüdenscheidt","given":["SMITH"]}]"#,
    r#","name":[{"given":["Zoë"],"prefix":["Dr."]}]"#,
    r#","name":[{"family":"O'Brien","given":["Ann"]}]"#,
    r#","name":[{"family":"SMITH"},{"family":"Smith"}]"#,
];
const IDENTIFIERS: [&str; 5] = [
    r#","identifier":[{"system":"urn:nhs","value":"9"},{"system":"urn:local","value":"9"}]"#,
    r#","identifier":[{"value":"9","type":{"coding":[{"system":"urn:types","code":"MR"}],"text":"Record number"}}]"#,
    r#","identifier":[{"system":"urn:nhs","value":"a|b,c"}]"#,
    r#","identifier":[{"system":"urn:local"}]"#,
    r#","identifier":[{"system":"urn:local","value":"1","type":{"coding":[{"code":"MR"}]}}]"#,
];
const NARRATIVES: [&str; 3] = [
    r#","text":{"status":"generated","div":"<div xmlns='http://www.w3.org/1999/xhtml'>Annual note, <b>Caf&#233;</b></div>"}"#,
    r#","text":{"status":"generated","div":"<div xmlns='http://www.w3.org/1999/xhtml'>Follow-up at the CAFÉ</div>"}"#,
    r#","text":{"status":"empty","div":"<div xmlns='http://www.w3.org/1999/xhtml'>-</div>"}"#,
];
const META: [&str; 4] = [
    r#""tag":[{"system":"urn:tags","code":"a"}]"#,
    r#""profile":["http://p.example/one|2"],"tag":[{"code":"b"}]"#,
    r#""security":[{"system":"urn:recordgate:privacy-label","code":"GENERAL_HEALTH"}]"#,
    r#""profile":["http://p.example/one"],"security":[{"system":"urn:recordgate:privacy-label","code":"MENTAL_HEALTH"}]"#,
];

pub fn body(draft: &Draft, world: usize) -> String {
    let mut pick = Picker { picks: &draft.picks, at: draft.place, world };
    let id = id(draft.kind, draft.place, world);
    let meta = pick.one(&META);
    let narrative = pick.one(&NARRATIVES);
    let rest = match KINDS[draft.kind] {
        "Patient" => {
            pick.one(&NAMES)
                + &pick.one(&IDENTIFIERS)
                + &pick.one(&[r#","gender":"female""#, r#","gender":"male""#])
                + &pick.one(&[r#","birthDate":"1980-02-29""#, r#","birthDate":"1980""#, r#","birthDate":"2001-12""#])
                + &pick.one(&[
                    r#","deceasedBoolean":true"#,
                    r#","deceasedBoolean":false"#,
                    r#","deceasedDateTime":"2021""#,
                ])
                + &pick.one(&[r#","generalPractitioner":[{"reference":"Practitioner/practitioner-0-of-WORLD"}]"#])
                + &pick.one(&[r#","active":true"#, r#","active":false"#])
        }
        "Observation" => {
            let component = [
                r#","component":[{"code":{"coding":[{"system":"http://loinc.org","code":"1-8"}]},"valueQuantity":{"value":7}},{"code":{"coding":[{"code":"2-9"}]},"valueQuantity":{"value":8}}]"#,
            ];
            r#","status":"final""#.replace("final", if pick.number().is_multiple_of(2) { "final" } else { "amended" })
                + &pick.one(&CODES)
                + &pick.one(&SUBJECTS)
                + &pick.one(&WHEN)
                + &pick.one(&QUANTITIES)
                + &pick.one(&component)
                + &pick.one(&[r#","encounter":{"reference":"Encounter/encounter-1-of-WORLD"}"#])
                + &pick
                    .one(&[r#","focus":[{"reference":"Encounter/encounter-0-of-WORLD"},{"reference":"urn:uuid:1"}]"#])
        }
        "Encounter" => {
            r#","status":"finished","class":{"code":"AMB"}"#.to_owned()
                + &pick.one(&SUBJECTS)
                + &pick.one(&IDENTIFIERS)
                + &pick.one(&[r#","period":{"end":"2020-05-17"}"#, r#","period":{"start":"2020-05-17"}"#])
        }
        "Practitioner" => pick.one(&NAMES) + &pick.one(&IDENTIFIERS),
        "ValueSet" => {
            let urls = [
                r#","url":"http://v.example/a/b""#,
                r#","url":"http://v.example/a""#,
                r#","url":"http://v.example/ab""#,
                r#","url":"http://v.example/a/b/c""#,
            ];
            r#","status":"active""#.to_owned() + &pick.one(&urls) + &pick.one(&[r#","title":"Codes of blood""#])
        }
        _ => {
            let prediction = [
                r#","prediction":[{"probabilityDecimal":0.5},{"probabilityDecimal":0.25}]"#,
                r#","prediction":[{"probabilityRange":{"low":{"value":0.1},"high":{"value":0.3}}}]"#,
            ];
            r#","status":"final""#.to_owned() + &pick.one(&SUBJECTS) + &pick.one(&prediction)
        }
    };
    format!(r#"{{"resourceType":"{}","id":"{id}","meta":{{{meta}}}{narrative}{rest}}}"#, KINDS[draft.kind])
}
