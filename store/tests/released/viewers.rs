//! Who sees whom: registrations and what was made of a patient become sight, as `rules::consent::standing` derives it.

use crate::home::Home;
use crate::reader::{read_anew, served};

/// By name: patient, viewer, labels.
const SIGHT: &str = "SELECT p.fhir_id, coalesce(t.name, o.name), s.labels, s.ends_at FROM sight s
    JOIN patients p ON p.id = s.patient_id LEFT JOIN teams t ON t.id = s.viewer_id
    LEFT JOIN organisations o ON o.id = s.viewer_id";

const REGISTRATIONS: &str = "SELECT p.fhir_id, t.name FROM registrations g JOIN patients p ON p.id = g.patient_id
    JOIN teams t ON t.id = g.team_id";

#[tokio::test]
async fn a_registration_gives_the_team_all_labels_and_having_made_something_is_an_association() {
    for home in Home::released().await {
        let _store = served(&home).await;
        let expected = [
            "amina-osei|Eastfield Surgery|0|",
            "amina-osei|Northmoor Hospital|0|",
            "amina-osei|Practice Team|15|",
            "amina-osei|Sleep Clinic|15|",
            "ben-ferrar|Diabetes Team|15|",
            "ben-ferrar|Northmoor Hospital|0|",
            "chloe-brandt|Eastfield Surgery|0|",
            // By a Group that the release before counted to its first member only, and by the clinic's observation.
            "chloe-brandt|Northmoor Hospital|0|",
            "chloe-brandt|Sleep Clinic|0|",
        ];
        assert_eq!(home.rows(SIGHT), expected);
    }
}

#[tokio::test]
async fn registrations_are_as_they_were() {
    let released = "SELECT g.patient_id, t.name FROM registrations g JOIN teams t ON t.id = g.team_id";
    for home in Home::released().await {
        let before = home.rows(released);
        assert_eq!(before.len(), 3);
        let _store = home.open().await;
        assert_eq!(home.rows(REGISTRATIONS), before);
    }
}

#[tokio::test]
async fn sight_is_there_with_the_migration_itself_and_reading_anew_only_adds_to_it() {
    for home in Home::released().await {
        let store = home.open().await;
        let migrated = home.rows(SIGHT);
        assert!(migrated.contains(&"amina-osei|Sleep Clinic|15|".to_owned()));
        read_anew(&store).await;
        let read = home.rows(SIGHT);
        assert!(migrated.iter().all(|row| read.contains(row)), "{migrated:#?} {read:#?}");
    }
}
