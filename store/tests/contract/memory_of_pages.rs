//! A page of what is remembered is never older than the last acknowledged change, never of two moments, and never for others.

use crate::shelf::{NHS, Shelf, UPDATED, delete, of_organisation, of_teams, patient, resource};
use crate::world::{NORTH, NOW, SOUTH};
use fhir::search::{controls, reading};
use fhir::types::ResourceType;
use rules::reach::{Reach, Right};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use store::search::compile::Search;
use store::search::post_filter;
use store::write::resource_write::{self, Demand, NewResource};

/// A search by one token, by one reference, and along the course of a code: each by the index alone, where all is remembered.
const SEARCHES: [&[(&str, &str)]; 3] = [
    &[("code", "http://loinc.org|CODE")],
    &[("device", "Device/CODE")],
    &[("patient", "amina"), ("code", "http://loinc.org|CODE"), ("_sort", "-date")],
];

fn observation(id: &str, code: &str, more: &str) -> NewResource {
    let members = format!(
        r#","status":"final"{more},"device":{{"reference":"Device/{code}"}},
            "code":{{"coding":[{{"system":"http://loinc.org","code":"{code}"}}]}},
            "subject":{{"reference":"Patient/amina"}},"effectiveDateTime":"2026-03-04""#
    );
    resource(ResourceType::Observation, id, &members)
}

/// What a page shows: id and version, and by which right.
type Shown = (String, i64, Right);

