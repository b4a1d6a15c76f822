//! The index of users' own search parameters: filled in pieces, known to every write, whole or not used, and gone with what
//! defines it.

use crate::shelf::{Shelf, UPDATED, delete, of_organisation, reread, resource};
use crate::world::NOW;
use fhir::custom::definition;
use fhir::parameters::parameter::OWN;
use fhir::search::controls;
use fhir::search::reading::{self, OwnParameter};
use fhir::types::ResourceType;
use rules::reach::Reach;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::filling::{self, FillingStep};
use store::index::own_parameters::{self, Filling, OwnDefinition};
use store::search::compile::Search;
use store::search::search_time::SearchTime;
use store::search::{includes, multi_type, post_filter};
use store::write::precondition::Precondition;
use store::write::resource_write::{self, Demand, NewResource};
use store::write::transaction::{self, Act, Plan, PlanOutcome};
use store::{Store, checks, read};

const BASE: &str = "https://records.example/fhir";
/// More than two pieces.
const MANY: usize = 450;
/// The rows of the index that are of users' own parameters.
pub const OWN_ROWS: &str = "SELECT (SELECT count(*) FROM index_texts WHERE parameter >= 262144)
    + (SELECT count(*) FROM index_tokens WHERE parameter >= 262144)
    + (SELECT count(*) FROM index_references WHERE parameter >= 262144)";

pub fn parameter(id: &str, (of, code, kind): (&str, &str, &str), expression: &str) -> NewResource {
    let members = format!(
        r#","url":"http://x.example/{id}","name":"mine","status":"active","description":"Mine","code":"{code}","base":["{of}"],"type":"{kind}","expression":"{expression}""#
    );
    resource(ResourceType::SearchParameter, id, &members)
}

fn lot_parameter() -> NewResource {
    parameter(
        "lot",
        ("Observation", "lot", "string"),
        "Observation.extension('http://x.example/lot').value.ofType(string)",
    )
}

