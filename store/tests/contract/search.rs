//! Searching by token, by id and by both, with alternatives, in pages.

use crate::shelf::{BASE, NHS, Shelf, of_organisation, patient};
use crate::world::NOW;
use fhir::search::reading;
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::reach::Reach;
use store::search::compile::Search;
use store::search::post_filter;

const LOCAL: &str = "urn:local";

/// Patients of Elsewhere under one value in several systems.
async fn shelf() -> (Shelf, Reach) {
    let shelf = Shelf::new().await;
    let everything = of_organisation(shelf.w.elsewhere);
    for (id, identifiers) in [
        ("nhs", &[(Some(NHS), "1")][..]),
        ("local", &[(Some(LOCAL), "1")]),
        ("bare", &[(None, "1")]),
        ("both", &[(Some(NHS), "1"), (Some(LOCAL), "2")]),
        ("other", &[(Some(NHS), "2")]),
    ] {
        shelf.put_new(patient(id, identifiers), shelf.by_elsewhere()).await;
    }
    (shelf, everything)
}

#[tokio::test]
async fn each_way_to_ask_for_a_token_finds_its_own_and_nothing_is_found_twice() {
    let (shelf, reach) = shelf().await;
    for (token, ids) in [
        ("NHS|1", "nhs both"),
        ("urn:local|1", "local"),
        ("1", "nhs local bare both"),
        ("|1", "bare"),
        ("urn:unknown|1", ""),
        ("*|1", ""),
        ("9", ""),
        ("%", ""),
        ("NHS|1,urn:local|1", "nhs local both"),
        ("NHS|1,urn:local|2", "nhs both"),
        ("|1,NHS|2", "bare other"),
        ("2,2", "both other"),
        ("urn:local|2,urn:local|9", "both"),
    ] {
        let value = token.replace("NHS", NHS);
        assert_eq!(shelf.found(&reach, &[("identifier", &value)]).await.join(" "), ids, "{token}");
    }
}

#[tokio::test]
async fn a_token_of_another_parameter_or_type_is_not_found() {
    let (shelf, reach) = shelf().await;
    assert!(shelf.found(&reach, &[("telecom", "1")]).await.is_empty());
    let query = reading::read(ResourceType::DocumentReference, [("identifier", "1")], BASE, 0).unwrap();
    let search = Search { query: &query, sort: &[], after: None, floor: None, limit: 100 };
    assert!(post_filter::page(&shelf.w.store, &reach, &search, NOW).await.unwrap().entries.is_empty());
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition_and_are_full_but_for_the_last() {
    let (shelf, reach) = shelf().await;
    for id in ["twice", "thrice"] {
        let identifiers = [(Some(NHS), "1"), (Some(LOCAL), "1"), (None, "1")];
        shelf.put_new(patient(id, &identifiers), shelf.by_elsewhere()).await;
    }
    for token in ["1".to_owned(), format!("{NHS}|1")] {
        let all = shelf.found(&reach, &[("identifier", &token)]).await.len();
        let query = reading::read(ResourceType::Patient, [("identifier", token.as_str())], BASE, 0).unwrap();
        let mut search = Search { query: &query, sort: &[], after: None, floor: None, limit: 2 };
        let mut rows = Vec::new();
        loop {
            let page = post_filter::page(&shelf.w.store, &reach, &search, NOW).await.unwrap().entries;
            rows.extend(page.iter().map(|found| found.resource.row));
            assert_eq!(page.len(), 2.min(all + page.len() - rows.len()), "{token}");
            let Some(last) = page.last() else { break };
            search.after = Some(last.place.clone());
        }
        assert_eq!(rows.len(), all);
        assert!(rows.is_sorted_by(|a, b| a > b));
    }
}

#[tokio::test]
async fn an_id_is_found_only_if_it_has_one_of_the_tokens_asked_for_too() {
    let (shelf, reach) = shelf().await;
    let nobodys = Reach::of_patient(PatientId(0));
    let value = format!("{NHS}|1");
    let token = ("identifier", value.as_str());
    for (reach, parameters, ids) in [
        (&reach, &[("_id", "other,nhs,none")][..], "nhs other"),
        (&reach, &[("_id", "other,nhs,both"), token], "nhs both"),
        (&reach, &[("_id", "other"), token], ""),
        (&nobodys, &[("_id", "nhs")], ""),
    ] {
        assert_eq!(shelf.found(reach, parameters).await.join(" "), ids, "{parameters:?}");
    }
}

#[tokio::test]
async fn an_id_that_is_no_word_of_sql_or_json_is_just_not_found() {
    let (shelf, reach) = shelf().await;
    for odd in ["\"", "'", "\\\\", "]", "a\"],[\"nhs", "\n", "\0", "nhs\0", "é", "%"] {
        assert_eq!(shelf.found(&reach, &[("_id", odd)]).await.join(" "), "", "{odd:?}");
    }
}
