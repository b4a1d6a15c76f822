//! A Consent as FHIR has it: what is read of one, what is refused, and the form in which it is written. The table `consent-fhir`
//! of docs/consent.md, cell by cell, and HL7's examples.
#![expect(clippy::panic, clippy::expect_used, clippy::indexing_slicing, reason = "a broken table must fail the test")]

#[path = "../../rules/tests/contract/known_words.rs"]
mod known_words;
#[path = "../../rules/tests/contract/markdown.rs"]
mod markdown;
#[path = "../../rules/tests/contract/marked.rs"]
mod marked;

use fhir::consent::{
    BasisForm, CanonicalConsent, ConsentReading, DEFAULT_SYSTEMS, GranteeReference, Sharing, Vocabulary, canonical,
    read,
};
use fhir::limits::Shape;
use fhir::validation::{Expectation, validate};
use known_words::reads_as_known;
use markdown::Table;
use rules::calendar::instant;
use rules::consent::actor::{Actor, GranteeFacts};
use rules::consent::change::{ConsentFacts, WantedConsent, change};
use rules::consent::record::{ConsentId, Grantee};
use rules::consent::state::PatientState;
use rules::ids::{OrganisationId, PatientId, TeamId};
use rules::labels::{Coding, Label, Labels};
use rules::moment::Moment;
use serde_json::{Value, json};
use std::panic::catch_unwind;

const CONSENT: &str = include_str!("../../docs/consent.md");
const HEADER: [&str; 3] = ["element", "canonical form", "accepted on write"];
const CHANGED_AT: &str = "2027-01-15T08:00:00.000Z";
const EXPECTATION: Expectation<'static> =
    Expectation { resource_type: None, id: None, shape: Shape { depth: 64, values: 10_000 }, issues: 100 };
/// HL7's examples, by the end of their ids.
const EXAMPLES: [(&str, &str); 12] = [
    ("basic", include_str!("consent/examples/basic.json")),
    ("Emergency", include_str!("consent/examples/Emergency.json")),
    ("grantor", include_str!("consent/examples/grantor.json")),
    ("notAuthor", include_str!("consent/examples/notAuthor.json")),
    ("notOrg", include_str!("consent/examples/notOrg.json")),
    ("notThem", include_str!("consent/examples/notThem.json")),
    ("notThis", include_str!("consent/examples/notThis.json")),
    ("notTime", include_str!("consent/examples/notTime.json")),
    ("Out", include_str!("consent/examples/Out.json")),
    ("pkb", include_str!("consent/examples/pkb.json")),
    ("signature", include_str!("consent/examples/signature.json")),
    ("smartonfhir", include_str!("consent/examples/smartonfhir.json")),
];

fn label(system: &str, code: &str) -> Option<i64> {
    Label::of_coding("Consent", &Coding { system: Some(system), code: Some(code) }).map(Label::bit)
}

fn vocabulary() -> Vocabulary<'static> {
    Vocabulary { base: "https://records.example/fhir", systems: DEFAULT_SYSTEMS, label: &label }
}

fn example(name: &str) -> Value {
    let (_, text) = EXAMPLES.iter().find(|(known, _)| *known == name).expect("an example of that name");
    serde_json::from_str(text).expect("JSON")
}

fn shared(consent: &Value) -> Sharing {
    match read(consent, &vocabulary()) {
        Ok(ConsentReading::Sharing(sharing)) => sharing,
        other => panic!("not shared: {other:?}"),
    }
}

/// The elements that are not understood.
fn refused(consent: &Value) -> Vec<String> {
    let issues = read(consent, &vocabulary()).expect_err("refused");
    issues.into_iter().map(|issue| issue.expression).collect()
}

fn sharing() -> Sharing {
    Sharing {
        patient: "amina".into(),
        grantee: GranteeReference::Organization("clinic".into()),
        labels: 5,
        is_inactive: false,
        ends_at: None,
        locked: Some(false),
        manages: Some(false),
        basis: Some(BasisForm { basis: "EXPLICIT".into(), reason: Some("OTHER".into()), text: Some("told us".into()) }),
    }
}