pub fn with_lot(id: &str, lot: &str) -> NewResource {
    let extension = format!(r#","extension":[{{"url":"http://x.example/lot","valueString":"{lot}"}}]"#);
    resource(ResourceType::Observation, id, &extension)
}

async fn many(shelf: &Shelf) {
    let lot = |at: usize| if at.is_multiple_of(150) { "walrus" } else { "seal" };
    let all = (0..MANY).map(|at| with_lot(&format!("o-{at:03}"), lot(at)));
    resource_write::put(&shelf.w.store, all.collect(), shelf.by_elsewhere(), NOW, UPDATED.into()).await.unwrap();
}

/// Does all pieces; tells how many there were.
async fn fill(store: &Store) -> usize {
    let mut pieces = 0;
    while filling::step(store, BASE).await.unwrap() != FillingStep::Idle {
        pieces += 1;
    }
    pieces
}

/// What is defined, as a search knows it: by its index, where that is whole.
async fn own(store: &Store) -> Vec<OwnParameter> {
    let all = own_parameters::all(store).await.unwrap();
    let parameter = |one: &OwnDefinition| {
        let number = if one.filling == Filling::Whole { one.number } else { OWN };
        (one.of, definition::parameter(number, &one.line).unwrap())
    };
    all.iter().map(parameter).collect()
}

async fn found(store: &Store, reach: &Reach, of: ResourceType, parameters: &[(&str, &str)]) -> String {
    let own = own(store).await;
    let query = reading::read_with(&own, of, parameters.iter().copied(), BASE, 0).unwrap();
    let sort = controls::read_with(&own, &query).unwrap().sort;
    let search = Search { query: &query, sort: &sort, after: None, floor: None, limit: 1000 };
    let page = post_filter::page(store, reach, &search, NOW).await.unwrap();
    let total = multi_type::total(store, reach, &[(query.clone(), vec![])], NOW).await.unwrap();
    assert_eq!(usize::try_from(total).unwrap(), page.entries.len());
    page.entries.iter().map(|one| one.resource.id.as_str()).collect::<Vec<_>>().join(" ")
}

async fn lots(shelf: &Shelf, lot: &str) -> String {
    found(&shelf.w.store, &of_organisation(shelf.w.elsewhere), ResourceType::Observation, &[("lot", lot)]).await
}

async fn must_be_whole(shelf: &Shelf) {
    let mut faults = Vec::new();
    let mut tell = |check: &'static str, fault: &checks::Fault| faults.push(format!("{check} {fault:?}"));
    let place = shelf.w.home.place();
    checks::run(&place, Arc::new(reread), None, &mut tell, &mut |_, _, _| ()).await.unwrap();
    assert_eq!(faults, Vec::<String>::new());
}

/// The one that is defined.
async fn only(store: &Store) -> OwnDefinition {
    let mut all = own_parameters::all(store).await.unwrap().into_iter();
    let (Some(one), None) = (all.next(), all.next()) else { panic!("one parameter") };
    one
}

async fn filling_of(store: &Store) -> Filling {
    only(store).await.filling
}

#[tokio::test]
async fn what_was_there_before_is_indexed_in_pieces_and_then_the_index_answers() {
    let shelf = Shelf::new().await;
    many(&shelf).await;
    shelf.put_new(lot_parameter(), shelf.by_elsewhere()).await;
    assert_eq!((filling_of(&shelf.w.store).await, shelf.w.count(OWN_ROWS)), (Filling::Begun, 0));
    assert_eq!(lots(&shelf, "walrus").await, "o-300 o-150 o-000", "the resources are asked");
    must_be_whole(&shelf).await;
    assert_eq!(filling::step(&shelf.w.store, BASE).await.unwrap(), FillingStep::Done);
    let first = shelf.w.count(OWN_ROWS);
    assert!(first > 0 && first < 450, "{first}");
    assert_eq!(filling_of(&shelf.w.store).await, Filling::Begun);
    assert_eq!(lots(&shelf, "walrus").await, "o-300 o-150 o-000", "never by a half of the index");
    must_be_whole(&shelf).await;
    assert!(fill(&shelf.w.store).await > 1);
    assert_eq!((filling_of(&shelf.w.store).await, shelf.w.count(OWN_ROWS)), (Filling::Whole, 450));
    assert_eq!(lots(&shelf, "walrus").await, "o-300 o-150 o-000");
    must_be_whole(&shelf).await;
    shelf.w.home.run("DELETE FROM index_texts WHERE parameter >= 262144 AND folded = 'walrus'");
    assert_eq!(lots(&shelf, "walrus").await, "", "nothing but the index is asked");
}

#[tokio::test]
async fn what_is_written_while_it_is_filled_is_found_as_it_is_now() {
    let shelf = Shelf::new().await;
    many(&shelf).await;
    shelf.put_new(lot_parameter(), shelf.by_elsewhere()).await;
    assert_eq!(filling::step(&shelf.w.store, BASE).await.unwrap(), FillingStep::Done);
    // One that is filled already and one that is not, changed; one of each deleted; one that is new.
    for id in ["o-001", "o-449"] {
        shelf.put(with_lot(id, "walrus"), shelf.by_elsewhere()).await;
    }
    for id in ["o-000", "o-300"] {
        let named = (ResourceType::Observation, id.to_owned());
        delete(&shelf.w.store, named, shelf.by_elsewhere(), Demand::Nothing, NOW).await.unwrap();
    }
    shelf.put_new(with_lot("new", "walrus"), shelf.by_elsewhere()).await;
    let expected = "new o-449 o-150 o-001";
    assert_eq!(lots(&shelf, "walrus").await, expected);
    fill(&shelf.w.store).await;
    assert_eq!(filling_of(&shelf.w.store).await, Filling::Whole);
    assert_eq!(lots(&shelf, "walrus").await, expected);
    assert_eq!(shelf.w.count(OWN_ROWS), 449);
    shelf.put(with_lot("new", "seal"), shelf.by_elsewhere()).await;
    assert_eq!(lots(&shelf, "walrus").await, "o-449 o-150 o-001");
    must_be_whole(&shelf).await;
}

#[tokio::test]
async fn what_comes_with_its_definition_in_one_transaction_is_indexed_too() {
    let shelf = Shelf::new().await;
    let all = vec![with_lot("before", "walrus"), lot_parameter(), with_lot("behind", "walrus")];
    resource_write::put(&shelf.w.store, all, shelf.by_elsewhere(), NOW, UPDATED.into()).await.unwrap();
    assert_eq!(shelf.w.count(OWN_ROWS), 1, "what came behind knew it");
    fill(&shelf.w.store).await;
    assert_eq!(lots(&shelf, "walrus").await, "behind before");
    must_be_whole(&shelf).await;
}

#[tokio::test]
async fn a_changed_definition_has_another_number_and_the_rows_of_the_old_one_go() {
    let shelf = Shelf::new().await;
    many(&shelf).await;
    shelf.put_new(lot_parameter(), shelf.by_elsewhere()).await;
    fill(&shelf.w.store).await;
    let first = only(&shelf.w.store).await;
    let mut same = lot_parameter();
    let json = r#"{"resourceType":"SearchParameter","id":"lot","url":"http://x.example/lot","name":"other","status":"active","description":"Other","code":"lot","base":["Observation"],"type":"string","expression":"Observation.extension('http://x.example/lot').value.ofType(string)"}"#;
    same.content = reread(json).unwrap().content;
    shelf.put(same, shelf.by_elsewhere()).await;
    assert_eq!(only(&shelf.w.store).await, first, "it still says the same");
    let whole = BTreeSet::from([first.number]);
    assert!(own_parameters::are_whole(&shelf.w.store, &whole).await.unwrap());
    let other = parameter("lot", ("Observation", "lot", "token"), "Observation.status");
    shelf.put(other, shelf.by_elsewhere()).await;
    assert!(!own_parameters::are_whole(&shelf.w.store, &whole).await.unwrap());
    let second = only(&shelf.w.store).await;
    assert_eq!((second.number, second.filling), (first.number + 1, Filling::Begun));
    must_be_whole(&shelf).await;
    fill(&shelf.w.store).await;
    assert_eq!(shelf.w.count(OWN_ROWS), 0, "no Observation has a status");
    must_be_whole(&shelf).await;
    let named = (ResourceType::SearchParameter, "lot".to_owned());
    delete(&shelf.w.store, named, shelf.by_elsewhere(), Demand::Nothing, NOW).await.unwrap();
    assert_eq!(own_parameters::all(&shelf.w.store).await.unwrap(), []);
    fill(&shelf.w.store).await;
    assert_eq!(shelf.w.count("SELECT count(*) FROM own_parameters"), 1, "so that the last number is known");
    shelf.put(lot_parameter(), shelf.by_elsewhere()).await;
    assert_eq!(only(&shelf.w.store).await.number, second.number + 1, "none is used again");
    fill(&shelf.w.store).await;
    assert_eq!(shelf.w.count("SELECT count(*) FROM own_parameters"), 2);
    assert_eq!(lots(&shelf, "walrus").await, "o-300 o-150 o-000");
}

#[tokio::test]
async fn chains_has_sort_and_include_are_answered_by_it() {
    let shelf = Shelf::new().await;
    let eye = |id: &str, colour: &str| {
        let members =
            format!(r#","extension":[{{"url":"http://x.example/eye","valueCode":"{colour}"}}],"active":true"#);
        resource(ResourceType::Patient, id, &members)
    };
    let of = |id: &str, subject: &str, members: &str| {
        let members = format!(r#","subject":{{"reference":"{subject}"}}{members}"#);
        resource(ResourceType::Observation, id, &members)
    };
    let inside = r#","contained":[{"resourceType":"Patient","id":"p","extension":[{"url":"http://x.example/eye","valueCode":"blue"}]}]"#;
    let device = r#","extension":[{"url":"http://x.example/seen","valueReference":{"reference":"Patient/green"}}]"#;
    let all = vec![
        eye("blue", "blue"),
        eye("green", "green"),
        of("of-blue", "Patient/blue", ""),
        of("of-green", "Patient/green", ""),
        of("of-contained", "#p", inside),
        of("seen", "Patient/blue", device),
    ];
    resource_write::put(&shelf.w.store, all, shelf.by_elsewhere(), NOW, UPDATED.into()).await.unwrap();
    let viewer =
        parameter("eye", ("Patient", "eye", "token"), "Patient.extension('http://x.example/eye').value.ofType(code)");
    let seen = parameter(
        "seen",
        ("Observation", "seen", "reference"),
        "Observation.extension('http://x.example/seen').value.ofType(Reference)",
    );
    resource_write::put(&shelf.w.store, vec![viewer, seen], shelf.by_elsewhere(), NOW, UPDATED.into()).await.unwrap();
    fill(&shelf.w.store).await;
    must_be_whole(&shelf).await;
    let reach = of_organisation(shelf.w.elsewhere);
    use ResourceType::{Observation, Patient};
    for (kind, parameters, expected) in [
        (Patient, &[("eye", "blue")][..], "blue"),
        (Patient, &[("eye:missing", "false"), ("_sort", "eye")], "blue green"),
        (Patient, &[("eye:missing", "false"), ("_sort", "-eye")], "green blue"),
        (Patient, &[("eye:not", "blue"), ("active", "true")], "green"),
        (Observation, &[("subject:Patient.eye", "blue")], "seen of-blue"),
        (Observation, &[("seen.eye", "green")], "seen"),
        (Observation, &[("seen.eye", "blue")], ""),
        (Observation, &[("seen", "Patient/green")], "seen"),
        (Patient, &[("_has:Observation:seen:subject", "Patient/blue")], "green"),
        (Patient, &[("_has:Observation:seen:seen.eye", "green")], "green"),
        (Patient, &[("_has:Observation:subject:seen.eye", "green")], "blue"),
    ] {
        assert_eq!(found(&shelf.w.store, &reach, kind, parameters).await, expected, "{parameters:?}");
    }
    let own = own(&shelf.w.store).await;
    for (of, id, control, expected) in [
        (Observation, "seen", ("_include", "Observation:seen"), "green"),
        (Patient, "green", ("_revinclude", "Observation:seen"), "seen"),
    ] {
        let query = reading::read_with(&own, of, [control], BASE, 0).unwrap();
        let inclusion = controls::read_with(&own, &query).unwrap().inclusions.remove(0);
        let one = read::read(&shelf.w.store, &reach, of, id, NOW).await.unwrap().unwrap();
        let time = SearchTime::of(&shelf.w.store);
        let page = includes::include(&shelf.w.store, &reach, &inclusion, (&[one], 10), time, NOW).await.unwrap();
        let ids: Vec<_> = page.entries.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, [expected], "{control:?}");
    }
}

#[tokio::test]
async fn a_write_does_not_rest_on_an_index_that_is_not_whole_any_more() {
    let shelf = Shelf::new().await;
    many(&shelf).await;
    shelf.put_new(lot_parameter(), shelf.by_elsewhere()).await;
    fill(&shelf.w.store).await;
    let own = own(&shelf.w.store).await;
    let reach = of_organisation(shelf.w.elsewhere);
    let made = |id: &str, lot: &str| {
        let query = reading::read_with(&own, ResourceType::Observation, [("lot", lot)], BASE, 0).unwrap();
        let act = Act::Put { new: Box::new(with_lot(id, lot)), source: shelf.by_elsewhere(), demand: Demand::Nothing };
        let preconditions = vec![Precondition { query, found: None, without: Vec::new() }];
        let plan = Plan { preconditions, acts: vec![act], ..Plan::default() };
        transaction::make(&shelf.w.store, reach.clone(), plan, NOW, UPDATED.into())
    };
    assert!(matches!(made("a", "otter").await.unwrap(), PlanOutcome::Done(_)));
    assert!(matches!(made("b", "otter").await.unwrap(), PlanOutcome::Moved), "the index has it already");
    let named = (ResourceType::SearchParameter, "lot".to_owned());
    delete(&shelf.w.store, named, shelf.by_elsewhere(), Demand::Nothing, NOW).await.unwrap();
    assert!(matches!(made("c", "mole").await.unwrap(), PlanOutcome::Moved), "nobody keeps the index");
}

#[tokio::test]
async fn values_that_do_not_follow_from_a_body_are_faults() {
    for (change, is_fault) in [
        ("DELETE FROM index_texts WHERE parameter >= 262144", true),
        ("UPDATE index_texts SET folded = 'x' WHERE parameter >= 262144", true),
        ("UPDATE index_texts SET parameter = parameter + 40 WHERE parameter >= 262144", true),
        ("UPDATE own_parameters SET state = 0, filled = 0; DELETE FROM index_texts WHERE parameter >= 262144", false),
        ("UPDATE own_parameters SET state = 0; DELETE FROM index_texts WHERE parameter >= 262144", true),
        ("UPDATE own_parameters SET state = 2; UPDATE index_texts SET folded = 'x' WHERE parameter >= 262144", false),
    ] {
        let shelf = Shelf::new().await;
        shelf.put_new(with_lot("o", "walrus"), shelf.by_elsewhere()).await;
        shelf.put_new(lot_parameter(), shelf.by_elsewhere()).await;
        fill(&shelf.w.store).await;
        shelf.w.home.run(change);
        let mut faults = Vec::new();
        let mut tell = |check: &'static str, fault: &checks::Fault| faults.push(format!("{check} {}", fault.at));
        let place = shelf.w.home.place();
        checks::run(&place, Arc::new(reread), None, &mut tell, &mut |_, _, _| ()).await.unwrap();
        let expected: &[&str] = if is_fault { &["index Observation/o"] } else { &[] };
        assert_eq!(faults, expected, "{change}");
    }
}
