//! The history of a type and of everything: every version of every resource in reach, newest first, page by page. A version
//! shows to those who may see the resource as it is now and whose reach covers the compartments that the version was in; and
//! where the resource has left a record, to those who see that record.
//!
//! A version has its place by its moment, its resource and its number, which never change; so that pages follow each other
//! without gap or repetition whatever is written meanwhile. The versions of now are read first: what is replaced after that is
//! found among those of the past, and counts once.

use super::window::{HistoryWindow, NEXT};
use crate::error::Result;
use crate::records::reach::condition::{Columns, ReachArgs, ReachCondition, Scoped};
use crate::records::search::page_builder::{Page, PageBuilder};
use crate::records::stored::resource::{Resource, columns, resource};
use crate::sql::arg::Arg;
use crate::store::Store;
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::Reach;
use std::cmp::Reverse;
use std::sync::{Arc, LazyLock};

/// Where a version stands in the order of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HistoryPosition {
    pub moment: i64,
    pub row: i64,
    pub version: i64,
}

impl HistoryPosition {
    #[must_use]
    pub fn of(version: &Resource) -> Self {
        Self { moment: version.updated_at.0, row: version.row.0, version: version.version }
    }
}

/// A page of versions of `v` before the place `$1`, `$2`, `$3`, made since `$4`, `$5` of them.
fn page(v: (&'static str, &'static str), from: &str, (right, viewer): (&str, &str)) -> String {
    let ((v, row), columns) = (v, columns("r", v.0));
    format!(
        "SELECT * FROM (SELECT {columns}, {right} AS by_right, {viewer} AS by_viewer, {v}.updated_at AS moment, {v}.{row} AS at,
                {v}.version AS number
            FROM {from} AND ({v}.updated_at, {v}.{row}, {v}.version) < ($1, $2, $3) AND {v}.updated_at >= $4) f
        WHERE f.by_right IS NOT NULL ORDER BY f.moment DESC, f.at DESC, f.number DESC LIMIT $5"
    )
}

/// The versions of now, of a type or of all.
fn of_now(reach: &ReachCondition, kind: &str) -> String {
    let now = Columns::even_deleted("r");
    page(("r", "id"), &format!("resources r WHERE {kind}"), (&reach.right(now), &reach.viewer(now)))
}

/// Those of the past whose next came after `$6`.
fn of_past(reach: &ReachCondition, kind: &str) -> String {
    let (right, viewer) = reach.past();
    let from = format!("versions v JOIN resources r ON r.id = v.resource_id WHERE {kind} AND {NEXT} > $6");
    page(("v", "resource_id"), &from, (&right, &viewer))
}

static NOW: LazyLock<Scoped> =
    LazyLock::new(|| Scoped::new("store::records::history::type_history::NOW", 5, |reach| of_now(reach, "1 = 1")));
static NOW_OF_TYPE: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::history::type_history::NOW_OF_TYPE", 6, |reach| of_now(reach, "r.type = $6"))
});
static PAST: LazyLock<Scoped> =
    LazyLock::new(|| Scoped::new("store::records::history::type_history::PAST", 6, |reach| of_past(reach, "1 = 1")));
static PAST_OF_TYPE: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::history::type_history::PAST_OF_TYPE", 7, |reach| of_past(reach, "v.type = $7"))
});

pub(crate) fn statements() -> Vec<String> {
    [&NOW, &NOW_OF_TYPE, &PAST, &PAST_OF_TYPE].into_iter().flat_map(|scoped| scoped.all()).collect()
}

/// The versions of a type, or of all, within a window of time, behind a place; newest first, `limit` of them at the most.
pub async fn changes(
    store: &Store,
    reach: &Reach,
    of: Option<ResourceType>,
    (window, behind, limit): (&HistoryWindow, Option<HistoryPosition>, i64),
    now: Moment,
) -> Result<Page<Arc<Resource>>> {
    let own = ReachArgs::of(reach, now);
    let end = HistoryPosition { moment: window.until, row: i64::MIN, version: i64::MIN };
    let start = behind.map_or(end, |behind| behind.min(end));
    let first = [start.moment, start.row, start.version, window.since, limit].map(Arg::Int);
    let kind = of.map(|of| Arg::Int(of.number()));
    let of_now: Vec<Arg<'_>> = first.into_iter().chain(kind).collect();
    let of_past: Vec<Arg<'_>> = first.into_iter().chain([Arg::Int(window.beyond)]).chain(kind).collect();
    let (of_now, of_past) = (own.behind(&of_now), own.behind(&of_past));
    let texts = if of.is_some() { (&NOW_OF_TYPE, &PAST_OF_TYPE) } else { (&NOW, &PAST) };
    let mut builder = PageBuilder::of(limit);
    for (text, args) in [(texts.0, &of_now), (texts.1, &of_past)] {
        let each = |version: Arc<Resource>| {
            builder.add(Reverse(HistoryPosition::of(&version)), version.body.len(), version);
            Ok(())
        };
        store.db.each(text.statement(reach), &[args], resource, each).await?;
    }
    Ok(builder.page())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place as StorePlace;
    use crate::sql::statement::Statement;

    #[tokio::test]
    async fn a_page_of_changes_walks_an_index_that_is_in_its_order() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&StorePlace::Sqlite(directory.path().into()), 1).await.unwrap();
        for sql in statements() {
            let explain = format!("EXPLAIN QUERY PLAN {sql}");
            let statement = Statement::new("explain", &explain);
            let plan = store.db.read(statement, &[Arg::Null; 12], |row| row.text(3)).await.unwrap();
            let walked = ["resources_by_moment", "resources_by_type_and_moment", "versions_by_moment"];
            let walked = walked.into_iter().chain(["versions_by_type_and_moment"]);
            let first = plan.iter().find(|step| step.contains(" r ") || step.contains(" v ")).unwrap();
            assert!(
                first.starts_with("SEARCH") && walked.clone().any(|index| first.contains(index)),
                "{sql}\n{plan:#?}"
            );
            assert!(!plan.iter().any(|step| step.starts_with("SCAN") && !step.contains("json_each")), "{plan:#?}");
            assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE FOR ORDER BY")), "{sql}\n{plan:#?}");
        }
    }
}
