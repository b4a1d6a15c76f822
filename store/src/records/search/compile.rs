//! Searching by every parameter of FHIR, within a caller's reach, page by page: the newest first, or in an order of values.
//! Where one code or one target leads, a page walks an index that is in its order, and ends where it is full. Of what is led to, reach
//! decides first: no other clause is tried on a row that is out of it, and no value of it put in an order.

use super::cached_page;
use super::clauses::Text;
use super::code_timeline::{self, TimelineWalk};
use super::criteria::Group;
use super::rank::rank;
pub use super::request::{Match, Search};
use super::sort::{self, Cursor};
use super::subject::SearchSubject;
use super::walk::{WalkText, lists, walk, walked};
use crate::error::Result;
use crate::records::reach::condition::{Columns, ReachArgs, ReachCondition, ReachTexts};
use crate::records::stored::resource::{self, columns};
use crate::sql::arg::{Arg, OwnedArg};
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use crate::store::Store;
use fhir::search::query::Query;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::LazyLock;

const PAGE: &str = "store::records::search::compile::PAGE";
const TOTAL: &str = "store::records::search::compile::TOTAL";

/// What is read of a resource `r`, and by which right it is seen, if by any.
static SEEN: LazyLock<ReachTexts> = LazyLock::new(|| {
    ReachTexts::ahead(|reach| {
        let (right, viewer) = (reach.right(Columns::of("r")), reach.viewer(Columns::of("r")));
        format!("{}, {right} AS by_right, {viewer} AS by_viewer", columns("r", "r"))
    })
});

/// Where the keys of an order are in a row of a page.
const KEYS: usize = resource::BEHIND;

/// Rows of a usual page, and one more.
pub(crate) const MOST_OF_PAGE: i64 = 101;

/// A statement for one query and one kind of reach: its text, and its arguments behind those of the reach, one list for
/// each walk.
pub(crate) struct Compilation {
    pub sql: String,
    pub lists: Vec<Vec<OwnedArg>>,
}

/// Gives what is found to `each`, as it comes; `make` makes of it, where it is read, what is given.
pub(crate) async fn find<T: Send + 'static>(
    store: &Store,
    reach: &Reach,
    search: &Search<'_>,
    now: Moment,
    mut make: impl FnMut(Match) -> T + Send + 'static,
    mut each: impl FnMut(T) -> Result<()> + Send,
) -> Result<()> {
    // What goes through more than a page of them would only drive out what is asked for again.
    let is_page = search.limit <= MOST_OF_PAGE;
    let cache = store.cache.clone().filter(|_| is_page);
    if let Some(cache) = &cache
        && let Some(page) = cached_page::find(&store.db, &cache.rows, reach, search, now)?
    {
        return page.into_iter().try_for_each(|one| each(make(one)));
    }
    let numbers: Vec<bool> = search.sort.iter().map(sort::is_number).collect();
    let epoch = cache.as_ref().and_then(|cache| cache.rows.epoch());
    let map = move |row: &dyn Row| {
        let resource = match &cache {
            Some(cache) => resource::through(&cache.rows, epoch, row)?,
            None => resource::resource(row)?,
        };
        let place = Cursor { row: resource.row.0, keys: sort::keys(row, KEYS, &numbers)? };
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
    let statement = Statement::made(PAGE, &compilation.sql);
    store.db.each(if is_page { statement.brief() } else { statement }, &lists, map, each).await
}

/// How many there are in reach.
pub(crate) async fn total(store: &Store, reach: &Reach, query: &Query, now: Moment) -> Result<i64> {
    let compilation = compile_total(reach, query);
    let own = ReachArgs::of(reach, now);
    let args: Vec<Arg<'_>> =
        own.alone().into_iter().chain(compilation.lists.iter().flatten().map(OwnedArg::arg)).collect();
    let found = store.db.page(Statement::made(TOTAL, &compilation.sql), &args, |row| row.int(0)).await?;
    Ok(found.into_iter().next().unwrap_or_default())
}

fn text(reach: &Reach) -> Text {
    Text { reach: ReachCondition::ahead_of(reach), args: Vec::new(), first: ReachArgs::count(reach) + 1 }
}

/// The clause to look up first, and the walk along its values, if it can be walked and the page is in the order of walks.
fn entrance(query: &Query, is_walked: bool) -> (Option<usize>, Option<(i64, Group)>) {
    let walk = |at: usize| query.clauses.get(at).filter(|_| is_walked).and_then(walk);
    // What can be walked can be looked up: a clause that is alone is the first without being ranked.
    let alone = if query.clauses.len() == 1 { walk(0) } else { None };
    if alone.is_some() {
        return (Some(0), alone);
    }
    let first = narrowest(query);
    (first, first.and_then(walk))
}

/// The clause that is likely to leave the fewest.
fn narrowest(query: &Query) -> Option<usize> {
    let ranked = query.clauses.iter().enumerate().filter_map(|(at, clause)| Some((rank(clause)?, at)));
    ranked.min().map(|(_, at)| at)
}

pub(crate) fn compile(reach: &Reach, search: &Search<'_>) -> Compilation {
    let Search { query, sort, after, floor, limit } = search;
    if let Some(timeline) = TimelineWalk::of(query, sort) {
        return compile_course(reach, search, &timeline);
    }
    let mut text = text(reach);
    let (first, walk) = entrance(query, sort.is_empty());
    let keys: Vec<String> = sort.iter().map(|key| sort::value(&mut text, key, query.resource_type)).collect();
    let keys: String = keys.iter().enumerate().map(|(at, value)| format!(", {value} AS key{at}")).collect();
    let mut conditions = Vec::new();
    let mut places = None;
    let (row, from) = match (&walk, first) {
        (Some((parameter, group)), _) => {
            let (own, mark) = (text.number(query.resource_type.number()), text.number(*parameter));
            let WalkText { table, walked, is_first, again, places: cells } =
                walked(&mut text, query.resource_type, group);
            conditions.extend([
                "r.id = w.resource_id".into(),
                format!("w.type = {own} AND w.parameter = {mark} AND {walked}"),
                // A resource that has the value more than once would fill a page more than once.
                format!(
                    "({is_first} OR NOT EXISTS (SELECT 1 FROM {table} e \
                     WHERE e.type = {own} AND e.parameter = {mark} AND {again}))"
                ),
            ]);
            places = Some(cells);
            ("w.resource_id", format!("{table} w CROSS JOIN resources r"))
        }
        (None, first) if sort.is_empty() => newest(&mut text, query, first, &mut conditions),
        (None, first) => candidates(&mut text, query, first, &mut conditions),
    };
    conditions.push(seen(&mut text, query, |at| first == Some(at)));
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
        // The keys of what is out of reach are not even looked at.
        Some(after) if !sort.is_empty() => {
            let behind = sort::behind(&mut text, sort, after);
            format!(" WHERE CASE WHEN f.by_right IS NOT NULL THEN {behind} ELSE FALSE END")
        }
        _ => String::new(),
    };
    let order = if sort.is_empty() { "f.at DESC".into() } else { sort::order(sort) };
    let at = if sort.is_empty() { format!(", {row} AS at") } else { String::new() };
    let (conditions, limit) = (conditions.join(" AND "), text.number(*limit));
    let sql = [
        "SELECT * FROM (SELECT ",
        SEEN.of(reach),
        &keys,
        &at,
        " FROM ",
        &from,
        " WHERE ",
        &conditions,
        ") f",
        &behind,
        " ORDER BY ",
        &order,
        " LIMIT ",
        &limit,
    ];
    Compilation { sql: sql.concat(), lists: lists(text.args, places, walk.map(|(_, group)| group)) }
}