fn written(sharing: &Sharing, sent: Option<&Value>) -> Value {
    let labels: Vec<&str> = Labels(sharing.labels).each().map(Label::code).collect();
    let ends_at = sharing.ends_at.map(|end| instant(Moment(end)));
    let form = CanonicalConsent {
        id: "01900000-0000-7000-8000-000000000001",
        sharing,
        labels: &labels,
        is_pending: false,
        is_over: sharing.is_inactive,
        changed_at: CHANGED_AT,
        ends_at: ends_at.as_deref(),
        performers: &["Patient/amina"],
        sent,
    };
    let written = canonical(&form, &vocabulary());
    let issues = validate(&written.to_string(), &EXPECTATION);
    assert!(issues.is_empty(), "the canonical form is FHIR R4: {issues:?}");
    written
}

/// The canonical form with one element changed, by its JSON pointer.
fn with(pointer: &str, value: Value) -> Value {
    let mut form = written(&sharing(), None);
    let (holder, name) = pointer.rsplit_once('/').expect("a pointer");
    form.pointer_mut(holder).and_then(Value::as_object_mut).expect("an object").insert(name.into(), value);
    form
}

fn without(pointer: &str) -> Value {
    let mut form = written(&sharing(), None);
    let (holder, name) = pointer.rsplit_once('/').expect("a pointer");
    form.pointer_mut(holder).and_then(Value::as_object_mut).expect("an object").remove(name).expect("it was there");
    form
}

fn concept(system: &str, code: &str) -> Value {
    json!({ "coding": [{ "system": system, "code": code }] })
}

fn policy(code: &str) -> Value {
    concept("http://terminology.hl7.org/CodeSystem/v3-ActCode", code)
}

fn hold(document: &str) {
    let table = Table::headed(marked::table(document, "consent-fhir"), &HEADER);
    let rows: [(&str, u32, fn()); 11] = [
        ("status", 0x167e_9c8d, status),
        ("scope, category", 0x56df_4150, scope),
        ("patient, dateTime, performer", 0x67c3_b100, patient),
        ("policyRule", 0x927f_90e4, policy_rule),
        ("provision (root)", 0xd8d4_8611, root),
        ("provision.provision[]", 0xfb26_c98d, nested),
        ("actor", 0xdf7a_1064, actor),
        ("provision.period.end", 0x74ef_25f4, period),
        ("extensions", 0x52bf_3a0d, extensions),
        ("text, identifier, organization, source[x], verification", 0x10aa_bbea, kept),
        (
            "data, code, class, purpose, dataPeriod, period.start, deeper nesting, other actions, other roles, unknown labels",
            0x7146_c681,
            not_understood,
        ),
    ];
    assert_eq!(table.rows().count(), rows.len());
    for (element, sum, holds) in rows {
        reads_as_known(table.row(element), &HEADER, sum);
        holds();
    }
    table.was_held_in_every_cell();
}

fn status() {
    let said = |is_pending, is_over| {
        let sharing = sharing();
        let form = CanonicalConsent {
            id: "1",
            sharing: &sharing,
            labels: &[],
            is_pending,
            is_over,
            changed_at: CHANGED_AT,
            ends_at: None,
            performers: &[],
            sent: None,
        };
        canonical(&form, &vocabulary())["status"].clone()
    };
    assert_eq!([said(false, false), said(false, true), said(true, false)], ["active", "inactive", "proposed"]);
    assert!(!shared(&with("/status", "active".into())).is_inactive);
    assert!(shared(&with("/status", "inactive".into())).is_inactive);
    for other in ["draft", "proposed", "rejected", "entered-in-error"] {
        assert_eq!(read(&with("/status", other.into()), &vocabulary()), Ok(ConsentReading::WithoutEffect), "{other}");
    }
}

fn scope() {
    let form = written(&sharing(), None);
    let system = "http://terminology.hl7.org/CodeSystem/consentscope";
    assert_eq!(form["scope"], concept(system, "patient-privacy"));
    assert_eq!(form["category"], json!([concept("http://loinc.org", "59284-0")]));
    for other in ["research", "treatment", "adr"] {
        assert_eq!(read(&with("/scope", concept(system, other)), &vocabulary()), Ok(ConsentReading::WithoutEffect));
    }
    assert_eq!(shared(&with("/category", json!([concept("urn:x", "any")]))), sharing());
}

