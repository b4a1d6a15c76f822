//! `recordgate consent` and `recordgate record`, and consents in the world file.

use crate::terminal::operator::Operator;
use crate::terminal::world::{CLINIC, HOSPITAL, WORLD};
use serde_json::{Value, json};

/// Further teams and people: a ward, a carer, and a professional without a team.
const MORE: &str = r#"
[[team]]
public_id = "0d9f7c1e-5a44-4c39-8a51-6f0a1b2c3d4e"
organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
name = "Ward 4"

[[user]]
username = "tomas"
password = "Copper-kettle-on-8"
type = "PATIENT"
name = "Tomas Osei"
patient = "tomas-osei"

[[user]]
username = "grey"
password = "Seven-herons-at-dawn"
type = "CLINICIAN"
name = "Dr Grey"
"#;
const WARD: &str = "0d9f7c1e-5a44-4c39-8a51-6f0a1b2c3d4e";

fn operator() -> Operator {
    let operator = Operator::new();
    operator.file("world.toml", &format!("{WORLD}{MORE}"));
    operator.run(&["apply", "world.toml"]).fine();
    operator
}

fn listed(operator: &Operator, patient: &str) -> Value {
    operator.run(&["consent", "list", patient, "--json"]).json()
}

/// The consent of a patient to this grantee.
fn to(operator: &Operator, patient: &str, grantee: &str) -> Value {
    let all = listed(operator, patient);
    all.as_array().unwrap().iter().find(|one| one["grantee"] == grantee).cloned().unwrap_or_default()
}

fn set(operator: &Operator, arguments: &[&str]) -> Value {
    operator.run(&[&["consent", "set", "--json", "amina-osei"], arguments].concat()).json()
}

#[test]
fn a_registration_is_listed_as_the_teams_consent_of_all_labels() {
    let operator = operator();
    let all = listed(&operator, "amina-osei");
    assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
    assert_eq!(
        (&all[0]["kind"], &all[0]["grantee"], &all[0]["state"]),
        (&json!("TEAM"), &json!(CLINIC), &json!("ACTIVE"))
    );
    assert_eq!(all[0]["labels"].as_array().unwrap().len(), 4);
    let complaint = operator.run(&["consent", "list", "nobody"]).failed(1);
    assert!(complaint.contains("there is no patient nobody"), "{complaint}");
}

#[test]
fn a_consent_is_set_for_a_team_a_carer_and_a_professional_and_told_whether_that_was_news() {
    let operator = operator();
    let given = set(&operator, &["--team", WARD]);
    assert_eq!(
        (&given["changed"], &given["consent"]["labels"]),
        (&json!(true), &json!(["GENERAL_HEALTH"])),
        "its default"
    );
    let labels = ["--team", WARD, "--labels", "GENERAL_HEALTH,SOCIAL_CARE"];
    assert_eq!(set(&operator, &labels)["changed"], true);
    assert_eq!(set(&operator, &labels)["changed"], false);
    assert_eq!(to(&operator, "amina-osei", WARD)["labels"], json!(["GENERAL_HEALTH", "SOCIAL_CARE"]));

    let carer = ["--carer", "tomas", "--labels", "GENERAL_HEALTH", "--manages", "--ends-at", "2031-04-30"];
    let carer = set(&operator, &carer)["consent"].clone();
    assert_eq!((&carer["state"], &carer["manages"]), (&json!("ACTIVE"), &json!(true)), "the operator's word is enough");
    assert_eq!(carer["ends_at"], "2031-05-01T00:00:00.000Z", "to the end of the day");
    let professional = set(&operator, &["--professional", "grey", "--labels", "MENTAL_HEALTH"])["consent"].clone();
    assert_eq!((&professional["kind"], &professional["basis"]), (&json!("PROFESSIONAL"), &json!("EXPLICIT")));

    let over = set(&operator, &["--team", WARD, "--discharge"])["consent"].clone();
    assert_eq!((&over["state"], &over["labels"]), (&json!("DISCHARGED"), &json!(["GENERAL_HEALTH", "SOCIAL_CARE"])));
    assert_eq!(set(&operator, &["--carer", "tomas", "--labels", "none", "--lock"])["consent"]["locked"], true);
    assert_eq!(to(&operator, "amina-osei", "tomas")["labels"], json!([]));
}

