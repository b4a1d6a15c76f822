//! What comes with the matches of a search: what they refer to, and what refers to them, within the caller's reach.

use super::page_builder::{Page, PageBuilder};
use super::search_time::SearchTime;
use crate::error::Result;
use crate::records::index::shared_key::{self, key};
use crate::records::reach::condition::{Columns, ReachArgs, ReachCondition, Scoped};
use crate::records::stored::resource::{Resource, columns, resource};
use crate::sql::arg::Arg;
use crate::sql::statement::{Statement, list};
use crate::store::Store;
use fhir::parameters::kind::Kind;
use fhir::parameters::parameter::Parameter;
use fhir::parameters::table;
use fhir::search::controls::Inclusion;
use fhir::types::{self, ResourceType};
use rules::moment::Moment;
use rules::reach::Reach;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// Lists are taken apart first, and lead to the rest: SQLite keeps the order of a cross join.
fn seen(reach: &ReachCondition, rows: &str, limit: &str) -> String {
    let (columns, right, viewer) = (columns("r", "r"), reach.right(Columns::of("r")), reach.viewer(Columns::of("r")));
    format!(
        "SELECT * FROM (SELECT {columns}, {right} AS by_right, {viewer} AS by_viewer FROM resources r WHERE r.id IN ({rows})) f
            WHERE f.by_right IS NOT NULL ORDER BY f.id DESC LIMIT {limit}"
    )
}

/// What the rows `$1` refer to by the parameters `$2`; of the type `$3`, where that is not 0.
static REFERRED_TO: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::includes::REFERRED_TO", 4, |reach| {
        let rows = "SELECT t.id FROM json_each($1) m CROSS JOIN index_references c CROSS JOIN resources t
            WHERE c.resource_id = CAST(m.value AS BIGINT) AND t.type = c.target_type AND t.fhir_id = c.target
                AND +c.type > 0 AND c.parameter IN (SELECT CAST(value AS BIGINT) FROM json_each($2))
                AND (CAST($3 AS BIGINT) = 0 OR c.target_type = CAST($3 AS BIGINT))";
        seen(reach, rows, "$4")
    })
});

/// What refers to the rows `$1` by the types and parameters `$2`, each to one type or, where that is 0, to any.
static REFERRING: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::includes::REFERRING", 3, |reach| {
        let rows = "SELECT c.resource_id FROM json_each($1) m CROSS JOIN resources t CROSS JOIN json_each($2, '$') v
            CROSS JOIN index_references c
            WHERE t.id = CAST(m.value AS BIGINT) AND c.type = CAST(v.value ->> 0 AS BIGINT)
                AND c.parameter = CAST(v.value ->> 1 AS BIGINT) AND c.target_type = t.type AND c.target = t.fhir_id
                AND CAST(v.value ->> 2 AS BIGINT) IN (0, t.type)";
        seen(reach, rows, "$3")
    })
});

pub(crate) fn statements() -> Vec<String> {
    [&REFERRED_TO, &REFERRING].into_iter().flat_map(|scoped| scoped.all()).collect()
}

/// What an inclusion brings for these resources, at most so many of it, if there is time left for it.
pub async fn include(
    store: &Store,
    reach: &Reach,
    inclusion: &Inclusion,
    (of, limit): (&[Arc<Resource>], i64),
    time: SearchTime,
    now: Moment,
) -> Result<Page<Arc<Resource>>> {
    time.must_be_left()?;
    let own = ReachArgs::of(reach, now);
    let rows = list(of.iter().map(|resource| resource.row.0));
    let present: BTreeSet<ResourceType> = of.iter().map(|resource| resource.resource_type).collect();
    let ways = ways(inclusion, &present);
    if inclusion.reverse {
        let followed = |(kind, way): &(ResourceType, &Parameter)| {
            let (key, to) = shared_key::instead(way).map_or((key(way), 0), |(key, to)| (key, to.number()));
            format!("[{},{key},{to}]", kind.number())
        };
        let followed = format!("[{}]", ways.iter().map(followed).collect::<Vec<_>>().join(","));
        let args = own.behind(&[Arg::Text(&rows), Arg::Text(&followed), Arg::Int(limit)]);
        return gather(store, REFERRING.statement(reach), &args, limit).await;
    }
    // One that another keeps is to one type; where all are followed, that other is among them.
    let only = inclusion.parameter.and_then(shared_key::instead).map(|(_, to)| to);
    let target = inclusion.target.or(only);
    let keys = ways.iter().map(|(_, way)| target.map_or_else(|| key(way), |target| shared_key::reference(way, target)));
    let (parameters, target) = (list(keys), target.map_or(0, ResourceType::number));
    let args = own.behind(&[Arg::Text(&rows), Arg::Text(&parameters), Arg::Int(target), Arg::Int(limit)]);
    gather(store, REFERRED_TO.statement(reach), &args, limit).await
}

async fn gather(store: &Store, statement: Statement<'_>, args: &[Arg<'_>], limit: i64) -> Result<Page<Arc<Resource>>> {
    let mut builder = PageBuilder::of(limit);
    let each = |found: Arc<Resource>| {
        builder.add(-found.row.0, found.body.len(), found);
        Ok(())
    };
    store.db.each(statement, &[args], resource, each).await?;
    Ok(builder.page())
}

/// The references that are followed, each with the type that has it.
fn ways(inclusion: &Inclusion, present: &BTreeSet<ResourceType>) -> Vec<(ResourceType, &'static Parameter)> {
    let sources: Vec<ResourceType> = match (inclusion.source, inclusion.reverse) {
        (Some(source), _) => vec![source],
        (None, false) => present.iter().copied().collect(),
        (None, true) => types::all().collect(),
    };
    // What refers to the resources at hand has to be able to.
    let leads_here = |way: &&Parameter| !inclusion.reverse || present.iter().any(|kind| way.may_refer_to(*kind));
    let of_type = |source: ResourceType| {
        let named = move |way: &&Parameter| inclusion.parameter.is_none_or(|parameter| parameter.number == way.number);
        let own = inclusion.parameter.filter(|way| way.is_own());
        let ways = table::of(source).iter().chain(own).filter(|way| way.kind == Kind::Reference).filter(named);
        ways.filter(leads_here).map(move |way| (source, way)).collect::<Vec<_>>()
    };
    sources.into_iter().flat_map(of_type).collect()
}
