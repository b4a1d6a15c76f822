//! `Organization/$generate-invitation-tokens`: who is invited, by whom, and what is told of it.

use crate::kit::caller::Caller;
use crate::kit::organisations::{HILLSIDE_TEAM, RIVERSIDE_TEAM, SLEEP_TEAM};
use crate::kit::records::{AMINA_NHS, BEN_NHS, NHS_NUMBER, import};
use crate::kit::{DAY, HILLSIDE, RIVERSIDE, World};
use rules::limits::INVITATION_SECONDS;
use serde_json::{Value, json};
use service::formats::when;
use service::secrets::invitation::plain;
use service::secrets::secret::Secret;
use store::invitations;
use store::ledger::{self, Event, LedgerSpan};
use store::world::{World as Declared, apply};

pub const INVITE: &str = "/fhir/Organization/$generate-invitation-tokens";
pub const CHI: &str = "urn:oid:2.16.840.1.113883.2.1.3.2.4.16.53";
/// Carla, of Riverside, has no account.
pub const CARLA_NHS: &str = "9990000034";
pub const CARLA_CHI: &str = "0102850001";

pub fn about(identifiers: &[(&str, &str)]) -> Value {
    let one = |(system, value): &(&str, &str)| json!({ "name": "patientIdentifier", "valueIdentifier": { "system": system, "value": value } });
    json!({ "resourceType": "Parameters", "parameter": identifiers.iter().map(one).collect::<Vec<_>>() })
}

pub fn carla() -> Value {
    json!({ "resourceType": "Patient", "id": "carla", "birthDate": "1985-02-01",
        "name": [{ "use": "official", "given": ["Carla", "Maria"], "family": "New" }],
        "identifier": [{ "system": NHS_NUMBER, "value": CARLA_NHS }, { "system": CHI, "value": CARLA_CHI }] })
}

/// A world in which Riverside has a patient without an account.
pub async fn with_carla() -> World {
    let w = World::new().await;
    import(&w.app.store, RIVERSIDE, &[carla()], w.now()).await;
    registers(&w, "carla", &[RIVERSIDE_TEAM]).await;
    w
}

/// Makes these the teams that a patient is registered with.
pub async fn registers(w: &World, patient: &str, teams: &[&str]) {
    let teams = teams.iter().map(|team| (*team).to_owned()).collect();
    let declared = Declared { patients: vec![(patient.to_owned(), teams)], ..Declared::default() };
    apply(&w.app.store, declared, w.now()).await.unwrap();
}

/// One of those who were invited.
#[derive(Clone, Debug)]
pub struct Invited {
    pub identifier: Value,
    pub token: String,
    pub code: String,
    pub expiry: String,
}

pub async fn invites(caller: &Caller<'_>, identifiers: &[(&str, &str)]) -> Vec<Invited> {
    let reply = caller.post(INVITE, &about(identifiers)).await;
    assert_eq!(reply.opened().header("cache-control"), Some("no-store"));
    let answer = reply.json();
    let told = answer["parameter"].as_array().cloned().unwrap_or_default();
    let invited = told.iter().filter(|parameter| parameter["name"] != "outcome").map(|parameter| {
        assert_eq!(parameter["name"], "patientTokens");
        let part = |name: &str, value: &str| {
            let parts = parameter["part"].as_array().unwrap();
            parts.iter().find(|part| part["name"] == name).unwrap()[value].clone()
        };
        let text = |name: &str, value: &str| part(name, value).as_str().unwrap().to_owned();
        Invited {
            identifier: part("patientIdentifier", "valueIdentifier"),
            token: text("token", "valueString"),
            code: text("code", "valueString"),
            expiry: text("expiry", "valueDateTime"),
        }
    });
    invited.collect()
}

/// How many lines of the ledger tell of this.
async fn noted(w: &World, event: Event) -> usize {
    ledger::add(&w.app.store, w.now()).await.unwrap();
    let mut count = 0;
    let counted = |_| {
        count += 1;
        true
    };
    ledger::each(&w.app.store, LedgerSpan::ALL, |line| line.event == event, counted).await.unwrap();
    count
}

// gaps: FHIR, where R4 leaves it open > $generate-invitation-tokens
#[tokio::test]
async fn a_patient_without_an_account_is_invited_by_a_pair_that_nobody_else_is_shown() {
    let w = with_carla().await;
    let system = w.system().await;
    let invited = invites(&system, &[(NHS_NUMBER, CARLA_NHS)]).await;
    let [one] = &invited[..] else { panic!("{invited:?}") };
    assert_eq!(one.identifier, json!({ "system": NHS_NUMBER, "value": CARLA_NHS }));
    assert_eq!(one.expiry, when::rfc3339(w.now().plus_seconds(INVITATION_SECONDS)));
    let stored = invitations::find(&w.app.store, &plain(&one.code)).await.unwrap().unwrap();
    assert!(stored.stands(w.now()) && stored.patient_id == "carla");
    assert!(Secret::new(plain(&one.token)).matches(&stored.pair.token));
    assert_eq!(noted(&w, Event::Invited).await, 1);
}