async fn page(shelf: &Shelf, reach: &Reach, search: &[(&str, &str)], code: &str) -> Vec<Shown> {
    let values: Vec<(&str, String)> = search.iter().map(|(name, value)| (*name, value.replace("CODE", code))).collect();
    let pairs = values.iter().map(|(name, value)| (*name, value.as_str()));
    let query = reading::read(ResourceType::Observation, pairs, "https://records.example/fhir", 0).unwrap();
    let controls = controls::read(&query).unwrap();
    let search = Search { query: &query, sort: &controls.sort, after: None, floor: None, limit: 21 };
    let page = post_filter::page(&shelf.w.store, reach, &search, NOW).await.unwrap();
    let told = page.entries.into_iter().map(|one| {
        assert!(one.resource.body.contains(&format!(r#""code":"{code}""#)), "{code}: {}", one.resource.body);
        (one.resource.id.clone(), one.resource.version, one.resource.right)
    });
    told.collect()
}

/// What each search for a code shows, the first time and when all is remembered.
async fn pages(shelf: &Shelf, reach: &Reach, code: &str) -> Vec<Shown> {
    let first = page(shelf, reach, SEARCHES[0], code).await;
    for _again in 0..2 {
        for search in SEARCHES {
            assert_eq!(page(shelf, reach, search, code).await, first, "{search:?} {reach:?}");
        }
    }
    first
}

fn seen(version: i64, right: Right) -> Vec<Shown> {
    vec![("weight".into(), version, right)]
}

#[tokio::test]
async fn the_very_next_page_is_without_what_was_changed_and_deleted_and_with_what_came_back() {
    let shelf = Shelf::new().await;
    let reach = of_organisation(shelf.w.elsewhere);
    for turn in 0..3 {
        let first = turn * 4 + 1;
        shelf.put(observation("weight", "a", ""), shelf.by_elsewhere()).await;
        assert_eq!(pages(&shelf, &reach, "a").await, seen(first, Right::Source));
        shelf.put(observation("weight", "b", ""), shelf.by_elsewhere()).await;
        assert_eq!(pages(&shelf, &reach, "a").await, []);
        assert_eq!(pages(&shelf, &reach, "b").await, seen(first + 1, Right::Source));
        shelf.put(observation("weight", "b", r#","language":"en""#), shelf.by_elsewhere()).await;
        assert_eq!(pages(&shelf, &reach, "b").await, seen(first + 2, Right::Source));
        let of = (ResourceType::Observation, "weight".to_owned());
        delete(&shelf.w.store, of, shelf.by_elsewhere(), Demand::Nothing, NOW).await.unwrap();
        assert_eq!(pages(&shelf, &reach, "b").await, []);
    }
}

#[tokio::test]
async fn each_searcher_sees_a_remembered_page_by_the_own_right_and_loses_it_with_the_right() {
    let shelf = Shelf::new().await;
    shelf.put(observation("weight", "a", ""), shelf.by_elsewhere()).await;
    let (north, south) = (of_teams(&[shelf.w.north]), of_teams(&[shelf.w.south]));
    for _turn in 0..2 {
        shelf.register_amina(&[NORTH]).await;
        assert_eq!(pages(&shelf, &Reach::of_patient(shelf.amina), "a").await, seen(1, Right::Own));
        assert_eq!(pages(&shelf, &of_organisation(shelf.w.elsewhere), "a").await, seen(1, Right::Source));
        assert_eq!(pages(&shelf, &north, "a").await, seen(1, Right::Consent));
        assert_eq!(pages(&shelf, &south, "a").await, []);
        for other in [Reach::of_patient(shelf.eva), of_organisation(shelf.general)] {
            assert_eq!(pages(&shelf, &other, "a").await, []);
        }
        shelf.register_amina(&[SOUTH]).await;
        assert_eq!(pages(&shelf, &north, "a").await, []);
        assert_eq!(pages(&shelf, &south, "a").await, seen(1, Right::Consent));
    }
}

#[tokio::test]
async fn rows_that_are_remembered_are_not_read_again_until_one_of_them_changes() {
    let shelf = Shelf::new().await;
    let reach = of_organisation(shelf.w.elsewhere);
    shelf.put(observation("weight", "a", ""), shelf.by_elsewhere()).await;
    shelf.put(observation("height", "a", ""), shelf.by_elsewhere()).await;
    assert_eq!(pages(&shelf, &reach, "a").await.len(), 2);
    // Behind the back of the store, which no other process may do.
    shelf.w.home.run("UPDATE resources SET body = 'gone', deleted_at = 1 WHERE fhir_id = 'height'");
    assert_eq!(pages(&shelf, &reach, "a").await.len(), 2);
    shelf.put(observation("weight", "a", r#","language":"en""#), shelf.by_elsewhere()).await;
    assert_eq!(page(&shelf, &reach, SEARCHES[0], "a").await, seen(2, Right::Source));
}

/// A device, with the number that a chain asks for or without.
fn device(id: &str, has_it: bool) -> NewResource {
    let number = if has_it { r#","identifier":[{"system":"urn:devices","value":"9"}]"# } else { "" };
    resource(ResourceType::Device, id, number)
}

/// How many a chain finds that ends at the device with the number.
async fn chained(shelf: &Shelf, reach: &Reach, more: Option<(&str, &str)>) -> usize {
    let pairs = [("device:Device.identifier", "urn:devices|9")].into_iter().chain(more);
    let query = reading::read(ResourceType::Observation, pairs, "https://records.example/fhir", 0).unwrap();
    let controls = controls::read(&query).unwrap();
    let search = Search { query: &query, sort: &controls.sort, after: None, floor: None, limit: 21 };
    post_filter::page(&shelf.w.store, reach, &search, NOW).await.unwrap().entries.len()
}

#[tokio::test]
async fn a_chain_that_ends_at_one_resource_finds_what_refers_to_it_and_what_contains_such_a_one() {
    let shelf = Shelf::new().await;
    let reach = of_organisation(shelf.w.elsewhere);
    assert_eq!(chained(&shelf, &reach, None).await, 0, "it ends nowhere");
    shelf.put(device("a", true), shelf.by_elsewhere()).await;
    for (number, id) in ["weight", "height"].into_iter().enumerate() {
        assert_eq!(chained(&shelf, &reach, None).await, number);
        shelf.put(observation(id, "a", ""), shelf.by_elsewhere()).await;
    }
    assert_eq!(chained(&shelf, &reach, Some(("_sort", "-date"))).await, 2);
    assert_eq!(chained(&shelf, &reach, Some(("code", "http://loinc.org|b"))).await, 0);
    assert_eq!(chained(&shelf, &of_organisation(shelf.general), None).await, 0, "nobody else sees any of it");
    shelf.put(observation("pulse", "b", ""), shelf.by_elsewhere()).await;
    assert_eq!(chained(&shelf, &reach, None).await, 2, "another device has another number");
    shelf.put(device("b", true), shelf.by_elsewhere()).await;
    assert_eq!(chained(&shelf, &reach, None).await, 3, "now it has the same");
    shelf.put(device("b", false), shelf.by_elsewhere()).await;
    let inside = r##","status":"final","code":{"text":"pulse"},"subject":{"reference":"Patient/amina"},"device":{"reference":"#d"},
        "contained":[{"resourceType":"Device","id":"d","identifier":[{"system":"urn:devices","value":"9"}]}]"##;
    shelf.put(resource(ResourceType::Observation, "pulse", inside), shelf.by_elsewhere()).await;
    assert_eq!(chained(&shelf, &reach, None).await, 3, "its own device, inside of it, has the number");
}

#[tokio::test]
async fn a_walk_through_the_pages_of_a_chain_finds_each_once_though_the_chain_has_a_second_end_on_the_way() {
    let shelf = Shelf::new().await;
    shelf.put(patient("amina", &[(Some(NHS), "9")]), shelf.by_elsewhere()).await;
    let days = ["2026-03-04", "2026-03-05", "", "2026-03-05", "2026-03-01"];
    for (number, day) in days.into_iter().enumerate() {
        let date = if day.is_empty() { String::new() } else { format!(r#","effectiveDateTime":"{day}""#) };
        let weight = format!(
            r#","status":"final","code":{{"coding":[{{"system":"http://loinc.org","code":"a"}}]}},"subject":{{"reference":"Patient/amina"}}{date}"#
        );
        shelf.put(resource(ResourceType::Observation, &format!("w{number}"), &weight), shelf.by_elsewhere()).await;
    }
    for sort in [None, Some(("_sort", "-date"))] {
        let pairs = [("patient.identifier", "9"), ("code", "http://loinc.org|a")].into_iter().chain(sort);
        let query = reading::read(ResourceType::Observation, pairs, "https://records.example/fhir", 0).unwrap();
        let sorted = controls::read(&query).unwrap().sort;
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let search = Search { query: &query, sort: &sorted, after: after.take(), floor: None, limit: 2 };
            let page = post_filter::page(&shelf.w.store, &Reach::of_patient(shelf.amina), &search, NOW).await.unwrap();
            let Some(last) = page.entries.last() else { break };
            after = Some(last.place.clone());
            found.extend(page.entries.iter().map(|one| one.resource.id.clone()));
            // It is of another code, so it is on no page; but the next one is found in another way.
            let inside = format!(
                r##","status":"final","code":{{"text":"pulse"}},"subject":{{"reference":"Patient/amina"}},"focus":[{{"reference":"#p"}}],
                    "contained":[{{"resourceType":"Patient","id":"p","identifier":[{{"system":"{NHS}","value":"9"}}]}}]"##
            );
            shelf.put(resource(ResourceType::Observation, "pulse", &inside), shelf.by_elsewhere()).await;
        }
        let expected = if sort.is_some() { ["w3", "w1", "w0", "w4", "w2"] } else { ["w4", "w3", "w2", "w1", "w0"] };
        assert_eq!(found, expected);
        let of = (ResourceType::Observation, "pulse".to_owned());
        delete(&shelf.w.store, of, shelf.by_elsewhere(), Demand::Nothing, NOW).await.unwrap();
    }
}

/// Looks again and again while one change after the other is made: to `b`, to `a`, and so on.
async fn look_while_it_changes(change: impl AsyncFn(&str), look: impl AsyncFn()) {
    let is_over = AtomicBool::new(false);
    let changes = async {
        for turn in 0..300 {
            change(if turn % 2 == 0 { "b" } else { "a" }).await;
        }
        is_over.store(true, Ordering::Relaxed);
    };
    let looks = async {
        while !is_over.load(Ordering::Relaxed) {
            look().await;
            tokio::task::yield_now().await;
        }
    };
    tokio::join!(changes, looks);
}

/// Each change moves the number from one device to the other, and the Observation with it.
#[tokio::test]
async fn the_end_of_a_chain_and_what_refers_to_it_are_of_one_moment() {
    let shelf = Shelf::new().await;
    let (reach, source) = (of_organisation(shelf.w.elsewhere), shelf.by_elsewhere());
    let write = async |at: &str| {
        let all = vec![device("a", at == "a"), device("b", at == "b"), observation("weight", at, "")];
        resource_write::put(&shelf.w.store, all, source, NOW, UPDATED.into()).await.unwrap();
    };
    write("a").await;
    look_while_it_changes(write, async || assert_eq!(chained(&shelf, &reach, None).await, 1)).await;
}

/// Each change moves all from one code to the other, in one commit. A page of two moments would show one that is not of its code,
/// or some of them and not all.
#[tokio::test]
async fn a_page_is_of_one_moment_though_what_is_on_it_changes_meanwhile() {
    const IDS: [&str; 3] = ["weight", "height", "pulse"];
    let shelf = Shelf::new().await;
    let (reach, source) = (of_organisation(shelf.w.elsewhere), shelf.by_elsewhere());
    let write = async |code: &str| {
        let all = IDS.iter().map(|id| observation(id, code, "")).collect();
        resource_write::put(&shelf.w.store, all, source, NOW, UPDATED.into()).await.unwrap();
    };
    let look = async || {
        for (search, code) in SEARCHES.iter().flat_map(|search| [(search, "a"), (search, "b")]) {
            let shown = page(&shelf, &reach, search, code).await;
            let versions: BTreeSet<i64> = shown.iter().map(|(_, version, _)| *version).collect();
            assert!(shown.is_empty() || (shown.len(), versions.len()) == (IDS.len(), 1), "{shown:?}");
        }
    };
    write("a").await;
    look_while_it_changes(write, look).await;
}
