//! Searching for words: among more candidates than are read at once, page by page, counted, and within reach only.

use crate::shelf::{Shelf, UPDATED, of_organisation, resource};
use crate::world::NOW;
use fhir::search::controls;
use fhir::search::reading;
use fhir::types::ResourceType;
use rules::reach::Reach;
use store::finding::Search;
use store::several;
use store::sifting;
use store::write;

const BASE: &str = "https://records.example/fhir";
/// More than the first pieces of candidates together.
const MANY: usize = 700;

fn narrative(words: &str) -> String {
    format!(r#","text":{{"status":"generated","div":"<div>{words}</div>"}}"#)
}

/// Observations of Elsewhere, of which the oldest, one in the middle and the newest tell of a walrus, and one of General's.
async fn shelf() -> Shelf {
    let shelf = Shelf::new().await;
    let told = |at: usize| if [0, 350, MANY - 1].contains(&at) { "A <i>Walrus</i>, seen" } else { "Nothing was seen" };
    let all = (0..MANY).map(|at| resource(ResourceType::Observation, &format!("o-{at:03}"), &narrative(told(at))));
    write::put(&shelf.w.store, all.collect(), shelf.by_elsewhere(), NOW, UPDATED.into()).await.unwrap();
    let other = resource(ResourceType::Observation, "other", &narrative("Another walrus"));
    shelf.put_new(other, shelf.by_general()).await;
    shelf
}

/// The pages of a search, and how many it finds in all.
async fn found(shelf: &Shelf, reach: &Reach, parameters: &[(&str, &str)], limit: i64) -> (Vec<String>, i64) {
    let query = reading::read(ResourceType::Observation, parameters.iter().copied(), BASE, 0).unwrap();
    let sort = controls::read(&query).unwrap().sort;
    let mut search = Search { query: &query, sort: &sort, after: None, floor: None, limit };
    let mut pages = Vec::new();
    loop {
        let page = sifting::page(&shelf.w.store, reach, &search, NOW).await.unwrap();
        let Some(last) = page.entries.last() else { break };
        search.after = Some(last.place.clone());
        pages.push(page.entries.iter().map(|one| one.resource.id.as_str()).collect::<Vec<_>>().join(" "));
    }
    let total = several::total(&shelf.w.store, reach, &[(query.clone(), vec![])], NOW).await.unwrap();
    (pages, total)
}

#[tokio::test]
async fn words_are_found_however_many_resources_lie_between_and_no_page_repeats_another() {
    let shelf = shelf().await;
    let elsewhere = of_organisation(shelf.w.elsewhere);
    for (parameters, expected, total) in [
        (&[("_text", "WALRUS")][..], &["o-699 o-350", "o-000"][..], 3),
        (&[("_text", "walrus"), ("_sort", "_id")], &["o-000 o-350", "o-699"], 3),
        (&[("_content", "seen walrus"), ("_sort", "-_id")], &["o-699 o-350", "o-000"], 3),
        (&[("_text", "walrus"), ("_id", "o-350,o-351")], &["o-350"], 1),
        (&[("_text", "walrus"), ("_text", "nothing")], &[], 0),
        (&[("_text", "another")], &[], 0),
    ] {
        let (pages, counted) = found(&shelf, &elsewhere, parameters, 2).await;
        assert_eq!((pages, counted), (expected.iter().map(ToString::to_string).collect(), total), "{parameters:?}");
    }
}

#[tokio::test]
async fn words_of_what_is_out_of_reach_are_not_found_and_not_counted() {
    let shelf = shelf().await;
    let general = of_organisation(shelf.general);
    assert_eq!(found(&shelf, &general, &[("_text", "walrus")], 9).await, (vec!["other".to_owned()], 1));
    assert_eq!(found(&shelf, &Reach::Own(shelf.amina), &[("_content", "walrus")], 9).await, (vec![], 0));
}