/// The same along a timeline, which is in the order of the page.
fn compile_course(reach: &Reach, search: &Search<'_>, timeline: &TimelineWalk) -> Compilation {
    const ROW: &str = "w.resource_id";
    let mut text = text(reach);
    let mut conditions = vec![format!("r.id = {ROW}"), timeline.condition(&mut text)];
    conditions.push(seen(&mut text, search.query, |at| timeline.answers(at)));
    conditions.extend(search.after.as_ref().map(|last| code_timeline::behind(&mut text, last)));
    let sql = [
        "SELECT * FROM (SELECT ",
        SEEN.of(reach),
        &format!(", {} AS key0, w.moment AS moment, {ROW} AS at", code_timeline::moment()),
        " FROM index_courses w CROSS JOIN resources r WHERE ",
        &conditions.join(" AND "),
        ") f ORDER BY f.moment DESC, f.at DESC LIMIT ",
        &text.number(search.limit),
    ];
    Compilation { sql: sql.concat(), lists: vec![text.args] }
}

pub(crate) fn compile_total(reach: &Reach, query: &Query) -> Compilation {
    let mut text = text(reach);
    let (first, mut conditions) = (narrowest(query), Vec::new());
    let (_, from) = candidates(&mut text, query, first, &mut conditions);
    conditions.push(seen(&mut text, query, |at| first == Some(at)));
    let sql = format!("SELECT count(*) FROM {from} WHERE {}", conditions.join(" AND "));
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
        Some(clause) => text.asked(clause, &SearchSubject::result(query.resource_type, "r.id")),
        None => format!("r.type = {}", text.number(query.resource_type.number())),
    });
    ("r.id", "resources r".into())
}

/// The same in no order, because all are looked at. SQLite keeps the order of a cross join.
fn candidates(
    text: &mut Text,
    query: &Query,
    first: Option<usize>,
    conditions: &mut Vec<String>,
) -> (&'static str, String) {
    let Some(clause) = first.and_then(|at| query.clauses.get(at)) else {
        return newest(text, query, first, conditions);
    };
    let rows = text.rows(clause, &SearchSubject::result(query.resource_type, "r.id"));
    conditions.push("r.id = c.id".into());
    ("c.id", format!("(SELECT DISTINCT u.id FROM ({rows}) u) c CROSS JOIN resources r"))
}

/// That the resource `r` is in reach, and then that all clauses hold for it but those that are answered by how it was found. Nothing else
/// is named than `r`: PostgreSQL tries it where it reads the row.
fn seen(text: &mut Text, query: &Query, is_answered: impl Fn(usize) -> bool) -> String {
    let subject = SearchSubject::result(query.resource_type, "r.id");
    let others = query.clauses.iter().enumerate().filter(|(at, _)| !is_answered(*at));
    let tried: Vec<String> = others.map(|(_, clause)| text.holds(clause, &subject)).collect();
    text.seen_and("r", &tried)
}