#[tokio::test]
async fn a_new_pair_ends_the_last() {
    let w = with_carla().await;
    let system = w.system().await;
    let first = invites(&system, &[(NHS_NUMBER, CARLA_NHS)]).await.remove(0);
    let second = invites(&system, &[(CHI, CARLA_CHI)]).await.remove(0);
    assert!(first.code != second.code && first.token != second.token);
    assert!(invitations::find(&w.app.store, &plain(&first.code)).await.unwrap().is_none());
    assert!(invitations::find(&w.app.store, &plain(&second.code)).await.unwrap().is_some());
}

#[tokio::test]
async fn identifiers_of_one_patient_have_one_pair_and_are_answered_in_their_order() {
    let w = with_carla().await;
    let asked = [(CHI, CARLA_CHI), (NHS_NUMBER, "nobody's"), (NHS_NUMBER, CARLA_NHS), (CHI, CARLA_CHI)];
    let invited = invites(&w.system().await, &asked).await;
    let values: Vec<&str> = invited.iter().map(|one| one.identifier["value"].as_str().unwrap()).collect();
    assert_eq!(values, [CARLA_CHI, CARLA_NHS, CARLA_CHI]);
    assert!(invited.iter().all(|one| (&one.code, &one.token) == (&invited[0].code, &invited[0].token)));
    assert_eq!(noted(&w, Event::Invited).await, 1);
}

/// Left out, and not told why: unknown and foreign patients, those who have died or have an account, those without a whole date
/// of birth, and those who are too young.
#[tokio::test]
async fn who_cannot_be_invited_is_left_out() {
    let w = with_carla().await;
    let patient = |id: &str, member: &str, value: Value| {
        json!({ "resourceType": "Patient", "id": id, "birthDate": "1985-02-01",
            "identifier": [{ "system": CHI, "value": id }], member: value })
    };
    let newcomers = [
        patient("dead", "deceasedBoolean", json!(true)),
        patient("dead-since", "deceasedDateTime", json!("2020-01-01")),
        patient("alive", "deceasedBoolean", json!(false)),
        patient("year", "birthDate", json!("1985")),
        patient("month", "birthDate", json!("1985-02")),
        patient("child", "birthDate", json!("2020-02-01")),
        json!({ "resourceType": "Patient", "id": "ageless", "identifier": [{ "system": CHI, "value": "ageless" }] }),
    ];
    import(&w.app.store, RIVERSIDE, &newcomers, w.now()).await;
    for one in &newcomers {
        registers(&w, one["id"].as_str().unwrap(), &[RIVERSIDE_TEAM]).await;
    }
    import(&w.app.store, HILLSIDE, &[patient("theirs", "active", json!(true))], w.now()).await;
    registers(&w, "theirs", &[HILLSIDE_TEAM]).await;
    let mut asked = vec![(NHS_NUMBER, AMINA_NHS), (NHS_NUMBER, BEN_NHS), (NHS_NUMBER, "nobody's"), (CHI, "theirs")];
    asked.extend(newcomers.iter().map(|one| (CHI, one["id"].as_str().unwrap())));
    let invited = invites(&w.system().await, &asked).await;
    let values: Vec<&str> = invited.iter().map(|one| one.identifier["value"].as_str().unwrap()).collect();
    assert_eq!(values, ["alive"]);
    let none = w.system().await.post(INVITE, &about(&asked[..3])).await;
    assert_eq!(none.opened().json(), json!({ "resourceType": "Parameters" }));
    assert_eq!(invites(&w.system_for_hillside().await, &[(CHI, "theirs"), (CHI, "alive")]).await.len(), 1);
}

/// Riverside's System Client wrote Carla's Patient, and sees it; that it knows her is for a registration to say. What is told is
/// what Riverside knows itself.
// gaps: FHIR, where R4 leaves it open > $generate-invitation-tokens
#[tokio::test]
async fn to_have_written_about_a_patient_once_is_not_enough_to_invite_them() {
    let w = with_carla().await;
    let (riverside, asked) = (w.system().await, [(NHS_NUMBER, "nobody's"), (NHS_NUMBER, CARLA_NHS)]);
    for teams in [&[][..], &[HILLSIDE_TEAM]] {
        registers(&w, "carla", teams).await;
        riverside.get("/fhir/Patient/carla").await.opened();
        assert!(invites(&riverside, &asked).await.is_empty());
        let told = riverside.post(INVITE, &about(&asked)).await.opened().json();
        let issues = told["parameter"][0]["resource"]["issue"].as_array().unwrap();
        assert_eq!((told["parameter"].as_array().unwrap().len(), issues.len()), (1, 1), "{told}");
        assert!(issues[0]["diagnostics"].as_str().unwrap().contains("no current registration"), "{told}");
        assert_eq!(issues[0]["expression"], json!(["Parameters.parameter.where(name = 'patientIdentifier')[1]"]));
    }
    let hillside = w.system_for_hillside().await;
    let invited = invites(&hillside, &asked).await;
    assert_eq!(invited.len(), 1, "Hillside has her");
    registers(&w, "carla", &[SLEEP_TEAM, HILLSIDE_TEAM]).await;
    assert_eq!(invites(&riverside, &asked).await.len(), 1, "any team of the organisation will do");
    assert_eq!(noted(&w, Event::Invited).await, 2);
}

