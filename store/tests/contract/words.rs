//! Searching for words: among more candidates than are read at once, page by page, counted, and within reach only.

use crate::shelf::{Shelf, UPDATED, of_organisation, resource};
use crate::world::{NOW, World};
use fhir::search::controls;
use fhir::search::reading;
use fhir::types::ResourceType;
use rules::reach::Reach;
use std::time::{Duration, Instant};
use store::search::compile::Search;
use store::search::multi_type;
use store::search::post_filter;
use store::write::resource_write;
use store::{Budget, Error, Store};

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
    resource_write::put(&shelf.w.store, all.collect(), shelf.by_elsewhere(), NOW, UPDATED.into()).await.unwrap();
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
        let page = post_filter::page(&shelf.w.store, reach, &search, NOW).await.unwrap();
        let Some(last) = page.entries.last() else { break };
        search.after = Some(last.place.clone());
        pages.push(page.entries.iter().map(|one| one.resource.id.as_str()).collect::<Vec<_>>().join(" "));
    }
    let total = multi_type::total(&shelf.w.store, reach, &[(query.clone(), vec![])], NOW).await.unwrap();
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
    assert_eq!(found(&shelf, &Reach::of_patient(shelf.amina), &[("_content", "walrus")], 9).await, (vec![], 0));
}

const PATIENCE: Duration = Duration::from_secs(300);

/// What a search for walruses that may take so long finds on its one page, if it is answered. On a busy machine no reader may be
/// free in so little time; then it is asked again, as anyone would.
async fn hurried(store: &Store, reach: &Reach) -> Result<Vec<String>, Error> {
    let query = reading::read(ResourceType::Observation, [("_text", "walrus")], BASE, 0).unwrap();
    let search = Search { query: &query, sort: &[], after: None, floor: None, limit: 9 };
    let deadline = Instant::now() + PATIENCE;
    loop {
        match post_filter::page(store, reach, &search, NOW).await {
            Ok(page) => return Ok(page.entries.iter().map(|one| one.resource.id.clone()).collect()),
            Err(error) if error.is_passing() => assert!(Instant::now() < deadline, "no reader is ever free: {error}"),
            Err(error) => return Err(error),
        }
    }
}

#[tokio::test]
async fn words_that_take_longer_than_a_search_may_are_refused_and_never_answered_in_part() {
    let Shelf { w, .. } = shelf().await;
    let World { store, home, elsewhere, .. } = w;
    drop(store);
    let reach = of_organisation(elsewhere);
    let mut refusals = 0;
    // From far more time than it takes to far less: somewhere between, it is up in the middle of the candidates.
    for milliseconds in [60_000, 256, 128, 64, 32, 16, 8, 4, 2, 1] {
        let budget = Budget { time: Duration::from_millis(milliseconds), ..Budget::default() };
        let store = Store::open_within(&home.place(), 2, budget).await.expect("the same store");
        match hurried(&store, &reach).await {
            Ok(found) => assert_eq!(found, ["o-699", "o-350", "o-000"], "within {milliseconds} ms"),
            Err(error) => {
                assert!(matches!(error.kind(), Error::TooCostly), "{error:?}");
                assert!(milliseconds < 60_000, "there was time enough");
                refusals += 1;
            }
        }
    }
    assert!(refusals > 0, "so many resources are not read in a millisecond");
}
