//! The records: their bodies say whose they are and are otherwise untouched, they are found again, and they show to whom the rules say.

use crate::home::Home;
use crate::reader::{NOW, reader, served};
use fhir::search::reading;
use fhir::types::{self, ResourceType};
use rules::ids::TeamId;
use rules::labels::Needs;
use rules::reach::{Reach, Right};
use store::checks::{self, Fault};
use store::history::versions;
use store::history::window::HistoryWindow;
use store::search::compile::Search;
use store::search::post_filter;
use store::{Store, organisations, patients, read};

#[tokio::test]
async fn every_resource_keeps_its_number_type_version_moment_and_body_but_for_its_source_and_the_content_of_binaries() {
    let released = "SELECT r.id, w.word, r.fhir_id, r.version, r.updated_at, r.body
        FROM resources r JOIN words w ON w.id = r.type_id";
    for home in Home::released().await {
        let before = home.rows(released);
        let _store = served(&home).await;
        let after = home.rows("SELECT id, type, fhir_id, version, updated_at, body FROM resources");
        let named = after.iter().map(|row| {
            let mut cells: Vec<&str> = row.splitn(6, '|').collect();
            cells[1] = types::numbered(cells[1].parse().unwrap()).unwrap().name();
            let body = without_content(&without_source(&store::unpacked(cells[5])));
            cells[5] = &body;
            cells.join("|")
        });
        let before: Vec<String> = before.iter().map(|row| without_content(&without_source(row))).collect();
        assert_eq!(named.collect::<Vec<_>>(), before);
        assert_eq!(before.len(), 18);
    }
}

/// A body as it is without what it says of its source.
fn without_source(body: &str) -> String {
    match body.split_once(r#","source":""#) {
        Some((before, rest)) => format!("{before}{}", rest.split_once('"').unwrap().1),
        None => body.into(),
    }
}

