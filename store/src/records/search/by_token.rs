//! Searching: resources by id, by token, or by both, within a caller's reach, page by page in the order of our own
//! numbers. Each page walks an index that is in that order, so that it ends where the page is full.

use crate::error::Result;
use crate::records::reach::condition::{Columns, ReachArgs, ReachCondition, Scoped};
use crate::records::stored::resource::{Resource, columns, resource};
use crate::sql::arg::Arg;
use crate::sql::statement::list_of_texts;
use crate::store::Store;
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::{Arc, LazyLock};

/// A token to search for: `system|value`, `value` or `|value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenPattern {
    pub system: SystemPattern,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemPattern {
    Any,
    /// `|value`: a token without system.
    None,
    Is(String),
}

impl SystemPattern {
    /// Null for any system, the empty text for none.
    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Any => Arg::Null,
            Self::None => Arg::Text(""),
            Self::Is(system) => Arg::Text(system),
        }
    }
}

/// What is looked for: what has one of the ids, one of the tokens, or both where both are asked for.
#[derive(Clone, Debug)]
pub struct Query {
    pub resource_type: ResourceType,
    pub ids: Option<Vec<String>>,
    /// The search parameter, and its alternatives.
    pub tokens: Option<(&'static str, Vec<TokenPattern>)>,
    /// Only what comes after this row, in the order of our own numbers.
    pub after: i64,
    pub limit: i64,
}

/// A page of what `from` finds in reach. The type, the row to begin after and the limit are `$1` to `$3`. `row` is the
/// row's number as the index has it that is walked: by any other name of it, the page would be sorted.
fn page(reach: &ReachCondition, row: &str, from: &str) -> String {
    let (columns, right, viewer) = (columns("r", "r"), reach.right(Columns::of("r")), reach.viewer(Columns::of("r")));
    format!(
        "SELECT * FROM (SELECT {columns}, {right} AS by_right, {viewer} AS by_viewer, {row} AS at FROM {from}) f
            WHERE f.by_right IS NOT NULL ORDER BY f.at LIMIT $3"
    )
}

/// What the parameter `$4` finds under the value `$5` in the system `$6`: null for any, empty for none.
const TOKEN: &str = "t.type = $1 AND t.parameter_id = (SELECT w.id FROM words w WHERE w.word = $4) AND t.value = $5
    AND (CAST($6 AS TEXT) IS NULL OR t.system_id = CASE WHEN $6 = '' THEN 0
        ELSE (SELECT w.id FROM words w WHERE w.word = $6) END)";

/// A resource that has the value in several systems would fill a page more than once.
const FIRST_OF_ITS_ROW: &str = "(CAST($6 AS TEXT) IS NOT NULL OR NOT EXISTS (SELECT 1 FROM tokens e
    WHERE e.type = t.type AND e.parameter_id = t.parameter_id AND e.value = t.value AND e.resource_id = t.resource_id
        AND e.system_id < t.system_id))";

static BY_TOKEN: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::by_token::BY_TOKEN", 6, |reach| {
        let from = format!(
            "tokens t JOIN resources r ON r.id = t.resource_id
                WHERE {TOKEN} AND {FIRST_OF_ITS_ROW} AND t.resource_id > $2"
        );
        page(reach, "t.resource_id", &from)
    })
});

// A few rows by their ids, put in order: a plus keeps SQLite from walking all of the type, which is in order already.
static BY_IDS: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::by_token::BY_IDS", 4, |reach| {
        let from = "resources r WHERE r.type = $1 AND r.id > $2 AND r.fhir_id IN (SELECT value FROM json_each($4))";
        page(reach, "+r.id", from)
    })
});

static BY_TOKEN_AND_IDS: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::by_token::BY_TOKEN_AND_IDS", 7, |reach| {
        let has_token = format!("EXISTS (SELECT 1 FROM tokens t WHERE {TOKEN} AND t.resource_id = r.id)");
        let from = format!(
            "resources r WHERE r.type = $1 AND r.id > $2 AND r.fhir_id IN (SELECT value FROM json_each($7)) AND {}",
            reach.seen_and(Columns::of("r"), &[has_token])
        );
        page(reach, "+r.id", &from)
    })
});

pub(crate) fn statements() -> Vec<String> {
    [&BY_TOKEN, &BY_IDS, &BY_TOKEN_AND_IDS].into_iter().flat_map(|scoped| scoped.all()).collect()
}

/// A page of a search; each alternative of a token is a walk of its own, and the walks, which are one read, are merged.
pub async fn search(store: &Store, reach: &Reach, query: &Query, now: Moment) -> Result<Vec<Arc<Resource>>> {
    let own = ReachArgs::of(reach, now);
    let start = [Arg::Int(query.resource_type.number()), Arg::Int(query.after), Arg::Int(query.limit)];
    let ids = query.ids.as_ref().map(|ids| list_of_texts(ids.iter().map(String::as_str)));
    let Some((parameter, patterns)) = &query.tokens else {
        let Some(ids) = &ids else { return Ok(Vec::new()) };
        let args = own.behind(&[start.as_slice(), &[Arg::Text(ids)]].concat());
        return store.db.page(BY_IDS.statement(reach), &args, resource).await;
    };
    let scoped = if ids.is_none() { &BY_TOKEN } else { &BY_TOKEN_AND_IDS };
    let walks = patterns.iter().map(|pattern| {
        let token = [Arg::Text(parameter), Arg::Text(&pattern.value), pattern.system.arg()];
        let ids = ids.as_ref().map(|ids| Arg::Text(ids));
        own.behind(&start.into_iter().chain(token).chain(ids).collect::<Vec<_>>())
    });
    let walks: Vec<Vec<Arg<'_>>> = walks.collect();
    let lists: Vec<&[Arg<'_>]> = walks.iter().map(Vec::as_slice).collect();
    let mut found: Vec<Arc<Resource>> = Vec::new();
    let each = |resource| {
        found.push(resource);
        Ok(())
    };
    store.db.each(scoped.statement(reach), &lists, resource, each).await?;
    // A resource may have several of the tokens.
    found.sort_by_key(|found| found.row);
    found.dedup_by_key(|found| found.row);
    found.truncate(usize::try_from(query.limit).unwrap_or_default());
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;
    use crate::sql::statement::Statement;

    #[tokio::test]
    async fn a_search_walks_an_index_that_is_in_the_order_of_its_pages() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&Place::Sqlite(directory.path().into()), 1).await.unwrap();
        for sql in statements() {
            let explain = format!("EXPLAIN QUERY PLAN {sql}");
            let statement = Statement::new("explain", &explain);
            let plan = store.db.read(statement, &[Arg::Null; 12], |row| row.text(3)).await.unwrap();
            let resources = plan.iter().find(|step| step.contains(" r ")).unwrap();
            let by_index = ["(rowid=?", "(type=? AND fhir_id=?"];
            assert!(by_index.iter().any(|index| resources.contains(index)), "{sql}\n{plan:#?}");
            assert!(
                !plan.iter().any(|step| step.starts_with("SCAN") && !step.contains("json_each")),
                "{sql}\n{plan:#?}"
            );
            let sorts = plan.iter().any(|step| step.contains("TEMP B-TREE FOR ORDER BY"));
            assert_eq!(
                sorts,
                sql.contains("r.fhir_id IN"),
                "only the few of a list of ids are sorted: {sql}\n{plan:#?}"
            );
        }
    }
}