#[test]
fn a_consent_that_will_not_do_is_refused_with_what_would() {
    let operator = operator();
    let refused = |arguments: &[&str], code: i32, words: &str| {
        let complaint = operator.run(&[&["consent", "set", "amina-osei"], arguments].concat()).failed(code);
        assert!(complaint.contains(words), "{arguments:?}: {complaint}");
    };
    refused(&["--team", WARD, "--labels", "GENERAL"], 2, "it must be GENERAL_HEALTH");
    refused(&["--team", WARD, "--basis", "IMPLIED"], 2, "basis IMPLIED needs a reason");
    refused(&["--team", WARD, "--reason", "OTHER"], 2, "needs a text");
    refused(&["--team", WARD, "--manages"], 2, "manages is for a carer only");
    refused(&["--team", HOSPITAL], 1, "is no team");
    refused(&["--carer", "grey"], 1, "is no PATIENT");
    refused(&["--carer", "amina"], 1, "is the patient");
    refused(&["--professional", "coordinator"], 1, "is no CLINICIAN without a team");
    refused(&["--carer", "tomas", "--team", WARD], 2, "cannot be used with");
}

#[test]
fn an_invitation_that_is_none_is_not_accepted() {
    let operator = operator();
    let complaint = operator.run(&["consent", "accept", "11111111-1111-4111-8111-111111111111"]).failed(1);
    assert!(complaint.contains("there is no consent 11111111"), "{complaint}");
}

#[test]
fn disabling_the_sharing_discharges_all_and_enabling_it_brings_none_back() {
    let operator = operator();
    let state = |word: &str| {
        operator.run(&["record", word, "amina-osei", "--reason", "asked in writing", "--json"]).json()["changed"]
            .clone()
    };
    assert_eq!((state("freeze"), state("freeze"), state("unfreeze")), (json!(true), json!(false), json!(true)));
    assert_eq!((state("disable-sharing"), state("disable-sharing")), (json!(true), json!(false)));
    assert_eq!(to(&operator, "amina-osei", CLINIC)["state"], "DISCHARGED");
    let complaint = operator.run(&["consent", "set", "amina-osei", "--team", WARD]).failed(1);
    assert!(complaint.contains("sharing of this record is disabled"), "{complaint}");
    assert_eq!(state("enable-sharing"), json!(true));
    assert_eq!(to(&operator, "amina-osei", CLINIC)["state"], "DISCHARGED");
    assert_eq!(set(&operator, &["--team", WARD])["changed"], true);
}

#[test]
fn the_ledger_tells_which_operator_froze_a_record_and_why() {
    let operator = operator();
    operator.run(&["record", "freeze", "amina-osei", "--reason", "custody is disputed"]).fine();
    let told = operator.run(&["ledger", "--json"]).fine();
    let line = told.lines().find(|line| line.contains("custody is disputed")).unwrap_or_else(|| panic!("{told}"));
    assert!(line.contains("operator"), "{line}");
}

/// The world in which Amina's record is open to these.
fn with_consents(consents: &str) -> String {
    let world = format!("{WORLD}{MORE}");
    world.replace("patient = \"amina-osei\"", &format!("patient = \"amina-osei\"\nconsents = [{consents}]"))
}

fn changes(applied: &Value) -> Vec<String> {
    let of = |change: &Value| (change["what"] == "consent").then(|| change["change"].as_str().unwrap().to_owned());
    applied["changes"].as_array().unwrap().iter().filter_map(of).collect()
}

