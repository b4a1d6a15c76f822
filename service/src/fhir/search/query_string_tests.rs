//! How query strings of lists are read, whatever they hold.

use super::*;
use proptest::prelude::*;

fn query(text: &str) -> Query {
    Query::of_list(Some(text)).unwrap_or_else(|why| panic!("{text}: {why:?}"))
}

#[test]
fn an_unknown_parameter_is_refused_with_the_list_of_known_ones_and_without_what_was_sent() {
    let Err(Refusal::Invalid(why)) = Query::of_list(Some("access_token=rga_secret")) else {
        panic!("it should be refused");
    };
    assert!(why.ends_with("_at, _count, _elements, _format, _page, _pretty, _since, _summary"), "{why}");
    assert!(!why.contains("rga_secret"), "{why}");
    assert!(Query::of_list(Some("_count=1&_count=2")).is_err());
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
    let query = query("_format=a%261&_count=3&_page=old");
    assert_eq!(query.link(None), "_format=a%261&_count=3");
    assert_eq!(query.link(Some("new")), "_format=a%261&_count=3&_page=new");
}

proptest! {
    #[test]
    fn any_query_is_read_or_refused(text in ".{0,60}", value in "[|,\\\\a-c%0-9+]{0,20}") {
        let _either = Query::of_list(Some(&text));
        let text = format!("_format={value}&_count={value}");
        // Two digits of the value may be the first half of a character.
        let Ok(query) = Query::of_list(Some(&text)) else { return Ok(()) };
        let _either = query.count();
        let linked = query.link(None);
        prop_assert_eq!(Query::of_list(Some(&linked)).unwrap().0, query.0);
    }
}
