//! The invented world: there once, complete, unread, and only where nothing else is.

use crate::sandbox::house::{LARKFIELD, MARSH_LANE, open};
use fhir::types::ResourceType;
use rules::reach::Reach;
use service::app::Shared;
use service::sandbox::{Preparation, prepare};
use store::documents::{contents, receipts};
use store::organisations;
use store::world::{self, WantedOrganisation, World};
use store::{clients, patients, people, read, settings};
use tempfile::TempDir;

const SLEEP_CLINIC: &str = "11111111-1111-4111-8111-aaaaaaaaaaaa";
const DIABETES_TEAM: &str = "11111111-1111-4111-8111-bbbbbbbbbbbb";
const PRACTICE_TEAM: &str = "22222222-2222-4222-8222-cccccccccccc";
/// One of the letters that the practice wrote to Amina.
const AMINAS_LETTER: &str = "86eae70f-15b4-4ee3-9a26-594bdb7013b3";
const NHS_NUMBER: &str = "https://fhir.nhs.uk/Id/nhs-number";

async fn opened(directory: &TempDir) -> Shared {
    open(directory.path(), "http://127.0.0.1:1", true).await
}

#[tokio::test]
async fn an_empty_database_gets_the_world_once() {
    let directory = TempDir::new().unwrap();
    let app = opened(&directory).await;
    assert_eq!(prepare(&app).await.unwrap(), Preparation::Loaded);
    assert_eq!(prepare(&app).await.unwrap(), Preparation::ThereAlready);
    drop(app);

    let app = opened(&directory).await;
    assert_eq!(prepare(&app).await.unwrap(), Preparation::ThereAlready, "a restart loads nothing");
    assert_eq!(organisations::list(&app.store).await.unwrap().len(), 2);
    assert!(organisations::list_teams(&app.store).await.unwrap().len() >= 2);
    let kinds: Vec<&str> = clients::list(&app.store).await.unwrap().iter().map(|client| client.kind.word()).collect();
    for kind in ["user", "system", "tethered"] {
        assert!(kinds.contains(&kind), "there is a client of kind {kind}");
    }
}

#[tokio::test]
async fn a_database_that_holds_anything_stays_as_it_is() {
    let directory = TempDir::new().unwrap();
    let app = opened(&directory).await;
    let own = WantedOrganisation::of(MARSH_LANE, "My own");
    let world = World { organisations: vec![own], ..World::default() };
    world::apply(&app.store, world, app.clock.now()).await.unwrap();

    assert_eq!(prepare(&app).await.unwrap(), Preparation::OwnData);
    assert_eq!(organisations::list(&app.store).await.unwrap()[0].name, "My own");
    assert!(people::list(&app.store).await.unwrap().is_empty(), "nobody moved in");
}

#[tokio::test]
async fn a_load_that_was_cut_short_is_finished_by_the_next_start() {
    let directory = TempDir::new().unwrap();
    let app = opened(&directory).await;
    settings::set(&app.store, "sandbox-world", "loading".into()).await.unwrap();
    let half = WantedOrganisation::of(LARKFIELD, "Half of a name");
    let world = World { organisations: vec![half], ..World::default() };
    world::apply(&app.store, world, app.clock.now()).await.unwrap();

    assert_eq!(prepare(&app).await.unwrap(), Preparation::Loaded);
    let larkfield = organisations::find(&app.store, LARKFIELD).await.unwrap().unwrap();
    assert_eq!(larkfield.name, "Larkfield Hospitals");
    assert_eq!(prepare(&app).await.unwrap(), Preparation::ThereAlready);
}

/// The letters of an organisation, by number.
async fn letters(app: &Shared, organisation: &str) -> Vec<receipts::Receipt> {
    let organisation = organisations::find(&app.store, organisation).await.unwrap().unwrap().id;
    let numbers: Vec<String> = (1..=20).map(|number| format!("d0c00000-0000-4000-8000-{number:012}")).collect();
    receipts::receipts(&app.store, organisation, &numbers).await.unwrap()
}

#[tokio::test]
async fn no_letter_of_either_organisation_has_been_read() {
    let directory = TempDir::new().unwrap();
    let app = opened(&directory).await;
    prepare(&app).await.unwrap();
    let (larkfield, marsh_lane) = (letters(&app, LARKFIELD).await, letters(&app, MARSH_LANE).await);
    assert!(larkfield.len() >= 3 && marsh_lane.len() >= 3, "both send letters");
    assert!(larkfield.iter().chain(&marsh_lane).all(|letter| letter.read_at.is_none()));
}