fn patient() {
    let form = written(&sharing(), None);
    assert_eq!(form["patient"], json!({ "reference": "Patient/amina" }));
    assert_eq!(
        (&form["dateTime"], &form["performer"]),
        (&json!(CHANGED_AT), &json!([{ "reference": "Patient/amina" }]))
    );
    for other in [json!({ "display": "Amina" }), json!({ "reference": "https://elsewhere.example/Patient/amina" })] {
        assert_eq!(refused(&with("/patient", other)), ["Consent.patient"]);
    }
    assert_eq!(shared(&without("/dateTime")), sharing());
    assert_eq!(shared(&without("/performer")), sharing());
}

fn policy_rule() {
    assert_eq!(written(&sharing(), None)["policyRule"], policy("OPTOUTE"));
    for known in ["OPTOUT", "OPTOUTE", "OPTIN", "OPTINR"] {
        assert_eq!(shared(&with("/policyRule", policy(known))), sharing(), "every provision has a type: {known}");
    }
    assert_eq!(shared(&without("/policyRule")), sharing());
    for other in [policy("OPTINX"), concept("urn:x", "OPTOUT"), json!({ "text": "as we said" })] {
        assert_eq!(refused(&with("/policyRule", other)), ["Consent.policyRule"]);
    }
    let untyped = |rule: Option<&str>| {
        let mut form = without("/provision/provision/0/type");
        match rule {
            Some(code) => form["policyRule"] = policy(code),
            None => drop(form.as_object_mut().and_then(|form| form.remove("policyRule"))),
        }
        form
    };
    for refusal in ["OPTOUT", "OPTOUTE"] {
        assert_eq!(shared(&untyped(Some(refusal))), sharing(), "an exception to a refusal");
    }
    for rule in [Some("OPTIN"), Some("OPTINR"), None] {
        assert_eq!(refused(&untyped(rule)), ["Consent.provision.provision[0].type"]);
    }
}

fn root() {
    let form = written(&sharing(), None);
    assert_eq!(form["provision"]["type"], "deny");
    assert_eq!(form["provision"].get("securityLabel"), None);
    let social = json!([{ "system": "urn:recordgate:privacy-label", "code": "SOCIAL_CARE" }]);
    let mut labelled = with("/provision/securityLabel", social);
    for (kind, labels) in [("permit", 13), ("deny", 5)] {
        labelled["provision"]["type"] = kind.into();
        assert_eq!(shared(&labelled).labels, labels, "{kind}");
    }
    assert_eq!(
        refused(&with("/provision/type", "permit".into())),
        ["Consent.provision.securityLabel"],
        "a base permission"
    );
    let bare = ["Consent.provision.type", "Consent.provision.securityLabel"];
    assert_eq!(refused(&without("/provision/type")), bare);
    let none = Sharing { labels: 0, ..sharing() };
    assert_eq!(shared(&written(&none, None)), none, "nothing is shared");
}

fn nested() {
    for labels in 0..16 {
        let sharing = Sharing { labels, ..sharing() };
        let form = written(&sharing, None);
        let permits = form["provision"]["provision"].as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(permits.len(), labels.count_ones() as usize);
        for permit in permits {
            assert_eq!(permit["type"], "permit");
            assert_eq!(permit["actor"], form["provision"]["actor"]);
            assert_eq!(permit["action"][0]["coding"][0]["code"], "access");
            assert_eq!(permit["securityLabel"].as_array().map(Vec::len), Some(1));
        }
        assert_eq!(shared(&form), sharing, "what was written is read as it was");
    }
    let path = "Consent.provision.provision[0]";
    assert_eq!(refused(&without("/provision/provision/0/securityLabel")), [format!("{path}.securityLabel")]);
    let two = json!([{ "code": "N" }, { "code": "PSY" }]);
    assert_eq!(refused(&with("/provision/provision/0/securityLabel", two)), [format!("{path}.securityLabel")]);
    let deeper = json!([{ "type": "permit" }]);
    assert_eq!(refused(&with("/provision/provision/0/provision", deeper)), [format!("{path}.provision")]);
    assert_eq!(shared(&with("/provision/provision/0/type", "deny".into())).labels, 4, "what is denied is taken away");
}

