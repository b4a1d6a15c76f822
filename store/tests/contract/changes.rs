//! Changes: the history of a type and of everything, newest first, page by page, whatever is written meanwhile.

use crate::shelf::{Shelf, delete, of_organisation, resource};
use crate::world::NOW;
use fhir::types::ResourceType;
use fhir::values::span::Span;
use rules::reach::Reach;
use store::history::type_history::{HistoryPosition, changes};
use store::history::window::HistoryWindow;
use store::write::resource_write::{Demand, NewResource};

const VISIT: ResourceType = ResourceType::Appointment;

fn visit(id: &str, patient: &str) -> NewResource {
    resource(VISIT, id, &format!(r#","participant":[{{"actor":{{"reference":"Patient/{patient}"}}}}]"#))
}

fn list(id: &str) -> NewResource {
    resource(ResourceType::List, id, "")
}

/// Three appointments and a list, stored again in turns, a second between each; two at the same moment.
async fn shelf() -> Shelf {
    let shelf = Shelf::new().await;
    let by = shelf.by_elsewhere();
    for (second, new) in [
        (1, visit("a", "amina")),
        (2, visit("b", "eva")),
        (3, list("l")),
        (3, visit("c", "amina")),
        (4, visit("a", "eva")),
    ] {
        shelf.put_at(new, by, NOW.plus_seconds(second)).await;
    }
    let gone = (VISIT, "b".to_owned());
    delete(&shelf.w.store, gone, by, Demand::Nothing, NOW.plus_seconds(5)).await.unwrap();
    shelf
}

type Told = Vec<(String, i64, bool)>;

async fn told(
    shelf: &Shelf,
    reach: &Reach,
    of: Option<ResourceType>,
    page: (&HistoryWindow, Option<HistoryPosition>, i64),
) -> Told {
    let found = changes(&shelf.w.store, reach, of, page, NOW).await.unwrap().entries;
    found.iter().map(|found| (found.id.clone(), found.version, found.is_deleted)).collect()
}

fn at(id: &str, version: i64) -> (String, i64, bool) {
    (id.into(), version, false)
}

#[tokio::test]
async fn the_changes_of_a_type_and_of_everything_are_newest_first() {
    let shelf = shelf().await;
    let source = of_organisation(shelf.w.elsewhere);
    let all = (&HistoryWindow::ALL, None, 100);
    let visits = vec![("b".to_owned(), 2, true), at("a", 2), at("c", 1), at("b", 1), at("a", 1)];
    assert_eq!(told(&shelf, &source, Some(VISIT), all).await, visits);
    assert_eq!(told(&shelf, &source, Some(ResourceType::List), all).await, [at("l", 1)]);
    let everything = told(&shelf, &source, None, all).await;
    let own: Told = everything.into_iter().filter(|(id, ..)| ["a", "b", "c", "l"].contains(&id.as_str())).collect();
    let with_list = [&visits[..3], &[at("l", 1)], &visits[3..]].concat();
    assert_eq!(own, with_list);
}

#[tokio::test]
async fn pages_follow_each_other_though_what_they_show_is_changed_meanwhile() {
    let shelf = shelf().await;
    let source = of_organisation(shelf.w.elsewhere);
    let whole = told(&shelf, &source, Some(VISIT), (&HistoryWindow::ALL, None, 100)).await;
    let (mut seen, mut behind) = (Told::new(), None);
    for second in 10.. {
        let page =
            changes(&shelf.w.store, &source, Some(VISIT), (&HistoryWindow::ALL, behind, 1), NOW).await.unwrap().entries;
        let Some(last) = page.last() else { break };
        behind = Some(HistoryPosition::of(last));
        seen.push((last.id.clone(), last.version, last.is_deleted));
        // Each that is about to come is replaced, and something new is stored.
        for id in ["a", "c", "new"] {
            let body = format!(r#","description":"{second}","participant":[{{"actor":{{"display":"{second}"}}}}]"#);
            shelf.put_at(resource(VISIT, id, &body), shelf.by_elsewhere(), NOW.plus_seconds(second)).await;
        }
    }
    assert_eq!(seen, whole, "what was there when the first page was read, each once");
}

#[tokio::test]
async fn a_stretch_of_time_has_what_was_made_since_and_what_was_the_newest_then() {
    let shelf = shelf().await;
    let source = of_organisation(shelf.w.elsewhere);
    let second = |n: i64| {
        let low = NOW.plus_seconds(n).0 * 1000;
        Some(Span { low, high: low + 1_000_000 })
    };
    let since = HistoryWindow::of(second(3), None);
    let expected = vec![("b".to_owned(), 2, true), at("a", 2), at("c", 1)];
    assert_eq!(told(&shelf, &source, Some(VISIT), (&since, None, 100)).await, expected);
    let then = HistoryWindow::of(None, second(3));
    assert_eq!(told(&shelf, &source, Some(VISIT), (&then, None, 100)).await, [at("c", 1), at("b", 1), at("a", 1)]);
    let later = HistoryWindow::of(second(2), second(4));
    assert_eq!(told(&shelf, &source, Some(VISIT), (&later, None, 100)).await, [at("a", 2), at("c", 1), at("b", 1)]);
    let before = HistoryWindow::of(None, second(0));
    assert!(told(&shelf, &source, Some(VISIT), (&before, None, 100)).await.is_empty());
}

#[tokio::test]
async fn a_change_shows_to_those_whose_record_it_was_in() {
    let shelf = shelf().await;
    let all = (&HistoryWindow::ALL, None, 100);
    assert_eq!(
        told(&shelf, &Reach::of_patient(shelf.amina), Some(VISIT), all).await,
        [at("c", 1), at("a", 1)],
        "a has left her record, and what it was in it stays"
    );
    let eva = vec![("b".to_owned(), 2, true), at("a", 2), at("b", 1)];
    assert_eq!(told(&shelf, &Reach::of_patient(shelf.eva), Some(VISIT), all).await, eva, "the first a was Amina's");
}
