//! Writing resources: versions, unchanged content, other sources, and the index that goes with them.

use crate::shelf::{NHS, Shelf, UPDATED, binary, of_organisation, patient, resource};
use crate::world::{ELSEWHERE, NORTH, NOW};
use fhir::types::ResourceType;
use rules::ids::UserId;
use rules::reach::{Reach, Source};
use store::presence;
use store::read::read;
use store::write::resource_write::{self, NewResource, Outcome};

fn with_member(member: &str) -> NewResource {
    resource(ResourceType::Patient, "amina", &format!(",{member}"))
}

#[tokio::test]
async fn a_resource_is_stored_with_the_version_and_moment_that_we_set() {
    let shelf = Shelf::new().await;
    let stored = shelf.put(with_member(r#""active":true"#), shelf.by_elsewhere()).await;
    let source = format!("urn:recordgate:organisation:{ELSEWHERE}");
    let body = format!(
        r#"{{"resourceType":"Patient","id":"amina","meta":{{"versionId":"1","lastUpdated":"{UPDATED}","source":"{source}"}},"active":true}}"#
    );
    assert_eq!((stored.outcome, &stored.body), (Outcome::Version(1), &body));
    let reach = of_organisation(shelf.w.elsewhere);
    let found = read(&shelf.w.store, &reach, ResourceType::Patient, "amina", NOW).await.unwrap().expect("the patient");
    assert_eq!((found.version, found.updated_at, &found.body), (1, NOW, &body));
    assert_eq!((found.id.as_str(), found.source), ("amina", shelf.by_elsewhere()));
}

#[tokio::test]
async fn a_resource_says_who_made_it_whatever_its_sender_said() {
    let shelf = Shelf::new().await;
    let person = Source::Person(UserId(7));
    for (id, source, said) in [
        ("a", shelf.by_elsewhere(), format!("organisation:{ELSEWHERE}")),
        ("b", shelf.by_north(), format!("team:{NORTH}")),
        ("c", shelf.by_amina(), "patient:amina".to_owned()),
        ("d", person, "person:7".to_owned()),
    ] {
        let sent = resource(ResourceType::Basic, id, r#","meta":{"source":"urn:recordgate:team:another"}"#);
        let stored = shelf.put(sent.clone(), source).await.body;
        assert!(stored.contains(&format!(r#""source":"urn:recordgate:{said}""#)), "{stored}");
        assert!(!stored.contains("another"), "{stored}");
        assert_eq!(shelf.put(sent, source).await.outcome, Outcome::Unchanged);
    }
}

#[tokio::test]
async fn a_resource_that_comes_twice_in_one_transaction_is_found_by_its_last_version_alone() {
    let shelf = Shelf::new().await;
    let named = |family: &str| with_member(&format!(r#""name":[{{"family":"{family}"}}]"#));
    let source = shelf.by_elsewhere();
    let stored =
        resource_write::put(&shelf.w.store, vec![named("Okoye"), named("Harbour")], source, NOW, UPDATED.into()).await;
    let outcomes: Vec<Outcome> = stored.unwrap().into_iter().map(|stored| stored.outcome).collect();
    assert_eq!(outcomes, [Outcome::Version(1), Outcome::Version(2)]);
    assert_eq!(shelf.w.count("SELECT count(*) FROM index_texts WHERE folded = 'okoye'"), 0);
    assert!(shelf.w.count("SELECT count(*) FROM index_texts WHERE folded = 'harbour'") > 0);
}

#[tokio::test]
async fn each_change_is_the_next_version_and_the_same_content_is_none() {
    let shelf = Shelf::new().await;
    for (member, outcome) in [
        (r#""active":true"#, Outcome::Version(1)),
        (r#""active":true"#, Outcome::Unchanged),
        (r#""active":false"#, Outcome::Version(2)),
        (r#""active":false"#, Outcome::Unchanged),
        (r#""active":true"#, Outcome::Version(3)),
    ] {
        let later = NOW.plus_seconds(60);
        assert_eq!(shelf.put_at(with_member(member), shelf.by_elsewhere(), later).await.outcome, outcome, "{member}");
    }
    assert_eq!(shelf.w.count("SELECT count(*) FROM resources"), 1);
    assert_eq!(shelf.w.count("SELECT count(*) FROM versions"), 2, "what was replaced");
}

#[tokio::test]
async fn a_member_that_is_gone_is_a_change_though_the_rest_still_fits() {
    let shelf = Shelf::new().await;
    let status = r#""identifier":[],"maritalStatus":{"text":"married"}"#;
    shelf.put_new(with_member(status), shelf.by_elsewhere()).await;
    let without = shelf.put(patient("amina", &[]), shelf.by_elsewhere()).await;
    assert_eq!(without.outcome, Outcome::Version(2));
}

#[tokio::test]
async fn another_source_cannot_change_a_resource() {
    let shelf = Shelf::new().await;
    shelf.put_new(with_member(r#""active":true"#), shelf.by_elsewhere()).await;
    let person = Source::Person(UserId(shelf.w.elsewhere.0));
    for other in [shelf.by_general(), shelf.by_north(), shelf.by_amina(), person] {
        let refused = shelf.put(with_member(r#""active":false"#), other).await;
        assert_eq!(refused.outcome, Outcome::OtherSource);
    }
    let reach = of_organisation(shelf.w.elsewhere);
    let found = read(&shelf.w.store, &reach, ResourceType::Patient, "amina", NOW).await.unwrap().expect("the patient");
    assert!(found.version == 1 && found.body.ends_with(r#""active":true}"#));
}

#[tokio::test]
async fn a_team_changes_what_it_made_even_after_it_has_moved_to_another_organisation() {
    let shelf = Shelf::new().await;
    shelf.put_new(with_member(r#""active":true"#), shelf.by_north()).await;
    let moved = Source::Team(shelf.w.north, shelf.general);
    assert_eq!(shelf.put(with_member(r#""active":false"#), moved).await.outcome, Outcome::Version(2));
}

#[tokio::test]
async fn the_same_id_of_another_type_is_another_resource() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("x", &[]), shelf.by_elsewhere()).await;
    shelf.put_new(binary("x"), shelf.by_general()).await;
    assert_eq!(shelf.w.count("SELECT count(*) FROM resources"), 2);
}

#[tokio::test]
async fn an_update_replaces_the_tokens() {
    let shelf = Shelf::new().await;
    let reach = of_organisation(shelf.w.elsewhere);
    let old = [(Some(NHS), "old"), (Some(NHS), "kept"), (Some(NHS), "kept")];
    shelf.put_new(patient("amina", &old), shelf.by_elsewhere()).await;
    let new = patient("amina", &[(Some(NHS), "kept"), (None, "new")]);
    assert_eq!(shelf.put(new, shelf.by_elsewhere()).await.outcome, Outcome::Version(2));
    for (value, found) in [("old", 0), ("kept", 1), ("new", 1)] {
        assert_eq!(shelf.found(&reach, &[("identifier", value)]).await.len(), found, "{value}");
    }
    assert_eq!(shelf.w.count("SELECT count(*) FROM tokens"), 2);
}

#[tokio::test]
async fn many_resources_are_answered_in_order() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("p1", &[(Some(NHS), "same")]), shelf.by_elsewhere()).await;
    shelf.put_new(patient("p3", &[]), shelf.by_general()).await;
    let many = (0..5).map(|n| patient(&format!("p{n}"), &[(Some(NHS), "same")])).collect();
    let stored = resource_write::put(&shelf.w.store, many, shelf.by_elsewhere(), NOW, UPDATED.into()).await.unwrap();
    let outcomes: Vec<Outcome> = stored.into_iter().map(|stored| stored.outcome).collect();
    let first = Outcome::Version(1);
    assert_eq!(outcomes, [first.clone(), Outcome::Unchanged, first.clone(), Outcome::OtherSource, first]);
}

#[tokio::test]
async fn words_that_repeat_are_kept_once() {
    let shelf = Shelf::new().await;
    for n in 0..50 {
        shelf.put_new(patient(&format!("p{n}"), &[(Some(NHS), "1")]), shelf.by_elsewhere()).await;
    }
    assert_eq!(shelf.w.count("SELECT count(*) FROM words"), 2, "identifier and the system");
}

#[tokio::test]
async fn a_patient_gets_one_number_however_often_they_are_named() {
    let shelf = Shelf::new().await;
    let before = shelf.w.count("SELECT count(*) FROM patients");
    for id in ["amina", "new", "new"] {
        shelf.put(patient(id, &[]), shelf.by_elsewhere()).await;
        shelf.put(crate::shelf::letter(&format!("of-{id}"), id, "l", "scan"), shelf.by_elsewhere()).await;
    }
    assert_eq!(shelf.w.count("SELECT count(*) FROM patients"), before + 1);
}

#[tokio::test]
async fn a_source_is_told_which_of_its_ids_are_there_and_of_no_others() {
    let shelf = Shelf::new().await;
    shelf.put_new(resource(ResourceType::Basic, "a", ""), shelf.by_elsewhere()).await;
    shelf.put_new(resource(ResourceType::Basic, "b", ""), shelf.by_general()).await;
    shelf.put_new(resource(ResourceType::Patient, "c", ""), shelf.by_elsewhere()).await;
    let ids = ["a", "b", "c", "d\"]", "a"];
    let there = presence::of(&shelf.w.store, ResourceType::Basic, &ids, shelf.by_elsewhere()).await.unwrap();
    assert_eq!(there.into_iter().collect::<Vec<_>>(), ["a"]);
}

#[tokio::test]
async fn resources_that_are_stored_together_are_each_about_their_own_patients() {
    let shelf = Shelf::new().await;
    let about = |id: &str, patient: &str| {
        resource(ResourceType::Basic, id, &format!(r#","subject":{{"reference":"Patient/{patient}"}}"#))
    };
    let news = vec![about("a", "amina"), about("b", "eva"), about("c", "amina"), about("d", "newcomer")];
    resource_write::put(&shelf.w.store, news, shelf.by_elsewhere(), NOW, UPDATED.into()).await.unwrap();
    let newcomer = shelf.w.patient("newcomer").await;
    let everybody = [shelf.amina, shelf.eva, newcomer].map(Reach::of_patient);
    for (id, owner) in [("a", 0), ("b", 1), ("c", 0), ("d", 2)] {
        for (number, reach) in everybody.iter().enumerate() {
            let found = read(&shelf.w.store, reach, ResourceType::Basic, id, NOW).await.unwrap();
            assert_eq!(found.is_some(), number == owner, "{id} to the patient {number}");
        }
    }
}
