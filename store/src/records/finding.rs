//! Searching by every parameter of FHIR, within a caller's reach, page by page: the newest first, or in an order of values.
//! Where one code or one target leads, a page walks an index that is in its order, and ends where it is full.

use super::clauses::Text;
use super::criteria::{Cell, Group, groups};
use super::form::Form;
use super::rank::rank;
use super::reach::{Columns, Condition, ReachArgs, Texts};
use super::resource::{Resource, columns, resource};
use super::sorting::{self, Cursor};
use super::subject::Subject;
use crate::error::Result;
use crate::sql::arg::{Arg, OwnedArg};
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use crate::store::Store;
use fhir::search::controls::SortKey;
use fhir::search::query::{Clause, Query, Test};
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::{Arc, LazyLock};

const PAGE: &str = "store::records::finding::PAGE";
const TOTAL: &str = "store::records::finding::TOTAL";

/// What is read of a resource `r`, and by which right it is seen, if by any.
static SEEN: LazyLock<Texts> = LazyLock::new(|| {
    Texts::ahead(|reach| {
        let (right, eyes) = (reach.right(Columns::of("r")), reach.eyes(Columns::of("r")));
        format!("{}, {right} AS by_right, {eyes} AS by_eyes", columns("r", "r"))
    })
});

/// Where the keys of an order are in a row of a page.
const KEYS: usize = 20;

/// Values of one parameter that are walked for one by one; where there are more, all that they lead to is looked up.
const MOST_WALKS: usize = 50;

/// A page to find.
#[derive(Clone, Debug)]
pub struct Search<'q> {
    pub query: &'q Query,
    /// Most important first; without any, the newest is first.
    pub sort: &'q [SortKey],
    pub after: Option<Cursor>,
    /// Without an order of values, only what is newer than this row.
    pub floor: Option<i64>,
    pub limit: i64,
}

/// A resource that was found, and where in the order.
#[derive(Clone, Debug)]
pub struct Match {
    pub resource: Arc<Resource>,
    pub place: Cursor,
}

/// A statement for one query and one kind of reach: its text, and its arguments behind those of the reach, one list for
/// each walk.
pub(crate) struct Compilation {
    pub sql: String,
    pub lists: Vec<Vec<OwnedArg>>,
}

