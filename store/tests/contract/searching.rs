//! Searching by token, by id and by both, with alternatives, in pages.

use crate::shelf::{NHS, Shelf, asked, patient};
use rules::reach::Reach;
use store::searching::{Sought, SystemAsked, search};

const LOCAL: &str = "urn:local";

/// Patients of Elsewhere under one value in several systems.
async fn shelf() -> (Shelf, Reach) {
    let shelf = Shelf::new().await;
    let everything = Reach::Organisation(shelf.w.elsewhere);
    for (id, identifiers) in [
        ("nhs", &[(Some(NHS), "1")][..]),
        ("local", &[(Some(LOCAL), "1")]),
        ("bare", &[(None, "1")]),
        ("both", &[(Some(NHS), "1"), (Some(LOCAL), "2")]),
        ("other", &[(Some(NHS), "2")]),
    ] {
        shelf.put_new(patient(id, identifiers), shelf.of_elsewhere()).await;
    }
    (shelf, everything)
}

#[tokio::test]
async fn each_way_to_ask_for_a_token_finds_its_own() {
    let (shelf, reach) = shelf().await;
    let is = |system: &str| SystemAsked::Is(system.into());
    let cases = [
        (asked(is(NHS), "1"), "nhs both"),
        (asked(is(LOCAL), "1"), "local"),
        (asked(SystemAsked::Any, "1"), "nhs local bare both"),
        (asked(SystemAsked::None, "1"), "bare"),
        (asked(is("urn:unknown"), "1"), ""),
        (asked(is("*"), "1"), ""),
        (asked(SystemAsked::Any, "9"), ""),
        (asked(SystemAsked::Any, "%"), ""),
    ];
    for (token, ids) in cases {
        assert_eq!(shelf.found(&reach, &token).await.join(" "), ids, "{token:?}");
    }
}

#[tokio::test]
async fn a_token_of_another_parameter_or_type_is_not_found() {
    let (shelf, reach) = shelf().await;
    let token = asked(SystemAsked::Any, "1");
    for (type_name, parameter) in [("Patient", "name"), ("DocumentReference", "identifier"), ("Patient", "")] {
        let tokens = Some((parameter, std::slice::from_ref(&token)));
        let sought = Sought { type_name, ids: None, tokens, after: 0, limit: 100 };
        assert!(search(&shelf.w.store, &reach, &sought).await.unwrap().is_empty(), "{sought:?}");
    }
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition() {
    let (shelf, reach) = shelf().await;
    for token in [asked(SystemAsked::Any, "1"), asked(SystemAsked::Is(NHS.into()), "1")] {
        let all = shelf.found(&reach, &token).await.len();
        let mut after = 0;
        let mut rows = Vec::new();
        loop {
            let tokens = Some(("identifier", std::slice::from_ref(&token)));
            let sought = Sought { type_name: "Patient", ids: None, tokens, after, limit: 2 };
            let page = search(&shelf.w.store, &reach, &sought).await.unwrap();
            let Some(last) = page.last() else { break };
            assert!(page.len() <= 2);
            after = last.row;
            rows.extend(page.iter().map(|resource| resource.row));
        }
        assert_eq!(rows.len(), all);
        assert!(rows.is_sorted_by(|a, b| a < b));
    }
}

#[tokio::test]
async fn of_several_alternatives_each_finds_its_own_and_nothing_is_found_twice() {
    let (shelf, reach) = shelf().await;
    let is = |system: &str| SystemAsked::Is(system.into());
    let cases = [
        (vec![asked(is(NHS), "1"), asked(is(LOCAL), "1")], "nhs local both"),
        (vec![asked(is(NHS), "1"), asked(is(LOCAL), "2")], "nhs both"),
        (vec![asked(SystemAsked::None, "1"), asked(is(NHS), "2")], "bare other"),
        (vec![asked(SystemAsked::Any, "2"), asked(SystemAsked::Any, "2")], "both other"),
        (vec![asked(is(LOCAL), "2"), asked(is(LOCAL), "9")], "both"),
    ];
    for (tokens, ids) in cases {
        assert_eq!(shelf.found_of(&reach, None, Some(&tokens)).await.join(" "), ids, "{tokens:?}");
    }
}

#[tokio::test]
async fn an_id_is_found_only_if_it_has_one_of_the_tokens_asked_for_too() {
    let (shelf, reach) = shelf().await;
    let nobodys = Reach::Patient("nobody".into());
    let token = [asked(SystemAsked::Is(NHS.into()), "1")];
    assert_eq!(shelf.found_of(&reach, Some(&["other", "nhs", "none"]), None).await.join(" "), "nhs other");
    assert_eq!(shelf.found_of(&reach, Some(&["other", "nhs", "both"]), Some(&token)).await.join(" "), "nhs both");
    assert_eq!(shelf.found_of(&reach, Some(&["other"]), Some(&token)).await.join(" "), "");
    assert_eq!(shelf.found_of(&reach, Some(&[]), None).await.join(" "), "", "of none");
    assert_eq!(shelf.found_of(&nobodys, Some(&["nhs"]), None).await.join(" "), "", "out of reach");
}