#[test]
fn consents_of_the_world_file_are_made_when_everybody_is_there_and_once() {
    let operator = Operator::new();
    let consents = format!(
        "{{ team = \"{WARD}\", labels = [\"GENERAL_HEALTH\"], basis = \"IMPLIED\", reason = \"REFERRAL\" }},
         {{ carer = \"tomas\", labels = [\"SOCIAL_CARE\"], manages = true, ends_at = \"2031-04-30\" }},
         {{ professional = \"grey\", labels = [\"MENTAL_HEALTH\"] }}"
    );
    operator.file("world.toml", &with_consents(&consents));
    let applied = operator.run(&["apply", "world.toml", "--json"]).json();
    assert_eq!(changes(&applied), ["created", "created", "created"]);
    let ward = to(&operator, "amina-osei", WARD);
    assert_eq!((&ward["labels"], &ward["reason"]), (&json!(["GENERAL_HEALTH"]), &json!("REFERRAL")));
    assert_eq!(to(&operator, "amina-osei", CLINIC)["labels"].as_array().unwrap().len(), 4, "the shorthand stays");
    assert_eq!(to(&operator, "amina-osei", "tomas")["manages"], true);

    let all_unchanged = |applied: &Value| {
        let changes = applied["changes"].as_array().unwrap();
        assert!(changes.iter().all(|change| change["change"] == "unchanged"), "{applied}");
    };
    all_unchanged(&operator.run(&["apply", "--dry-run", "world.toml", "--json"]).json());
    all_unchanged(&operator.run(&["apply", "world.toml", "--json"]).json());

    operator.file("world.toml", &with_consents(&consents.replace("SOCIAL_CARE", "SEXUAL_HEALTH")));
    let rehearsed = operator.run(&["apply", "--dry-run", "world.toml", "--json"]).json();
    assert_eq!(changes(&rehearsed), ["unchanged", "updated", "unchanged"]);
    assert_eq!(to(&operator, "amina-osei", "tomas")["labels"], json!(["SOCIAL_CARE"]), "a rehearsal changes nothing");
    assert_eq!(
        changes(&operator.run(&["apply", "world.toml", "--json"]).json()),
        ["unchanged", "updated", "unchanged"]
    );
    assert_eq!(to(&operator, "amina-osei", "tomas")["labels"], json!(["SEXUAL_HEALTH"]));
}

#[test]
fn a_declared_consent_that_will_not_do_is_refused_with_its_line() {
    let operator = Operator::new();
    let refused = |consents: &str, words: &str| {
        operator.file("world.toml", &with_consents(consents));
        let complaint = operator.run(&["apply", "world.toml"]).failed(1);
        assert!(complaint.contains("world.toml:") && complaint.contains(words), "{consents}: {complaint}");
    };
    refused(&format!("{{ team = \"{CLINIC}\" }}"), "is in teams and in consents");
    refused("{ carer = \"tomas\", professional = \"grey\" }", "name one of team, carer and professional");
    refused("{ carer = \"tomas\", label = [\"GENERAL_HEALTH\"] }", "did you mean labels?");
    refused(&format!("{{ team = \"{HOSPITAL}\" }}"), "there is no team");
    refused("{ carer = \"nobody\" }", "there is no user nobody");
}

#[test]
fn a_session_is_issued_about_the_record_of_somebody_cared_for_and_of_nobody_else() {
    let operator = operator();
    let issue = ["grant", "issue", "--client", "sleep-diary", "--user", "tomas", "--record", "amina-osei"];
    let complaint = operator.run(&issue).failed(1);
    assert!(complaint.contains("user tomas is no carer of amina-osei with a label"), "{complaint}");
    set(&operator, &["--carer", "tomas", "--labels", "GENERAL_HEALTH"]);
    operator.run(&issue).fine();
    set(&operator, &["--carer", "tomas", "--labels", "none"]);
    operator.run(&issue).failed(1);
    let own = ["grant", "issue", "--client", "sleep-diary", "--user", "amina", "--record", "amina-osei"];
    operator.run(&own).fine();
    let team = ["grant", "issue", "--client", "sleep-diary", "--user", "amina", "--for-team", CLINIC];
    let complaint = operator.run(&team).failed(1);
    assert!(complaint.contains("user amina is no member of the team"), "{complaint}");
}

/// The teams through which the System Client looks, as the list of organisations shows them.
fn through(operator: &Operator) -> Value {
    let organisations = operator.run(&["organisation", "list", "--json"]).json();
    let all = organisations.as_array().unwrap();
    let hospital = all.iter().find(|one| one["public_id"] == HOSPITAL).unwrap();
    hospital["through"]["letter-sender"].clone()
}

#[test]
fn a_system_client_looks_through_the_teams_that_its_grant_names() {
    let operator = operator();
    let grant = |team: &str| {
        ["organisation", "grant", HOSPITAL, "letter-sender", "--json", "--through", team].map(String::from)
    };
    let granted = |team: &str| {
        let arguments = grant(team);
        operator.run(&arguments.each_ref().map(String::as_str)).json()["changed"].clone()
    };
    assert_eq!(through(&operator), Value::Null);
    assert_eq!((granted(CLINIC), granted(CLINIC)), (json!(true), json!(false)));
    assert_eq!(through(&operator), json!([CLINIC]));
    operator.run(&["apply", "world.toml"]).fine();
    assert_eq!(through(&operator), json!([CLINIC]), "what is left out stays");
    assert_eq!(granted("none"), true);
    assert_eq!(through(&operator), Value::Null);

    let world = format!("{WORLD}{MORE}");
    let named = format!("client = \"letter-sender\"\nthrough = [\"{CLINIC}\", \"{WARD}\"]");
    operator.file("through.toml", &world.replace("client = \"letter-sender\"", &named));
    let rehearsed = operator.run(&["apply", "--dry-run", "through.toml"]).fine();
    assert!(rehearsed.contains("1 updated"), "{rehearsed}");
    operator.run(&["apply", "through.toml"]).fine();
    assert_eq!(through(&operator).as_array().unwrap().len(), 2);
    assert!(operator.run(&["apply", "through.toml"]).fine().contains("0 created, 0 updated"));
}

#[test]
fn nobody_looks_through_a_team_of_another_organisation() {
    let operator = operator();
    let other = "7e1d3c52-9b8a-4f60-8c2e-1a2b3c4d5e6f";
    operator.run(&["organisation", "add", "Elsewhere", "--public-id", other]).fine();
    let complaint = operator.run(&["organisation", "grant", other, "letter-sender", "--through", WARD]).failed(1);
    assert!(complaint.contains("is no team of the organisation"), "{complaint}");
    operator.run(&["organisation", "grant", HOSPITAL, "letter-sender", "--through", WARD]).fine();
    assert_eq!(through(&operator), json!([WARD]));
    let moves = format!("[[team]]\npublic_id = \"{WARD}\"\norganisation = \"{other}\"\nname = \"Ward 4\"\n");
    operator.file("moves.toml", &moves);
    operator.run(&["apply", "moves.toml"]).fine();
    assert_eq!(through(&operator), Value::Null, "the team has left");
}

#[test]
fn a_privacy_officer_is_of_one_organisation_and_grants_no_app() {
    let operator = operator();
    let add = ["user", "add", "vera", "--type", "PRIVACY_OFFICER", "--name", "Vera Moss", "--password-stdin"];
    let added = |further: &[&str]| operator.run_with_input(&[&add, further].concat(), "Eleven-owls-on-a-wire\n");
    assert!(added(&[]).failed(2).contains("organisation is missing"));
    assert!(added(&["--organisation", HOSPITAL, "--team", CLINIC]).failed(2).contains("teams is not for"));
    assert!(added(&["--organisation", WARD]).failed(1).contains("there is no organisation"));
    added(&["--organisation", HOSPITAL]).fine();
    let users = operator.run(&["user", "list", "--json"]).json();
    let vera = users.as_array().unwrap().iter().find(|user| user["username"] == "vera").unwrap();
    assert_eq!((&vera["type"], &vera["organisation"]), (&json!("PRIVACY_OFFICER"), &json!(HOSPITAL)));
    let complaint = operator.run(&["grant", "issue", "--client", "sleep-diary", "--user", "vera"]).failed(1);
    assert!(complaint.contains("is a PRIVACY_OFFICER"), "{complaint}");
}

#[test]
fn an_operator_asks_why_a_team_sees_a_record_and_hears_every_right() {
    let operator = operator();
    let viewer = format!("team:{CLINIC}");
    let asked = ["why", "--viewer", &viewer, "--patient", "amina-osei"];
    let refused = operator.run(&asked).failed(1);
    assert!(refused.contains("there is no Patient/amina-osei in the record of amina-osei"), "{refused}");
    operator.file("patient.ndjson", "{\"resourceType\":\"Patient\",\"id\":\"amina-osei\"}\n");
    operator.run(&["import", "patient.ndjson", "--organisation", HOSPITAL]).fine();
    let told = operator.run(&asked).fine();
    for line in ["sees Patient/amina-osei of amina-osei at", "  consent: yes, the patient shares with", "IMPLIED"] {
        assert!(told.contains(line), "{line} in {told}");
    }
    let json = operator.run(&[&asked[..], &["--json"]].concat()).json();
    assert_eq!((&json["sees"], &json["right"], &json["answer"]), (&json!(true), &json!("consent"), &json!("shown")));
    set(&operator, &["--team", CLINIC, "--discharge"]);
    let json = operator.run(&[&asked[..], &["--json"]].concat()).json();
    assert_eq!((&json["sees"], &json["consents"][0]["state"]), (&json!(true), &json!("DISCHARGED")), "an association");
    let ledger = operator.run(&["ledger", "--json"]).fine();
    assert_eq!(ledger.matches("\"event\":\"explained\"").count(), 4, "{ledger}");
    for (viewer, at) in [("clinic", "2031-04-30T12:00:00Z"), (viewer.as_str(), "yesterday")] {
        operator.run(&["why", "--patient", "amina-osei", "--viewer", viewer, "--at", at]).failed(2);
    }
}
