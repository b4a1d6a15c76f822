//! The table `consent-fhir`, cell by cell.

use crate::forms::{CHANGED_AT, concept, policy, refused, shared, sharing, vocabulary, with, without, written};
use crate::known_words::reads_as_known;
use crate::markdown::Table;
use crate::marked;
use fhir::consent::{CanonicalConsent, ConsentReading, GranteeReference, Sharing, Vocabulary, canonical, read};
use serde_json::{Value, json};
use std::panic::catch_unwind;

const CONSENT: &str = include_str!("../../../docs/consent.md");
const HEADER: [&str; 3] = ["element", "canonical form", "accepted on write"];

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
