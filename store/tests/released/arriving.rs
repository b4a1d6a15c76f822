//! A migrated database is one like any other: it can be moved to the other engine, and backed up.

use crate::home::{Home, free};
use crate::reader::{NOW, RESOURCES, read_anew, served};
use fhir::types::ResourceType;
use rules::reach::{Reach, Right};
use store::documents::contents;
use store::{backup, moving, patients, read};

const TABLES: [&str; 4] = [
    "SELECT id, type, fhir_id, version, needs, patient_id, patients, body FROM resources",
    "SELECT * FROM sight",
    "SELECT * FROM sessions",
    "SELECT type, parameter_id, value, resource_id, system_id FROM tokens",
];

#[tokio::test]
async fn it_is_moved_to_the_other_engine_with_equal_content_and_served_there() {
    let [to_sqlite, to_postgres] = Home::empty();
    for (from, to) in Home::released().await.into_iter().zip([to_postgres, to_sqlite]) {
        drop(served(&from).await);
        let before = TABLES.map(|sql| from.rows(sql));
        let begun = free(async || moving::begin(&from.place(), &to.place()).await).await.unwrap();
        let moved = begun.copy(|_| ()).await.unwrap().compare(|_| ()).await.unwrap().finish().await.unwrap();
        let resources = moved.iter().find(|table| table.table == "resources").unwrap();
        assert_eq!(resources.content.rows, RESOURCES);
        assert_eq!(TABLES.map(|sql| to.rows(sql)), before);
        let store = to.open().await;
        assert_eq!(read_anew(&store).await, 0, "nothing is left to be read anew");
        let amina = Reach::of_patient(patients::find(&store, "amina-osei").await.unwrap().unwrap());
        let letter = read::read(&store, &amina, ResourceType::Binary, "letter-1-content", NOW).await.unwrap();
        let letter = letter.expect("the letter");
        assert_eq!(letter.right, Right::Own);
        let content = contents::find(&store, &letter).await.unwrap().expect("its content");
        let bytes = contents::piece(&store, &content, 0).await.unwrap();
        assert_eq!(bytes, b"Dear Amina, your appointment is on Tuesday.");
    }
}

#[tokio::test]
async fn it_is_moved_before_it_was_read_anew_and_read_anew_where_it_arrives() {
    let [to_sqlite, to_postgres] = Home::empty();
    for (from, to) in Home::released().await.into_iter().zip([to_postgres, to_sqlite]) {
        drop(from.open().await);
        let begun = free(async || moving::begin(&from.place(), &to.place()).await).await.unwrap();
        begun.copy(|_| ()).await.unwrap().compare(|_| ()).await.unwrap().finish().await.unwrap();
        let store = to.open().await;
        assert_eq!(read_anew(&store).await, RESOURCES);
    }
}

#[tokio::test]
async fn it_is_backed_up_and_the_copy_holds_the_same() {
    let [home, _] = Home::released().await;
    let store = served(&home).await;
    let parent = tempfile::tempdir().unwrap();
    let target = parent.path().join("copy");
    backup::copy(&store, &target, |_, _| ()).unwrap();
    let copy = Home::Sqlite { directory: target, _owner: parent };
    assert_eq!(TABLES.map(|sql| copy.rows(sql)), TABLES.map(|sql| home.rows(sql)));
    assert_eq!(read_anew(&copy.open().await).await, 0);
}