/// Gives what is found to `each`, as it comes; `make` makes of it, where it is read, what is given.
pub(super) async fn find<T: Send + 'static>(
    store: &Store,
    reach: &Reach,
    search: &Search<'_>,
    now: Moment,
    mut make: impl FnMut(Match) -> T + Send + 'static,
    each: impl FnMut(T) -> Result<()> + Send,
) -> Result<()> {
    let numbers: Vec<bool> = search.sort.iter().map(sorting::is_number).collect();
    let map = move |row: &dyn Row| {
        let resource = resource(row)?;
        let place = Cursor { row: resource.row.0, keys: sorting::keys(row, KEYS, &numbers)? };
        Ok(make(Match { resource, place }))
    };
    let compilation = compile(reach, search);
    let own = ReachArgs::of(reach, now);
    let lists: Vec<Vec<Arg<'_>>> = compilation
        .lists
        .iter()
        .map(|list| own.alone().into_iter().chain(list.iter().map(OwnedArg::arg)).collect())
        .collect();
    let lists: Vec<&[Arg<'_>]> = lists.iter().map(Vec::as_slice).collect();
    store.db.each(Statement::new(PAGE, &compilation.sql), &lists, map, each).await
}

/// How many there are in reach.
pub(super) async fn total(store: &Store, reach: &Reach, query: &Query, now: Moment) -> Result<i64> {
    let compilation = compile_total(reach, query);
    let own = ReachArgs::of(reach, now);
    let args: Vec<Arg<'_>> =
        own.alone().into_iter().chain(compilation.lists.iter().flatten().map(OwnedArg::arg)).collect();
    let found = store.db.page(Statement::new(TOTAL, &compilation.sql), &args, |row| row.int(0)).await?;
    Ok(found.into_iter().next().unwrap_or_default())
}

fn text(reach: &Reach) -> Text {
    let first = match reach {
        Reach::Own(_) => 2,
        Reach::Viewers { .. } => 3,
    };
    Text { reach: Condition::ahead_of(reach), args: Vec::new(), first }
}

/// The clause to look up first.
fn narrowest(query: &Query) -> Option<usize> {
    let ranked = query.clauses.iter().enumerate().filter_map(|(at, clause)| Some((rank(clause)?, at)));
    ranked.min().map(|(_, at)| at)
}

pub(crate) fn compile(reach: &Reach, search: &Search<'_>) -> Compilation {
    let Search { query, sort, after, floor, limit } = search;
    let mut text = text(reach);
    let first = narrowest(query);
    let walk = first.filter(|_| sort.is_empty()).and_then(|at| walk(query.clauses.get(at)?).map(|walk| (at, walk)));
    let keys: Vec<String> = sort.iter().map(|key| sorting::value(&mut text, key, query.resource_type)).collect();
    let keys: String = keys.iter().enumerate().map(|(at, value)| format!(", {value} AS key{at}")).collect();
    let mut conditions = Vec::new();
    let mut places = None;
    let (row, from) = match (&walk, first) {
        (Some((_, (parameter, group))), _) => {
            let (own, mark) = (text.number(query.resource_type.number()), text.number(*parameter));
            let (table, walked, again, cells) = walked(&mut text, group);
            conditions.extend([
                "r.id = w.resource_id".into(),
                format!("w.type = {own} AND w.parameter = {mark} AND {walked}"),
                // A resource that has the value more than once would fill a page more than once.
                format!(
                    "NOT EXISTS (SELECT 1 FROM {table} e WHERE e.type = {own} AND e.parameter = {mark} AND {again})"
                ),
            ]);
            places = Some(cells);
            ("w.resource_id", format!("{table} w CROSS JOIN resources r"))
        }
        (None, first) if sort.is_empty() => newest(&mut text, query, first, &mut conditions),
        (None, first) => candidates(&mut text, query, first, &mut conditions),
    };
    others(&mut text, query, first, row, &mut conditions);
    if sort.is_empty()
        && let Some(after) = after
    {
        conditions.push(format!("{row} < {}", text.number(after.row)));
    }
    if sort.is_empty()
        && let Some(floor) = floor
    {
        conditions.push(format!("{row} > {}", text.number(*floor)));
    }
    let behind = match after {
        Some(after) if !sort.is_empty() => format!(" AND {}", sorting::behind(&mut text, sort, after)),
        _ => String::new(),
    };
    let order = if sort.is_empty() { "f.at DESC".into() } else { sorting::order(sort) };
    let at = if sort.is_empty() { format!(", {row} AS at") } else { String::new() };
    let sql = format!(
        "SELECT * FROM (SELECT {}{keys}{at} FROM {from} WHERE {}) f
            WHERE f.by_right IS NOT NULL{behind} ORDER BY {order} LIMIT {}",
        SEEN.of(reach),
        conditions.join(" AND "),
        text.number(*limit)
    );
    Compilation { sql, lists: lists(text.args, places, walk.map(|(_, (_, group))| group)) }
}

fn compile_total(reach: &Reach, query: &Query) -> Compilation {
    let mut text = text(reach);
    let (first, mut conditions) = (narrowest(query), Vec::new());
    let (row, from) = candidates(&mut text, query, first, &mut conditions);
    others(&mut text, query, first, row, &mut conditions);
    let right = text.seen("r");
    let sql = format!("SELECT count(*) FROM {from} WHERE {} AND {right}", conditions.join(" AND "));
    Compilation { sql, lists: vec![text.args] }
}

/// What a clause leads to, or all of the type, in the order of our own numbers: the number of the resource, and the table. An
/// engine that has a list of numbers can begin at its end, and stop where the page is full.
fn newest(
    text: &mut Text,
    query: &Query,
    first: Option<usize>,
    conditions: &mut Vec<String>,
) -> (&'static str, String) {
    conditions.push(match first.and_then(|at| query.clauses.get(at)) {
        Some(clause) => text.asked(clause, &Subject::result(query.resource_type, "r.id")),
        None => format!("r.type = {}", text.number(query.resource_type.number())),
    });
    ("r.id", "resources r".into())
}

/// The same in no order, because all are looked at. SQLite keeps the order of a cross join, so that the other clauses are tried
/// before the row of a resource is read.
fn candidates(
    text: &mut Text,
    query: &Query,
    first: Option<usize>,
    conditions: &mut Vec<String>,
) -> (&'static str, String) {
    let Some(clause) = first.and_then(|at| query.clauses.get(at)) else {
        return newest(text, query, first, conditions);
    };
    let rows = text.rows(clause, &Subject::result(query.resource_type, "r.id"));
    conditions.push("r.id = c.id".into());
    ("c.id", format!("(SELECT DISTINCT u.id FROM ({rows}) u) c CROSS JOIN resources r"))
}

/// That all clauses hold but the first, for the resource of this number.
fn others(text: &mut Text, query: &Query, first: Option<usize>, row: &'static str, conditions: &mut Vec<String>) {
    let subject = Subject::result(query.resource_type, row);
    let others = query.clauses.iter().enumerate().filter(|(at, _)| first != Some(*at));
    conditions.extend(others.map(|(_, clause)| text.holds(clause, &subject)));
}

/// The number of the parameter and the values of a clause along whose values the index is in the order of pages.
fn walk(clause: &Clause) -> Option<(i64, Group)> {
    let Clause::Own(condition) = clause else { return None };
    let Test::Any(criteria) = &condition.test else { return None };
    if condition.parameter.code == "_id" {
        return None;
    }
    let mut groups = groups(condition.parameter, criteria).into_iter();
    let (group, None) = (groups.next()?, groups.next()) else { return None };
    let [leaf] = group.leaves[..] else { return None };
    let is_walk = matches!(leaf.form, Form::Token | Form::Target) && group.rows.len() <= MOST_WALKS;
    is_walk.then_some((leaf.key, group))
}

/// The table, the condition on its row `w`, that on an earlier row `e` of the same, and the places of the value's arguments.
fn walked(text: &mut Text, group: &Group) -> (&'static str, String, String, Vec<usize>) {
    let mut places = Vec::new();
    let mut place = |text: &mut Text| {
        places.push(text.args.len());
        text.mark(OwnedArg::Null)
    };
    match group.leaves.first().map(|leaf| leaf.form) {
        Some(Form::Target) => {
            let (kind, target, version) = (place(text), place(text), place(text));
            let of = |i: &str| {
                format!(
                    "{i}.target_type = CAST({kind} AS BIGINT) AND {i}.target = CAST({target} AS TEXT)
                        AND (CAST({version} AS TEXT) IS NULL OR {i}.version = CAST({version} AS TEXT))"
                )
            };
            let earlier = "e.resource_id = w.resource_id AND (e.part, e.version) < (w.part, w.version)";
            ("index_references", of("w"), format!("{} AND {earlier}", of("e")), places)
        }
        _ => {
            let (code, system) = (place(text), place(text));
            let of = |i: &str| {
                format!(
                    "{i}.code = CAST({code} AS TEXT)
                        AND (CAST({system} AS BIGINT) IS NULL OR {i}.system = CAST({system} AS BIGINT))"
                )
            };
            let earlier = "e.resource_id = w.resource_id AND (e.system, e.part) < (w.system, w.part)";
            ("index_tokens", of("w"), format!("{} AND {earlier}", of("e")), places)
        }
    }
}

/// One list of arguments, or one for each value that is walked for.
fn lists(args: Vec<OwnedArg>, places: Option<Vec<usize>>, group: Option<Group>) -> Vec<Vec<OwnedArg>> {
    let (Some(places), Some(group)) = (places, group) else { return vec![args] };
    let list = |cells: &Vec<Cell>| {
        let mut args = args.clone();
        for (place, cell) in places.iter().zip(cells) {
            if let Some(arg) = args.get_mut(*place) {
                *arg = cell.arg();
            }
        }
        args
    };
    group.rows.iter().map(list).collect()
}
