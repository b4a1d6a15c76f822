//! Exports: records as they were at one moment, within a reach, each once whatever is written meanwhile; and the rows that keep them.

use crate::shelf::{Shelf, delete, of_organisation, resource};
use crate::world::NOW;
use fhir::types::ResourceType;
use rules::ids::{ClientId, ExportId, RowId};
use rules::limits::{
    EXPORT_FILE_RESOURCES, EXPORT_FORSAKEN_SECONDS, EXPORT_SECONDS, EXPORT_TURN_SECONDS, EXPORTS_PER_CALLER,
};
use rules::moment::Moment;
use rules::reach::Reach;
use store::Store;
use store::export::jobs::{self, ExportFile, ExportOrder, ExportProgress, ExportStart, ExportSubject};
use store::export::snapshot::{self, Run, Snapshot};
use store::sweep::{Swept, sweep};
use store::write::resource_write::{Demand, NewResource};

const VISIT: ResourceType = ResourceType::Appointment;
const ALL: Run = Run { of: VISIT, after: RowId(0), until: RowId(i64::MAX) };
const HOLDER: (ClientId, i64) = (ClientId(1), 2);

fn visit(id: &str, patients: &[&str], words: &str) -> NewResource {
    let actor = |patient: &&str| format!(r#"{{"actor":{{"reference":"Patient/{patient}"}}}}"#);
    let actors: Vec<String> = patients.iter().map(actor).collect();
    resource(VISIT, id, &format!(r#","description":"{words}","participant":[{}]"#, actors.join(",")))
}

fn as_of(at: Moment) -> Snapshot {
    Snapshot { at, since: i64::MIN, patients: 0, members: None }
}

fn order() -> ExportOrder {
    ExportOrder {
        holder: HOLDER,
        request: "https://here/fhir/$export?_type=Appointment".into(),
        types: vec![VISIT, ResourceType::Patient],
        since: 5,
        whose: ExportSubject::Patients,
    }
}

/// What is in a run, each with its version, step by step; and how many are counted.
async fn told(shelf: &Shelf, reach: &Reach, snapshot: &Snapshot, rows: i64) -> Vec<(String, i64)> {
    let (store, mut run, mut told, mut counted) = (&shelf.w.store, ALL, Vec::new(), 0);
    loop {
        let step = snapshot::rows(store, reach, snapshot, &run, rows).await.unwrap();
        let Some(last) = step.last() else { break };
        counted += snapshot::count(store, reach, snapshot, &step, NOW).await.unwrap().whole;
        let page = snapshot::read(store, reach, snapshot, &step, NOW).await.unwrap();
        assert!(!page.is_full);
        told.extend(page.entries.iter().map(|found| (found.id.clone(), found.version)));
        run.after = *last;
    }
    assert_eq!(counted, i64::try_from(told.len()).unwrap());
    told
}

fn at(id: &str, version: i64) -> (String, i64) {
    (id.into(), version)
}

#[tokio::test]
async fn a_snapshot_has_what_there_was_at_its_moment_as_it_was() {
    let shelf = Shelf::new().await;
    let (by, later) = (shelf.by_elsewhere(), NOW.plus_seconds(60));
    for id in ["same", "changed", "deleted", "twice"] {
        shelf.put_at(visit(id, &["amina"], "first"), by, NOW).await;
    }
    shelf.put_at(visit("twice", &["amina"], "second"), by, NOW.plus_seconds(1)).await;
    for (id, words) in [("changed", "second"), ("twice", "third"), ("new", "first")] {
        shelf.put_at(visit(id, &["amina"], words), by, later).await;
    }
    delete(&shelf.w.store, (VISIT, "deleted".into()), by, Demand::Nothing, later).await.unwrap();
    let source = of_organisation(shelf.w.elsewhere);
    for rows in [1, 2, 100] {
        let then = told(&shelf, &source, &as_of(NOW.plus_seconds(30)), rows).await;
        assert_eq!(then, [at("same", 1), at("changed", 1), at("twice", 2)], "{rows} at a step");
    }
    let now = told(&shelf, &source, &as_of(later), 100).await;
    assert_eq!(now, [at("same", 1), at("changed", 2), at("twice", 3), at("new", 1)]);
    let since = Snapshot { since: NOW.plus_seconds(1).0, ..as_of(NOW.plus_seconds(30)) };
    assert_eq!(told(&shelf, &source, &since, 100).await, [at("twice", 2)]);
    assert_eq!(told(&shelf, &of_organisation(shelf.general), &as_of(later), 100).await, []);
}

#[tokio::test]
async fn a_version_of_before_shows_to_who_may_see_it_now_and_might_have_seen_it_then() {
    let shelf = Shelf::new().await;
    let by = shelf.by_elsewhere();
    shelf.put_at(visit("moved", &["amina"], "first"), by, NOW).await;
    shelf.put_at(visit("moved", &["eva"], "second"), by, NOW.plus_seconds(60)).await;
    let (then, now) = (as_of(NOW), as_of(NOW.plus_seconds(60)));
    let (amina, eva) = (Reach::of_patient(shelf.amina), Reach::of_patient(shelf.eva));
    assert_eq!(told(&shelf, &eva, &now, 9).await, [at("moved", 2)]);
    for (reach, snapshot) in [(&amina, &then), (&amina, &now), (&eva, &then)] {
        assert_eq!(told(&shelf, reach, snapshot, 9).await, []);
    }
}

#[tokio::test]
async fn a_snapshot_of_some_patients_has_what_is_in_the_record_of_one_of_them_once() {
    let shelf = Shelf::new().await;
    let by = shelf.by_elsewhere();
    for (id, patients) in [("a", &["amina"][..]), ("b", &["amina", "eva"]), ("c", &["eva"]), ("d", &[])] {
        shelf.put(visit(id, patients, "first"), by).await;
    }
    let source = of_organisation(shelf.w.elsewhere);
    let of = |patients, members: Option<&[i64]>| {
        let members = members.map(|members| format!("{members:?}"));
        Snapshot { patients, members, ..as_of(NOW) }
    };
    let (amina, eva) = (shelf.amina.0, shelf.eva.0);
    let ids = async |snapshot: Snapshot| {
        let told = told(&shelf, &source, &snapshot, 2).await;
        told.into_iter().map(|(id, _)| id).collect::<String>()
    };
    assert_eq!(ids(of(0, None)).await, "abcd");
    assert_eq!(ids(of(1, None)).await, "abc");
    assert_eq!(ids(of(1, Some(&[amina]))).await, "ab");
    assert_eq!(ids(of(1, Some(&[eva]))).await, "bc");
    assert_eq!(ids(of(1, Some(&[amina, eva]))).await, "abc");
    assert_eq!(ids(of(1, Some(&[]))).await, "");
}

#[tokio::test]
async fn what_is_large_is_read_in_parts_and_each_part_goes_on_behind_the_one_before() {
    let shelf = Shelf::new().await;
    let words = "x".repeat(300 << 10);
    for id in ["a", "b", "c"] {
        shelf.put(visit(id, &["amina"], &words), shelf.by_elsewhere()).await;
    }
    let (source, mut run, mut seen) = (of_organisation(shelf.w.elsewhere), ALL, Vec::new());
    loop {
        let rows = snapshot::rows(&shelf.w.store, &source, &as_of(NOW), &run, 100).await.unwrap();
        let page = snapshot::read(&shelf.w.store, &source, &as_of(NOW), &rows, NOW).await.unwrap();
        seen.push(page.entries.iter().map(|found| found.id.as_str()).collect::<String>());
        let Some(last) = page.entries.last().filter(|_| page.is_full) else { break };
        run.after = last.row;
    }
    assert_eq!(seen, ["a", "b", "c"]);
}

#[tokio::test]
async fn an_export_is_kept_as_it_was_ordered_until_it_expires() {
    let shelf = Shelf::new().await;
    let store = &shelf.w.store;
    let id = begun(store, order(), NOW).await;
    let end = NOW.plus_seconds(EXPORT_SECONDS);
    let found = jobs::find(store, id, Moment(end.0 - 1)).await.unwrap().unwrap();
    assert_eq!((found.holder, found.expires_at, &found.types), (HOLDER, end, &order().types));
    assert_eq!(found.snapshot, Snapshot { since: 5, patients: 1, ..as_of(NOW) });
    assert_eq!((found.request, found.progress), (order().request, ExportProgress::default()));
    assert!(jobs::find(store, id, end).await.unwrap().is_none());
    let members = ExportOrder { whose: ExportSubject::Members(vec![shelf.amina]), ..order() };
    let of_members = begun(store, members, NOW).await;
    let found = jobs::find(store, of_members, NOW).await.unwrap().unwrap();
    assert_eq!(found.snapshot.members, Some(format!("[{}]", shelf.amina)));
    assert!(jobs::cancel(store, of_members).await.unwrap());
    assert!(!jobs::cancel(store, of_members).await.unwrap());
    assert!(jobs::find(store, of_members, NOW).await.unwrap().is_none());
    assert_eq!(sweep(store, Moment(end.0 - 1)).await.unwrap(), Swept::default());
    assert_eq!(sweep(store, end).await.unwrap(), Swept { exports: 1, ..Swept::default() });
}

/// Begins one where there is place.
async fn begun(store: &Store, order: ExportOrder, at: Moment) -> ExportId {
    match jobs::begin(store, order, at).await.unwrap() {
        ExportStart::Begun(id) => id,
        ExportStart::Full(until) => panic!("no place until {until:?}"),
    }
}

/// Counts one to its end.
async fn is_counted(store: &Store, id: ExportId, at: Moment) {
    let turn = at.plus_seconds(EXPORT_TURN_SECONDS);
    assert!(jobs::take_turn(store, id, turn, at).await.unwrap());
    let done = ExportProgress { types_done: order().types.len(), ..ExportProgress::default() };
    assert!(jobs::go_on(store, id, turn, &done).await.unwrap());
}

#[tokio::test]
async fn a_caller_has_so_many_exports_under_way_and_no_more_until_one_is_gone() {
    let shelf = Shelf::new().await;
    let store = &shelf.w.store;
    let mut last = ExportId(0);
    for _ in 0..EXPORTS_PER_CALLER {
        last = begun(store, order(), NOW).await;
    }
    let full = ExportStart::Full(NOW.plus_seconds(EXPORT_FORSAKEN_SECONDS));
    assert_eq!(jobs::begin(store, order(), NOW).await.unwrap(), full);
    let another = ExportOrder { holder: (HOLDER.0, 3), ..order() };
    begun(store, another, NOW).await;
    jobs::cancel(store, last).await.unwrap();
    begun(store, order(), NOW).await;
    begun(store, order(), NOW.plus_seconds(EXPORT_SECONDS)).await;
}

#[tokio::test]
async fn the_oldest_export_that_is_counted_makes_place_for_the_next() {
    let shelf = Shelf::new().await;
    let store = &shelf.w.store;
    let mut all = Vec::new();
    for seconds in 0..i64::try_from(EXPORTS_PER_CALLER).unwrap() {
        all.push(begun(store, order(), NOW.plus_seconds(seconds)).await);
    }
    let later = NOW.plus_seconds(60);
    is_counted(store, all[3], later).await;
    is_counted(store, all[1], later).await;
    for gone in [all[1], all[3]] {
        assert!(jobs::find(store, gone, later).await.unwrap().is_some());
        all.push(begun(store, order(), later).await);
        assert!(jobs::find(store, gone, later).await.unwrap().is_none(), "the older first");
    }
    assert!(matches!(jobs::begin(store, order(), later).await.unwrap(), ExportStart::Full(_)));
    for kept in [all[0], all[2], all[4], all[5], all[6]] {
        assert!(jobs::find(store, kept, later).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn an_export_that_nobody_asks_for_is_given_up_and_one_that_is_asked_for_is_not() {
    let shelf = Shelf::new().await;
    let store = &shelf.w.store;
    let mut all = Vec::new();
    for _ in 0..EXPORTS_PER_CALLER {
        all.push(begun(store, order(), NOW).await);
    }
    let asked = NOW.plus_seconds(10);
    let turn = asked.plus_seconds(EXPORT_TURN_SECONDS);
    assert!(jobs::take_turn(store, all[0], turn, asked).await.unwrap());
    assert!(jobs::go_on(store, all[0], turn, &ExportProgress::default()).await.unwrap());
    let given_up = NOW.plus_seconds(EXPORT_FORSAKEN_SECONDS);
    let just_before = Moment(given_up.0 - 1);
    assert_eq!(jobs::begin(store, order(), just_before).await.unwrap(), ExportStart::Full(given_up));
    begun(store, order(), given_up).await;
    assert!(jobs::find(store, all[0], given_up).await.unwrap().is_some(), "it was asked for since");
    assert!(jobs::find(store, all[1], given_up).await.unwrap().is_none());
}

#[tokio::test]
async fn one_at_a_time_counts_on_and_what_was_counted_is_kept() {
    let shelf = Shelf::new().await;
    let store = &shelf.w.store;
    let id = begun(store, order(), NOW).await;
    let turn = NOW.plus_seconds(30);
    assert!(jobs::take_turn(store, id, turn, NOW).await.unwrap());
    assert!(!jobs::take_turn(store, id, turn, NOW).await.unwrap());
    let mut progress = ExportProgress::default();
    for (after, until, count) in [(0, 9, EXPORT_FILE_RESOURCES - 1), (9, 12, 1), (12, 15, 0), (15, 20, 2)] {
        progress.add(Run { of: VISIT, after: RowId(after), until: RowId(until) }, count);
    }
    progress.next_type();
    progress.add(Run { of: ResourceType::Patient, after: RowId(0), until: RowId(3) }, 1);
    progress.add(Run { of: ResourceType::Patient, after: RowId(5), until: RowId(7) }, 1);
    progress.damaged = vec![(VISIT, RowId(11)), (ResourceType::Patient, RowId(6))];
    let runs = |file: &ExportFile| file.runs.iter().map(|run| (run.after.0, run.until.0)).collect::<Vec<_>>();
    let files: Vec<_> = progress.files.iter().map(|file| (runs(file), file.count)).collect();
    let all = [(vec![(0, 12)], EXPORT_FILE_RESOURCES), (vec![(15, 20)], 2), (vec![(0, 3), (5, 7)], 2)];
    assert_eq!(files, all);
    assert!(jobs::go_on(store, id, turn, &progress).await.unwrap());
    assert_eq!(jobs::find(store, id, NOW).await.unwrap().unwrap().progress, progress);
    // Who has died with the turn loses it, and who comes back late changes nothing.
    assert!(jobs::take_turn(store, id, turn, NOW).await.unwrap());
    let next = turn.plus_seconds(30);
    assert!(jobs::take_turn(store, id, next, turn).await.unwrap());
    assert!(!jobs::go_on(store, id, turn, &ExportProgress::default()).await.unwrap());
    assert_eq!(jobs::find(store, id, NOW).await.unwrap().unwrap().progress, progress);
}