fn actor() {
    let role = |code| concept("http://terminology.hl7.org/CodeSystem/v3-ParticipationType", code);
    for (reference, grantee) in [
        ("Organization/a", GranteeReference::Organization("a".into())),
        ("Practitioner/b", GranteeReference::Practitioner("b".into())),
        ("RelatedPerson/c", GranteeReference::RelatedPerson("c".into())),
    ] {
        let sharing = Sharing { grantee, ..sharing() };
        let form = written(&sharing, None);
        let actor = &form["provision"]["actor"];
        assert_eq!(*actor, json!([{ "role": role("PRCP"), "reference": { "reference": reference } }]));
        assert_eq!(shared(&form), sharing);
    }
    let one = |role: Value, reference: &str| json!([{ "role": role, "reference": { "reference": reference } }]);
    let clinic = "Organization/clinic";
    assert_eq!(shared(&with("/provision/actor", one(role("IRCP"), clinic))), sharing());
    assert_eq!(shared(&without("/provision/provision/0/actor")), sharing(), "that of the first provision");
    let other = with("/provision/provision/1/actor", one(role("PRCP"), "Organization/other"));
    assert_eq!(refused(&other), ["Consent.provision.provision[1].actor[0].reference"]);
    for stranger in ["Patient/amina", "https://elsewhere.example/Organization/clinic", "Device/1"] {
        let found = refused(&with("/provision/actor", one(role("PRCP"), stranger)));
        assert_eq!(found, ["Consent.provision.actor[0].reference"], "{stranger}");
    }
    let mut nobody = written(&Sharing { labels: 0, ..sharing() }, None);
    nobody["provision"].as_object_mut().expect("an object").remove("actor");
    assert_eq!(refused(&nobody), ["Consent.provision.actor"]);
}

fn period() {
    let end = |text: &str| shared(&with("/provision/period", json!({ "end": text }))).ends_at;
    assert_eq!(end("2027-01-15T08:00:00.123Z"), Some(1_800_000_000_123));
    assert_eq!(end("2027-01-15T09:00:00+01:00"), Some(1_800_000_000_000));
    assert_eq!(end("2027-01-15"), Some(1_800_057_600_000), "the whole day");
    let sharing = Sharing { ends_at: Some(1_800_000_000_001), ..sharing() };
    let form = written(&sharing, None);
    assert_eq!(form["provision"]["period"], json!({ "end": "2027-01-15T08:00:00.001Z" }));
    assert_eq!(shared(&form), sharing);
    let nested = with("/provision/provision/0/period", json!({ "end": "2027-01-15" }));
    assert_eq!(refused(&nested), ["Consent.provision.provision[0].period"]);
}

fn extensions() {
    for (locked, manages) in [(false, true), (true, false)] {
        let sharing = Sharing { locked: Some(locked), manages: Some(manages), ..sharing() };
        let form = written(&sharing, None);
        let flag =
            |name: &str, flag: bool| json!({ "url": format!("urn:recordgate:consent-{name}"), "valueBoolean": flag });
        assert_eq!(form["extension"][0], flag("locked", locked));
        assert_eq!(form["extension"][1], flag("manages", manages));
        assert_eq!(shared(&form), sharing);
    }
    let basis = json!({ "url": "urn:recordgate:consent-basis", "valueCodeableConcept": { "coding": [
        { "system": "urn:recordgate:consent-basis", "code": "EXPLICIT" },
        { "system": "urn:recordgate:consent-reason", "code": "OTHER" } ], "text": "told us" } });
    assert_eq!(written(&sharing(), None)["extension"][2], basis);
    let silent = Sharing { locked: None, manages: None, basis: None, ..sharing() };
    assert_eq!(shared(&without("/extension")), silent);
    let wrong = json!([{ "url": "urn:recordgate:consent-locked", "valueString": "yes" }]);
    assert_eq!(refused(&with("/extension", wrong)), ["Consent.extension[0].value"]);
    let elsewhere = Vocabulary { systems: "https://codes.example/", ..vocabulary() };
    let form = CanonicalConsent {
        id: "1",
        sharing: &sharing(),
        labels: &["GENERAL_HEALTH", "SEXUAL_HEALTH"],
        is_pending: false,
        is_over: false,
        changed_at: CHANGED_AT,
        ends_at: None,
        performers: &[],
        sent: None,
    };
    let form = canonical(&form, &elsewhere);
    assert_eq!(form["extension"][0]["url"], "https://codes.example/consent-locked");
    assert_eq!(read(&form, &elsewhere), Ok(ConsentReading::Sharing(sharing())), "as it was written");
    let both = read(&written(&sharing(), None), &elsewhere);
    assert_eq!(both, Ok(ConsentReading::Sharing(sharing())), "the default is understood under any setting");
}

