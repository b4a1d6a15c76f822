//! HL7's own examples: one is understood, eleven are not.

use crate::forms::{EXPECTATION, refused, shared, vocabulary, written};
use fhir::consent::{GranteeReference, read};
use fhir::validation::validate;
use rules::consent::actor::{Actor, GranteeFacts};
use rules::consent::change::{ConsentFacts, WantedConsent, change};
use rules::consent::record::{ConsentId, Grantee};
use rules::consent::state::PatientState;
use rules::ids::{OrganisationId, PatientId, TeamId};
use rules::labels::Labels;
use rules::moment::Moment;
use serde_json::Value;

/// HL7's examples, by the end of their ids.
const EXAMPLES: [(&str, &str); 12] = [
    ("basic", include_str!("examples/basic.json")),
    ("Emergency", include_str!("examples/Emergency.json")),
    ("grantor", include_str!("examples/grantor.json")),
    ("notAuthor", include_str!("examples/notAuthor.json")),
    ("notOrg", include_str!("examples/notOrg.json")),
    ("notThem", include_str!("examples/notThem.json")),
    ("notThis", include_str!("examples/notThis.json")),
    ("notTime", include_str!("examples/notTime.json")),
    ("Out", include_str!("examples/Out.json")),
    ("pkb", include_str!("examples/pkb.json")),
    ("signature", include_str!("examples/signature.json")),
    ("smartonfhir", include_str!("examples/smartonfhir.json")),
];

fn example(name: &str) -> Value {
    let (_, text) = EXAMPLES.iter().find(|(known, _)| *known == name).expect("an example of that name");
    serde_json::from_str(text).expect("JSON")
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
