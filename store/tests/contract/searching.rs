//! Searching by token: `system|value`, `value`, `|value` and `system|`, in pages.

use crate::shelf::{NHS, Shelf, asked, patient};
use rules::reach::Reach;
use store::records::{self, SystemAsked};

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
        (asked(is(NHS), Some("1")), "nhs both"),
        (asked(is(LOCAL), Some("1")), "local"),
        (asked(SystemAsked::Any, Some("1")), "nhs local bare both"),
        (asked(SystemAsked::None, Some("1")), "bare"),
        (asked(is(NHS), None), "nhs both other"),
        (asked(is(LOCAL), None), "local both"),
        (asked(is("urn:unknown"), None), ""),
        (asked(is("urn:unknown"), Some("1")), ""),
        (asked(is("*"), Some("1")), ""),
        (asked(SystemAsked::Any, Some("9")), ""),
        (asked(SystemAsked::Any, Some("%")), ""),
        (asked(SystemAsked::Any, None), ""),
        (asked(SystemAsked::None, None), ""),
    ];
    for (token, ids) in cases {
        assert_eq!(shelf.found(&reach, &token).await.join(" "), ids, "{token:?}");
    }
}

#[tokio::test]
async fn a_token_of_another_parameter_or_type_is_not_found() {
    let (shelf, reach) = shelf().await;
    let token = asked(SystemAsked::Any, Some("1"));
    for of in [("Patient", "name"), ("DocumentReference", "identifier"), ("Patient", "")] {
        assert!(records::search(&shelf.w.store, &reach, of, &token, 0, 100).await.unwrap().is_empty(), "{of:?}");
    }
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition() {
    let (shelf, reach) = shelf().await;
    for token in [asked(SystemAsked::Any, Some("1")), asked(SystemAsked::Is(NHS.into()), None)] {
        let all = shelf.found(&reach, &token).await.len();
        let mut after = 0;
        let mut rows = Vec::new();
        loop {
            let of = ("Patient", "identifier");
            let page = records::search(&shelf.w.store, &reach, of, &token, after, 2).await.unwrap();
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
async fn whether_a_resource_has_a_token_is_told_the_same_way() {
    let (shelf, reach) = shelf().await;
    let both = records::read(&shelf.w.store, &reach, "Patient", "both").await.unwrap().expect("both").row;
    let cases = [
        (asked(SystemAsked::Is(NHS.into()), Some("1")), true),
        (asked(SystemAsked::Is(NHS.into()), Some("2")), false),
        (asked(SystemAsked::Any, Some("2")), true),
        (asked(SystemAsked::None, Some("1")), false),
        (asked(SystemAsked::Is(LOCAL.into()), None), true),
    ];
    for (token, has) in cases {
        assert_eq!(records::has_token(&shelf.w.store, both, "identifier", &token).await.unwrap(), has, "{token:?}");
    }
}
