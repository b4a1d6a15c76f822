//! How query strings are read, whatever they hold.

use super::*;
use proptest::prelude::*;

const PARAMETERS: &[Parameter] = &[
    Parameter { name: "_id", kind: "token", documentation: "" },
    Parameter { name: "identifier", kind: "token", documentation: "" },
];

fn query(text: &str) -> Query {
    Query::of_search(Some(text), PARAMETERS).unwrap_or_else(|why| panic!("{text}: {why:?}"))
}

fn identifiers(text: &str) -> Vec<TokenPattern> {
    query(text).tokens("identifier").unwrap_or_else(|why| panic!("{text}: {why:?}")).unwrap()
}

fn pattern(system: SystemPattern, value: &str) -> TokenPattern {
    TokenPattern { system, value: value.into() }
}

fn is(system: &str) -> SystemPattern {
    SystemPattern::Is(system.into())
}

#[test]
fn a_token_is_asked_for_with_its_system_any_system_or_none() {
    assert_eq!(identifiers("identifier=urn:s|1"), [pattern(is("urn:s"), "1")]);
    assert_eq!(identifiers("identifier=urn%3As%7C1"), [pattern(is("urn:s"), "1")]);
    assert_eq!(identifiers("identifier=1"), [pattern(SystemPattern::Any, "1")]);
    assert_eq!(identifiers("identifier=|1"), [pattern(SystemPattern::None, "1")]);
}

#[test]
fn commas_separate_alternatives_unless_escaped() {
    assert_eq!(
        identifiers(r"identifier=a|1,2,,b|3\,4\|5"),
        [pattern(is("a"), "1"), pattern(SystemPattern::Any, "2"), pattern(is("b"), "3,4|5")]
    );
    assert_eq!(query("_id=a,b").values("_id").unwrap().unwrap(), ["a", "b"]);
}

#[test]
fn a_token_without_value_and_an_overlong_list_are_refused() {
    for text in ["identifier=", "identifier=,", "identifier=|", "identifier=1,|", "identifier=urn:s|"] {
        assert!(matches!(query(text).tokens("identifier"), Err(Refusal::Invalid(_))), "{text}");
    }
    let most = vec!["1"; SEARCH_ALTERNATIVES].join(",");
    assert_eq!(identifiers(&format!("identifier={most}")).len(), SEARCH_ALTERNATIVES);
    assert!(query(&format!("identifier={most},1")).tokens("identifier").is_err());
}

#[test]
fn an_unknown_parameter_is_refused_with_the_list_of_known_ones_and_without_what_was_sent() {
    let Err(Refusal::Invalid(why)) = Query::of_search(Some("access_token=rga_secret"), PARAMETERS) else {
        panic!("it should be refused");
    };
    assert!(why.ends_with("_id, identifier, _count, _format, _page"), "{why}");
    assert!(!why.contains("rga_secret"), "{why}");
    assert!(Query::of_search(Some("identifier:missing=true"), PARAMETERS).is_err());
    assert!(Query::of_search(Some("_id=a&_id=b"), PARAMETERS).is_err());
    assert!(only_format(Some("_count=1")).is_err());
    assert_eq!(only_format(Some("_format=json")).unwrap().as_deref(), Some("json"));
}

#[test]
fn a_page_has_50_entries_unless_1_to_200_are_asked_for() {
    let count = |text: &str| query(text).count();
    assert_eq!(count("").unwrap(), 50);
    assert_eq!(count("_count=1").unwrap(), 1);
    assert_eq!(count("_count=200").unwrap(), 200);
    assert_eq!(count("_count=201").unwrap(), 200);
    assert_eq!(count("_count=99999999999999999999").unwrap(), 200);
    for wrong in ["_count=0", "_count=-1", "_count=", "_count=x", "_count=%2B1"] {
        assert!(count(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_link_repeats_the_query_with_another_page() {
    let query = query("identifier=a|1%262&_count=3&_page=old");
    assert_eq!(query.link(None), "identifier=a%7C1%262&_count=3");
    assert_eq!(query.link(Some("new")), "identifier=a%7C1%262&_count=3&_page=new");
}

proptest! {
    #[test]
    fn any_query_is_read_or_refused(text in ".{0,60}", value in "[|,\\\\a-c%0-9+]{0,20}") {
        let _either = Query::of_search(Some(&text), PARAMETERS);
        let text = format!("identifier={value}&_id={value}&_count={value}");
        // Two digits of the value may be the first half of a character.
        let Ok(query) = Query::of_search(Some(&text), PARAMETERS) else { return Ok(()) };
        let _either = (query.tokens("identifier"), query.values("_id"), query.count());
        let linked = query.link(None);
        prop_assert_eq!(super::Query::of_search(Some(&linked), PARAMETERS).unwrap().0, query.0);
    }
}