fn kept() {
    let sent = json!({
        "text": { "status": "generated", "div": "<div xmlns=\"http://www.w3.org/1999/xhtml\">mine</div>" },
        "identifier": [{ "system": "urn:x", "value": "1" }],
        "organization": [{ "reference": "Organization/clinic" }],
        "sourceAttachment": { "title": "The terms" },
        "verification": [{ "verified": true }],
        "category": [concept("urn:x", "any")],
    });
    let form = written(&sharing(), Some(&sent));
    for name in ["text", "identifier", "organization", "sourceAttachment", "verification"] {
        assert_eq!(form[name], sent[name], "{name}");
    }
    assert_eq!(shared(&form), sharing());
}

fn not_understood() {
    for (element, value) in [
        ("data", json!([{ "meaning": "related", "reference": { "reference": "Task/1" } }])),
        ("code", json!([concept("http://loinc.org", "34133-9")])),
        ("class", json!([{ "code": "MedicationRequest" }])),
        ("purpose", json!([{ "code": "ETREAT" }])),
        ("dataPeriod", json!({ "end": "2020" })),
        ("modifierExtension", json!([{ "url": "urn:x", "valueBoolean": true }])),
    ] {
        for (pointer, path) in
            [("/provision", "Consent.provision"), ("/provision/provision/0", "Consent.provision.provision[0]")]
        {
            assert_eq!(refused(&with(&format!("{pointer}/{element}"), value.clone())), [format!("{path}.{element}")]);
        }
    }
    let started = with("/provision/period", json!({ "start": "2020", "end": "2030" }));
    assert_eq!(refused(&started), ["Consent.provision.period.start"]);
    let actions = json!([
        concept("http://terminology.hl7.org/CodeSystem/consentaction", "access"),
        concept("http://terminology.hl7.org/CodeSystem/consentaction", "correct"),
    ]);
    assert_eq!(refused(&with("/provision/provision/0/action", actions)), ["Consent.provision.provision[0].action[1]"]);
    let custodian = concept("http://terminology.hl7.org/CodeSystem/v3-ParticipationType", "CST");
    let role = json!([{ "role": custodian, "reference": { "reference": "Organization/clinic" } }]);
    assert_eq!(refused(&with("/provision/provision/0/actor", role)), ["Consent.provision.provision[0].actor[0].role"]);
    let unknown = json!([{ "system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "HIV" }]);
    let found = refused(&with("/provision/provision/0/securityLabel", unknown));
    assert_eq!(found, ["Consent.provision.provision[0].securityLabel[0]"]);
    assert_eq!(refused(&with("/modifierExtension", json!([]))), ["Consent.modifierExtension"]);
}

#[test]
fn every_cell_of_the_table_is_what_is_read_and_written() {
    hold(CONSENT);
}

#[test]
fn no_cell_number_or_row_of_the_table_can_change_alone() {
    assert!(marked::names(CONSENT).contains(&"consent-fhir"));
    for change in marked::changes(CONSENT, "consent-fhir") {
        assert!(catch_unwind(|| hold(&change)).is_err(), "unnoticed: {}", marked::table(&change, "consent-fhir"));
    }
}

#[test]
fn hl7s_example_pkb_gives_its_team_all_four_labels_and_is_written_with_four_permits() {
    let sent = example("pkb");
    let sharing = shared(&sent);
    assert_eq!(sharing.grantee, GranteeReference::Organization("f001".into()));
    assert_eq!((sharing.patient.as_str(), sharing.labels, sharing.is_inactive), ("example", 15, false));
    let (team, organisation) = (TeamId(11), OrganisationId(10));
    let grantee = Grantee::Team(team);
    let facts = ConsentFacts {
        patient: &PatientState::normal(PatientId(1)),
        to: GranteeFacts { grantee, organisation: Some(organisation), default_access: Labels(1) },
        before: None,
        is_associated: true,
        carers_end_at_age: 16,
    };
    let wanted = WantedConsent {
        labels: Some(Labels(sharing.labels)),
        discharged: Some(sharing.is_inactive),
        ..WantedConsent::default()
    };
    let now = Moment(1_800_000_000_000);
    let after = change(Actor::Patient, &wanted, &facts, ConsentId(1), now).expect("the patient may").after;
    assert_eq!((after.grantee, after.in_force(now)), (grantee, Labels::ALL), "team f001 holds 15");
    let form = written(&sharing, Some(&sent));
    let permits = form["provision"]["provision"].as_array().expect("provisions");
    let codes: Vec<&Value> = permits.iter().map(|permit| &permit["securityLabel"][0]["code"]).collect();
    assert_eq!(codes, ["GENERAL_HEALTH", "MENTAL_HEALTH", "SEXUAL_HEALTH", "SOCIAL_CARE"]);
    assert_eq!(form["organization"], sent["organization"]);
}

#[test]
fn hl7s_eleven_other_examples_are_valid_and_not_understood_each_naming_why() {
    let named: [(&str, &[&str]); 11] = [
        ("basic", &["type", "securityLabel", "period.start", "actor"]),
        (
            "Emergency",
            &[
                "actor[0].role",
                "purpose",
                "type",
                "securityLabel",
                "provision[0].actor[0].role",
                "provision[0].securityLabel",
            ],
        ),
        ("grantor", &["actor[0].role", "actor[1].reference", "type", "securityLabel"]),
        ("notAuthor", &["actor[0].role", "type", "securityLabel"]),
        ("notOrg", &["action[1]"]),
        ("notThem", &["action[1]", "type", "securityLabel"]),
        ("notThis", &["data", "type", "securityLabel", "actor"]),
        ("notTime", &["type", "securityLabel", "period.start", "actor"]),
        ("Out", &["actor[0].role", "type", "securityLabel"]),
        (
            "signature",
            &[
                "type",
                "securityLabel",
                "provision[0].actor[0].role",
                "provision[0].code",
                "provision[0].class",
                "provision[0].securityLabel",
                "period.start",
            ],
        ),
        (
            "smartonfhir",
            &["type", "securityLabel", "provision[0].class", "provision[0].securityLabel", "period.start", "actor"],
        ),
    ];
    for (name, elements) in named {
        let issues = validate(&example(name).to_string(), &EXPECTATION);
        assert!(issues.is_empty(), "{name}: {issues:?}");
        let expected: Vec<String> = elements.iter().map(|element| format!("Consent.provision.{element}")).collect();
        assert_eq!(refused(&example(name)), expected, "{name}");
    }
    assert_eq!(named.len() + 1, EXAMPLES.len());
}

/// Worked example 27.
#[test]
fn the_nurse_to_be_kept_out_is_given_nothing_and_the_answer_names_the_action_that_is_not_understood() {
    let issues = read(&example("notThem"), &vocabulary()).expect_err("not understood");
    let words: Vec<String> = issues.iter().map(|issue| format!("{}: {}", issue.expression, issue.text)).collect();
    assert!(words.iter().any(|words| words.contains("the action correct is not understood")), "{words:?}");
    assert!(words.iter().any(|words| words.starts_with("Consent.provision.type")), "{words:?}");
    assert!(words.iter().any(|words| words.starts_with("Consent.provision.securityLabel")), "{words:?}");
}