/// Mod 11, as every NHS number has it.
fn check_digit_is_right(number: &str) -> bool {
    let digits: Vec<u32> = number.chars().map(|digit| digit.to_digit(10).unwrap()).collect();
    let sum: u32 = digits.iter().take(9).zip((2..=10).rev()).map(|(digit, weight)| digit * weight).sum();
    digits.len() == 10 && (11 - sum % 11) % 11 == digits[9]
}

/// The Patient resource of every patient who can log in.
async fn patient_resources(app: &Shared) -> Vec<serde_json::Value> {
    let mut found = Vec::new();
    for id in people::list(&app.store).await.unwrap().into_iter().filter_map(|user| user.patient_id) {
        let number = patients::find(&app.store, &id).await.unwrap();
        let own = Reach::of_patient(number.unwrap_or_else(|| panic!("nobody has heard of {id}")));
        let record = read::read(&app.store, &own, ResourceType::Patient, &id, app.clock.now()).await.unwrap();
        let record = record.unwrap_or_else(|| panic!("there is no Patient/{id}"));
        found.push(serde_json::from_str(&record.body).unwrap());
    }
    found
}

#[tokio::test]
async fn patients_are_complete_and_plainly_invented() {
    let directory = TempDir::new().unwrap();
    let app = opened(&directory).await;
    prepare(&app).await.unwrap();
    let patients = patient_resources(&app).await;
    assert_eq!(patients.len(), 5 + 36, "those whom the guide names, and the others");
    for patient in patients {
        assert_eq!(patient["identifier"][0]["system"], NHS_NUMBER);
        let number = patient["identifier"][0]["value"].as_str().unwrap();
        assert!(number.starts_with("999") && check_digit_is_right(number), "{number} is a test number");
        assert!(patient["address"][0]["postalCode"].as_str().unwrap().starts_with("ZZ99"), "no such place");
        assert!(patient["telecom"][0]["value"].as_str().unwrap().starts_with("07700 900"), "no such telephone");
        assert!(patient["telecom"][1]["value"].as_str().unwrap().ends_with(".example"), "no such mailbox");
        assert!(patient["birthDate"].is_string() && patient["name"][0]["family"].is_string());
    }
}

/// What a team sees of a patient's Patient resource.
async fn is_seen_by(app: &Shared, team: &str, patient: &str) -> bool {
    let team = organisations::find_team(&app.store, team).await.unwrap().unwrap();
    let reach = Reach::of_teams(vec![team.id]);
    read::read(&app.store, &reach, ResourceType::Patient, patient, app.clock.now()).await.unwrap().is_some()
}

#[tokio::test]
async fn everybody_else_is_a_patient_of_the_practice_and_every_third_of_a_clinic_too() {
    let directory = TempDir::new().unwrap();
    let app = opened(&directory).await;
    prepare(&app).await.unwrap();
    let mut seen = [0; 3];
    for user in people::list(&app.store).await.unwrap().into_iter().filter(|user| user.username.contains('.')) {
        let patient = user.patient_id.unwrap();
        for (count, team) in seen.iter_mut().zip([PRACTICE_TEAM, SLEEP_CLINIC, DIABETES_TEAM]) {
            *count += i32::from(is_seen_by(&app, team, &patient).await);
        }
    }
    assert_eq!(seen, [36, 12, 12]);
}

#[tokio::test]
async fn a_letter_of_the_invented_people_opens_as_a_pdf() {
    let directory = TempDir::new().unwrap();
    let app = opened(&directory).await;
    prepare(&app).await.unwrap();
    let amina = patients::find(&app.store, "amina-okafor").await.unwrap().unwrap();
    let (own, now) = (Reach::of_patient(amina), app.clock.now());
    let found = read::read(&app.store, &own, ResourceType::DocumentReference, AMINAS_LETTER, now).await;
    let letter: serde_json::Value = serde_json::from_str(&found.unwrap().unwrap().body).unwrap();
    let binary = letter["content"][0]["attachment"]["url"].as_str().unwrap().strip_prefix("Binary/").unwrap();
    let team = organisations::find_team(&app.store, PRACTICE_TEAM).await.unwrap().unwrap();
    let reach = Reach::of_teams(vec![team.id]);
    let binary = read::read(&app.store, &reach, ResourceType::Binary, binary, now).await.unwrap().unwrap();
    let content = contents::find(&app.store, &binary).await.unwrap().unwrap();
    let bytes = contents::piece(&app.store, &content, 0).await.unwrap();
    assert!(bytes.starts_with(b"%PDF-1.4") && bytes.ends_with(b"%%EOF\n"));
    assert_eq!(letter["content"][0]["attachment"]["size"], bytes.len());
}