/// The row of a Binary without what it says of its content.
fn without_content(row: &str) -> String {
    match row.split_once(r#","data":""#) {
        Some((before, _)) if row.contains(r#""resourceType":"Binary""#) => before.into(),
        _ => row.into(),
    }
}

#[tokio::test]
async fn every_resource_says_the_source_that_its_row_has() {
    for home in Home::released().await {
        let _store = served(&home).await;
        let sources = home.rows(
            "SELECT r.body, o.public_id, t.public_id, p.fhir_id FROM resources r
                LEFT JOIN organisations o ON o.id = r.source_organisation_id
                LEFT JOIN teams t ON t.id = r.source_team_id LEFT JOIN patients p ON p.id = r.source_patient_id",
        );
        assert_eq!(sources.len(), 18);
        for row in sources {
            let mut cells = row.rsplitn(4, '|');
            let [patient, team, organisation, body] = std::array::from_fn(|_| cells.next().unwrap());
            let expected = match (organisation, team, patient) {
                (_, "", "") => format!("organisation:{organisation}"),
                (_, team, "") => format!("team:{team}"),
                (_, _, patient) => format!("patient:{patient}"),
            };
            let body = store::unpacked(body);
            assert!(body.contains(&format!(r#","source":"urn:recordgate:{expected}""#)), "{body}");
        }
    }
}

#[tokio::test]
async fn a_past_version_says_its_source_as_well() {
    for home in Home::released().await {
        drop(served(&home).await);
        let now = store::unpacked(&home.rows("SELECT body FROM resources WHERE fhir_id = 'sleep-2'").concat());
        let forged = now.replace("urn:recordgate:", "https://forged.example/");
        assert_ne!(now, forged);
        let past = format!(
            "INSERT INTO versions (resource_id, version, updated_at, patients, body)
                SELECT id, 1, 0, 0, '{forged}' FROM resources WHERE fhir_id = 'sleep-2'"
        );
        home.run(&past).await.unwrap();
        home.run("UPDATE resources SET needs = -1").await.unwrap();
        let _store = served(&home).await;
        let past = store::unpacked(&home.rows("SELECT body FROM versions").concat());
        assert!(past.contains(r#","source":"urn:recordgate:"#) && !past.contains("forged"), "{past}");
    }
}

#[tokio::test]
async fn every_old_resource_has_its_hashes_and_the_store_is_found_whole() {
    for home in Home::released().await {
        let _store = served(&home).await;
        let hashed = "SELECT count(*) FROM resources WHERE content_hash IS NOT NULL AND standing_hash IS NOT NULL";
        assert_eq!(home.count(hashed), 18);
        let mut faults = Vec::new();
        let mut tell = |check: &'static str, fault: &Fault| faults.push(format!("{check} {fault:?}"));
        checks::run(&home.place(), reader(), None, &mut tell, &mut |_, _, _| ()).await.unwrap();
        assert_eq!(faults, Vec::<String>::new());
    }
}

#[tokio::test]
async fn resources_are_found_by_their_identifiers_in_the_reach_of_the_caller() {
    for home in Home::released().await {
        let (store, who) = played(&home).await;
        for (reach, token, expected) in [
            (&who.clinic, "https://fhir.nhs.uk/Id/nhs-number|9990000018", vec!["amina-osei"]),
            (&who.clinic, "https://fhir.nhs.uk/Id/nhs-number|9990000026", vec![]),
            (&who.clinic, "N-1", vec!["amina-osei", "chloe-brandt"]),
            (&who.clinic, "|N-1", vec!["amina-osei", "chloe-brandt"]),
            (&who.amina, "N-1", vec!["amina-osei"]),
            (&who.eastfield, "N-1", vec!["amina-osei", "chloe-brandt"]),
            (&who.diabetes, "N-1", vec![]),
        ] {
            assert_eq!(found(&store, reach, ResourceType::Patient, token).await, expected, "{token}");
        }
        let letters = found(&store, &who.amina, ResourceType::DocumentReference, "d0c-1").await;
        assert_eq!(letters, ["letter-1"]);
    }
}

#[tokio::test]
async fn a_resource_about_two_patients_is_in_both_records() {
    for home in Home::released().await {
        let (store, who) = played(&home).await;
        for reach in [&who.amina, &who.ben] {
            assert_eq!(right(&store, reach, ResourceType::Appointment, "couple").await, Some(Right::Own));
        }
        assert_eq!(right(&store, &who.chloe, ResourceType::Appointment, "couple").await, None);
        assert_eq!(right(&store, &who.diabetes, ResourceType::Appointment, "couple").await, Some(Right::Consent));
        assert_eq!(right(&store, &who.chloe, ResourceType::Group, "ward-3").await, Some(Right::Own));
        let counted = home.rows("SELECT fhir_id, patients FROM resources WHERE patients <> 1");
        assert_eq!(
            counted,
            ["couple|2", "grey|0", "letter-1-content|0", "scan-1|0", "undecided|0", "ward-3|2"],
            "what has two labels can be read by its source alone"
        );
    }
}

#[tokio::test]
async fn a_label_of_the_old_records_is_what_it_takes_to_see_them() {
    for home in Home::released().await {
        let (store, who) = played(&home).await;
        let needs = home.rows("SELECT fhir_id, needs FROM resources WHERE type <> 103 AND type <> 42");
        let expected = [
            "couple|1",
            "grey|15",
            "letter-1-content|15",
            "looked|31",
            "low-mood|2",
            "private-matter|4",
            "protected|15",
            "scan-1|15",
            "sleep-1|1",
            "sleep-2|15",
            "undecided|15",
            "ward-3|15",
        ];
        assert_eq!(needs, expected);
        let note = read::read(&store, &who.amina, ResourceType::Patient, "amina-osei", NOW).await.unwrap().unwrap();
        assert_eq!(note.needs, Needs::NONE);
        assert_eq!(right(&store, &who.amina, ResourceType::AuditEvent, "looked").await, Some(Right::Own));
        assert_eq!(right(&store, &who.eastfield, ResourceType::AuditEvent, "looked").await, None);
        assert_eq!(right(&store, &who.northmoor, ResourceType::Observation, "undecided").await, Some(Right::Source));
        assert_eq!(right(&store, &who.diabetes, ResourceType::Observation, "undecided").await, None);
        assert_eq!(right(&store, &who.diabetes, ResourceType::Practitioner, "grey").await, Some(Right::Directory));
    }
}

#[tokio::test]
async fn a_binary_opens_through_a_document_of_its_own_source_only() {
    for home in Home::released().await {
        let (store, who) = played(&home).await;
        assert_eq!(right(&store, &who.amina, ResourceType::Binary, "letter-1-content").await, Some(Right::Own));
        assert_eq!(right(&store, &who.clinic, ResourceType::Binary, "letter-1-content").await, Some(Right::Consent));
        assert_eq!(right(&store, &who.amina, ResourceType::Binary, "scan-1").await, None);
        assert_eq!(right(&store, &who.eastfield, ResourceType::Binary, "scan-1").await, Some(Right::Source));
    }
}

#[tokio::test]
async fn a_second_version_of_the_release_before_is_the_second_though_its_first_is_gone() {
    for home in Home::released().await {
        let (store, who) = played(&home).await;
        let of = (ResourceType::Observation, "sleep-2");
        let history =
            versions::history(&store, &who.clinic, of, (&HistoryWindow::ALL, i64::MAX, 10), NOW).await.unwrap().entries;
        assert_eq!(history.iter().map(|version| version.version).collect::<Vec<_>>(), [2]);
        assert!(versions::read(&store, &who.clinic, of, 1, NOW).await.unwrap().is_none());
    }
}

/// Through whose eyes the tests look.
struct Who {
    amina: Reach,
    ben: Reach,
    chloe: Reach,
    clinic: Reach,
    diabetes: Reach,
    northmoor: Reach,
    eastfield: Reach,
}

async fn played(home: &Home) -> (Store, Who) {
    let store = served(home).await;
    let own = async |id| Reach::of_patient(patients::find(&store, id).await.unwrap().expect("the patient"));
    let teams = organisations::list_teams(&store).await.unwrap();
    let team = |name| {
        let team: TeamId = teams.iter().find(|team| team.name == name).unwrap().id;
        Reach::of_teams(vec![team])
    };
    let organisations = organisations::list(&store).await.unwrap();
    let organisation = |name| {
        let found = organisations.iter().find(|organisation| organisation.name == name).unwrap().id;
        Reach::of_organisation(found)
    };
    let who = Who {
        amina: own("amina-osei").await,
        ben: own("ben-ferrar").await,
        chloe: own("chloe-brandt").await,
        clinic: team("Sleep Clinic"),
        diabetes: team("Diabetes Team"),
        northmoor: organisation("Northmoor Hospital"),
        eastfield: organisation("Eastfield Surgery"),
    };
    (store, who)
}

async fn right(store: &Store, reach: &Reach, resource_type: ResourceType, id: &str) -> Option<Right> {
    read::read(store, reach, resource_type, id, NOW).await.unwrap().map(|found| found.right)
}

/// The ids of what has an identifier, the oldest first.
async fn found(store: &Store, reach: &Reach, resource_type: ResourceType, identifier: &str) -> Vec<String> {
    let query = reading::read(resource_type, [("identifier", identifier)], "https://records.example/fhir", 0).unwrap();
    let search = Search { query: &query, sort: &[], after: None, floor: None, limit: 100 };
    let page = post_filter::page(store, reach, &search, NOW).await.unwrap();
    page.entries.iter().rev().map(|found| found.resource.id.clone()).collect()
}
