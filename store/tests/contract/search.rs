//! Searching by token, by id and by both, with alternatives, in pages.

use crate::shelf::{NHS, Shelf, of_organisation, patient, pattern};
use crate::world::NOW;
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::reach::Reach;
use store::search::by_token::{Query, SystemPattern, search};

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
async fn each_way_to_ask_for_a_token_finds_its_own() {
    let (shelf, reach) = shelf().await;
    let is = |system: &str| SystemPattern::Is(system.into());
    let cases = [
        (pattern(is(NHS), "1"), "nhs both"),
        (pattern(is(LOCAL), "1"), "local"),
        (pattern(SystemPattern::Any, "1"), "nhs local bare both"),
        (pattern(SystemPattern::None, "1"), "bare"),
        (pattern(is("urn:unknown"), "1"), ""),
        (pattern(is("*"), "1"), ""),
        (pattern(SystemPattern::Any, "9"), ""),
        (pattern(SystemPattern::Any, "%"), ""),
    ];
    for (token, ids) in cases {
        assert_eq!(shelf.found(&reach, &token).await.join(" "), ids, "{token:?}");
    }
}

#[tokio::test]
async fn a_token_of_another_parameter_or_type_is_not_found() {
    let (shelf, reach) = shelf().await;
    let token = pattern(SystemPattern::Any, "1");
    for (resource_type, parameter) in
        [(ResourceType::Patient, "name"), (ResourceType::DocumentReference, "identifier"), (ResourceType::Patient, "")]
    {
        let tokens = Some((parameter, vec![token.clone()]));
        let query = Query { resource_type, ids: None, tokens, after: 0, limit: 100 };
        assert!(search(&shelf.w.store, &reach, &query, NOW).await.unwrap().is_empty(), "{query:?}");
    }
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition_and_are_full_but_for_the_last() {
    let (shelf, reach) = shelf().await;
    for id in ["twice", "thrice"] {
        let identifiers = [(Some(NHS), "1"), (Some(LOCAL), "1"), (None, "1")];
        shelf.put_new(patient(id, &identifiers), shelf.by_elsewhere()).await;
    }
    for token in [pattern(SystemPattern::Any, "1"), pattern(SystemPattern::Is(NHS.into()), "1")] {
        let all = shelf.found(&reach, &token).await.len();
        let mut after = 0;
        let mut rows = Vec::new();
        loop {
            let tokens = Some(("identifier", vec![token.clone()]));
            let query = Query { resource_type: ResourceType::Patient, ids: None, tokens, after, limit: 2 };
            let page = search(&shelf.w.store, &reach, &query, NOW).await.unwrap();
            rows.extend(page.iter().map(|resource| resource.row));
            assert_eq!(page.len(), 2.min(all + page.len() - rows.len()), "{token:?}");
            let Some(last) = page.last() else { break };
            after = last.row.0;
        }
        assert_eq!(rows.len(), all);
        assert!(rows.is_sorted_by(|a, b| a < b));
    }
}

#[tokio::test]
async fn of_several_alternatives_each_finds_its_own_and_nothing_is_found_twice() {
    let (shelf, reach) = shelf().await;
    let is = |system: &str| SystemPattern::Is(system.into());
    let cases = [
        (vec![pattern(is(NHS), "1"), pattern(is(LOCAL), "1")], "nhs local both"),
        (vec![pattern(is(NHS), "1"), pattern(is(LOCAL), "2")], "nhs both"),
        (vec![pattern(SystemPattern::None, "1"), pattern(is(NHS), "2")], "bare other"),
        (vec![pattern(SystemPattern::Any, "2"), pattern(SystemPattern::Any, "2")], "both other"),
        (vec![pattern(is(LOCAL), "2"), pattern(is(LOCAL), "9")], "both"),
    ];
    for (tokens, ids) in cases {
        assert_eq!(shelf.found_of(&reach, None, Some(&tokens)).await.join(" "), ids, "{tokens:?}");
    }
}

#[tokio::test]
async fn an_id_is_found_only_if_it_has_one_of_the_tokens_asked_for_too() {
    let (shelf, reach) = shelf().await;
    let nobodys = Reach::of_patient(PatientId(0));
    let token = [pattern(SystemPattern::Is(NHS.into()), "1")];
    assert_eq!(shelf.found_of(&reach, Some(&["other", "nhs", "none"]), None).await.join(" "), "nhs other");
    assert_eq!(shelf.found_of(&reach, Some(&["other", "nhs", "both"]), Some(&token)).await.join(" "), "nhs both");
    assert_eq!(shelf.found_of(&reach, Some(&["other"]), Some(&token)).await.join(" "), "");
    assert_eq!(shelf.found_of(&reach, Some(&[]), None).await.join(" "), "", "of none");
    assert_eq!(shelf.found_of(&nobodys, Some(&["nhs"]), None).await.join(" "), "", "out of reach");
}

#[tokio::test]
async fn an_id_that_is_no_word_of_sql_or_json_is_just_not_found() {
    let (shelf, reach) = shelf().await;
    let odd = ["\"", "'", "\\", "]", "a\"],[\"nhs", "\n", "\0", "nhs\0", "é", "%"];
    assert_eq!(shelf.found_of(&reach, Some(&odd), None).await.join(" "), "");
}