#[tokio::test]
async fn a_request_that_is_wrong_invites_nobody() {
    let w = with_carla().await;
    let system = w.system().await;
    let foreign = about(&[(NHS_NUMBER, CARLA_NHS), ("http://hl7.org/fhir/sid/us-ssn", "1")]);
    let words = system.post(INVITE, &foreign).await.words(400, "BAD_REQUEST");
    assert!(words.contains(NHS_NUMBER) && words.contains(CHI), "{words}");
    for wrong in [
        about(&[]),
        about(&[(NHS_NUMBER, "")]),
        about(&vec![(NHS_NUMBER, CARLA_NHS); 501]),
        json!({ "resourceType": "Parameters", "parameter": [{ "name": "patientIdentifier", "valueString": CARLA_NHS }] }),
        json!({ "resourceType": "Parameters", "parameter": [{ "name": "other", "valueString": "x" }] }),
        json!({ "resourceType": "Patient" }),
    ] {
        system.post(INVITE, &wrong).await.says(400, "BAD_REQUEST");
    }
    assert_eq!(noted(&w, Event::Invited).await, 0);
    assert_eq!(invites(&system, &vec![(NHS_NUMBER, CARLA_NHS); 500]).await.len(), 500);
}

#[tokio::test]
async fn only_a_system_client_invites_and_only_for_an_organisation_that_granted_it() {
    let w = with_carla().await;
    let asked = about(&[(NHS_NUMBER, CARLA_NHS)]);
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.grace().caller().await, w.site().await] {
        caller.post(INVITE, &asked).await.says(403, "USER_TYPE_NOT_PERM");
    }
    let mut unnamed = w.system().await;
    unnamed.organisation = None;
    unnamed.post(INVITE, &asked).await.says(400, "BAD_REQUEST");
    unnamed.organisation = Some(HILLSIDE.into());
    unnamed.post(INVITE, &asked).await.says(403, "ORGANISATION_NOT_GRANTED");
    assert_eq!(noted(&w, Event::Invited).await, 0);
}

#[tokio::test]
async fn the_definition_takes_no_token_and_metadata_names_the_operation() {
    let w = World::new().await;
    let definition = w.get("/fhir/OperationDefinition/generate-invitation-tokens").await.opened().json();
    assert_eq!((&definition["affectsState"], &definition["type"]), (&json!(true), &json!(true)));
    assert_eq!(definition["resource"], json!(["Organization"]));
    assert_eq!((&definition["parameter"][0]["min"], &definition["parameter"][0]["max"]), (&json!(1), &json!("500")));
    let statement = w.get("/fhir/metadata").await.opened().json();
    let types = statement["rest"][0]["resource"].as_array().unwrap();
    let organisation = types.iter().find(|one| one["type"] == "Organization").unwrap();
    let operations = organisation["operation"].as_array().unwrap();
    assert!(operations.iter().any(|one| one["name"] == "generate-invitation-tokens"), "{operations:?}");
    w.system().await.get(INVITE).await.says(405, "METHOD_NOT_ALLOWED");
}

/// Forty at once for one patient: each is answered, and one pair is left.
#[tokio::test]
async fn of_many_who_invite_one_patient_at_once_the_last_pair_stands() {
    let w = with_carla().await;
    let system = w.system().await;
    let all = (0..40).map(|_| invites(&system, &[(NHS_NUMBER, CARLA_NHS)]));
    let all = futures_util::future::join_all(all).await;
    let mut standing = 0;
    for invited in &all {
        let found = invitations::find(&w.app.store, &plain(&invited[0].code)).await.unwrap();
        standing += usize::from(found.is_some_and(|found| found.stands(w.now())));
    }
    assert_eq!((standing, noted(&w, Event::Invited).await), (1, 40));
}

#[tokio::test]
async fn an_invitation_is_swept_when_it_is_over() {
    let w = with_carla().await;
    let one = invites(&w.system().await, &[(NHS_NUMBER, CARLA_NHS)]).await.remove(0);
    w.after(30 * DAY);
    assert!(!invitations::find(&w.app.store, &plain(&one.code)).await.unwrap().unwrap().stands(w.now()));
    assert_eq!(store::sweep::sweep(&w.app.store, w.now()).await.unwrap().invitations, 1);
    assert!(invitations::find(&w.app.store, &plain(&one.code)).await.unwrap().is_none());
}
