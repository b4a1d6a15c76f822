//! Versions: what a resource was, one by one or as its history, newest first. A version shows to those who may see the
//! resource as it is now and whose reach covers the compartments that the version was in; and where the resource has left a
//! record, to those who see that record.

use super::window::{HistoryWindow, NEXT};
use crate::error::Result;
use crate::records::documents::binary;
use crate::records::reach::condition::{Columns, ReachArgs, ReachCondition, Scoped};
use crate::records::search::page_builder::{Page, PageBuilder};
use crate::records::stored::resource::{Resource, columns, resource};
use crate::sql::arg::Arg;
use crate::store::Store;
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::{Arc, LazyLock};

/// Past versions and the one of now, on a condition on `v`, and one more on those of the past, with the right to the resource
/// and to the version.
fn versions(reach: &ReachCondition, on: &str, past_on: &str) -> String {
    let columns = columns("r", "v");
    let (now, viewer) = (reach.right(Columns::even_deleted("r")), reach.viewer(Columns::even_deleted("r")));
    let (then, viewer_then) = reach.past();
    format!(
        "SELECT * FROM (
            SELECT {columns}, {then} AS by_right, {viewer_then} AS by_viewer
            FROM resources r JOIN versions v ON v.resource_id = r.id
            WHERE r.type = $1 AND r.fhir_id = $2 AND {on}{past_on}
            UNION ALL
            SELECT {}, {now} AS by_right, {viewer} AS by_viewer FROM resources r WHERE r.type = $1 AND r.fhir_id = $2 AND {}) f
        WHERE f.by_right IS NOT NULL",
        crate::records::stored::resource::columns("r", "r"),
        on.replace("v.", "r.")
    )
}

static READ: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::history::versions::READ", 3, |reach| versions(reach, "v.version = $3", ""))
});

static HISTORY: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::history::versions::HISTORY", 7, |reach| {
        let on = "v.version < $3 AND v.updated_at >= $5 AND v.updated_at < $6";
        let versions = versions(reach, on, &format!(" AND {NEXT} > $7"));
        format!("{versions} ORDER BY f.version DESC LIMIT $4")
    })
});

static DELETION: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::history::versions::DELETION", 2, |reach| {
        let of = Columns::even_deleted("r");
        let (columns, right, viewer) = (columns("r", "r"), reach.right(of), reach.viewer(of));
        format!(
            "SELECT * FROM (SELECT {columns}, {right} AS by_right, {viewer} AS by_viewer FROM resources r
                WHERE r.type = $1 AND r.fhir_id = $2 AND r.deleted_at IS NOT NULL) f WHERE f.by_right IS NOT NULL"
        )
    })
});

/// The newest past version that is in a record of the caller's reach.
static LAST: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::history::versions::LAST", 2, |reach| {
        let (columns, (then, viewer)) = (columns("r", "v"), reach.past());
        format!(
            "SELECT * FROM (SELECT {columns}, {then} AS by_right, {viewer} AS by_viewer
                FROM resources r JOIN versions v ON v.resource_id = r.id WHERE r.type = $1 AND r.fhir_id = $2) f
            WHERE f.by_right IS NOT NULL ORDER BY f.version DESC LIMIT 1"
        )
    })
});

pub(crate) fn statements() -> Vec<String> {
    [&READ, &HISTORY, &DELETION, &LAST].into_iter().flat_map(|scoped| scoped.all()).collect()
}

/// The version that says that a resource was deleted, if it is the newest and the caller might have seen the resource.
pub async fn deletion(
    store: &Store,
    reach: &Reach,
    (resource_type, fhir_id): (ResourceType, &str),
    now: Moment,
) -> Result<Option<Arc<Resource>>> {
    let own = ReachArgs::of(reach, now);
    let args = own.behind(&[Arg::Int(resource_type.number()), Arg::Text(fhir_id)]);
    store.db.read_one(DELETION.statement(reach), &args, resource).await
}

/// The last version that the caller sees of a resource that is out of reach: its source took it out of the record in which the
/// caller saw it.
pub async fn last_seen(
    store: &Store,
    reach: &Reach,
    (resource_type, fhir_id): (ResourceType, &str),
    now: Moment,
) -> Result<Option<Arc<Resource>>> {
    let own = ReachArgs::of(reach, now);
    let args = own.behind(&[Arg::Int(resource_type.number()), Arg::Text(fhir_id)]);
    store.db.read_one(LAST.statement(reach), &args, resource).await
}

/// One version of a resource; `None` if it is not there or out of reach.
pub async fn read(
    store: &Store,
    reach: &Reach,
    (resource_type, fhir_id): (ResourceType, &str),
    version: i64,
    now: Moment,
) -> Result<Option<Arc<Resource>>> {
    if let Some(found) = of_now(store, reach, (resource_type, fhir_id), now).await?
        && found.version == version
    {
        return Ok(Some(found));
    }
    let own = ReachArgs::of(reach, now);
    let args = own.behind(&[Arg::Int(resource_type.number()), Arg::Text(fhir_id), Arg::Int(version)]);
    store.db.read_one(READ.statement(reach), &args, resource).await
}

/// The versions of a resource within a window of time and before `before`, newest first, `limit` of them at the most.
pub async fn history(
    store: &Store,
    reach: &Reach,
    (resource_type, fhir_id): (ResourceType, &str),
    (window, before, limit): (&HistoryWindow, i64, i64),
    now: Moment,
) -> Result<Page<Arc<Resource>>> {
    let own = ReachArgs::of(reach, now);
    let page = [before, limit, window.since, window.until, window.beyond].map(Arg::Int);
    let args = own.behind(&[[Arg::Int(resource_type.number()), Arg::Text(fhir_id)].as_slice(), &page].concat());
    let mut builder = PageBuilder::of(limit);
    let opened = of_now(store, reach, (resource_type, fhir_id), now).await?;
    let mut add = |version: Arc<Resource>| builder.add(-version.version, version.body.len(), version);
    let is_asked = |opened: &Arc<Resource>| opened.version < before && window.has(opened.updated_at.0);
    opened.into_iter().filter(is_asked).for_each(&mut add);
    let each = |version| {
        add(version);
        Ok(())
    };
    store.db.each(HISTORY.statement(reach), &[&args], resource, each).await?;
    Ok(builder.page())
}

/// A Binary of now, which may be opened by a document. A document opens what the Binary holds now and no more: what it
/// held before may have been for somebody else, and its source alone sees that.
async fn of_now(
    store: &Store,
    reach: &Reach,
    (resource_type, fhir_id): (ResourceType, &str),
    now: Moment,
) -> Result<Option<Arc<Resource>>> {
    match resource_type {
        ResourceType::Binary => binary::read(store, reach, fhir_id, now).await,
        _ => Ok(None),
    }
}
