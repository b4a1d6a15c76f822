//! A walk along the values of one clause, where the index is in the order of pages: the newest first.

use super::clauses::Text;
use super::criteria::{Cell, Group, groups};
use super::form::{Form, reference};
use crate::sql::arg::OwnedArg;
use fhir::search::query::{Clause, Test};
use fhir::types::ResourceType;

/// Values of one parameter that are walked for one by one; where there are more, all that they lead to is looked up.
const MOST_WALKS: usize = 50;

/// The number of the parameter and the values of a clause along whose values the index is in the order of pages.
pub(crate) fn walk(clause: &Clause) -> Option<(i64, Group)> {
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

/// A walk as SQL.
pub(crate) struct WalkText {
    pub table: &'static str,
    /// The condition on its row `w`.
    pub walked: String,
    /// That there can be no earlier row of the same. Most rows are such, and then none is looked for.
    pub is_first: String,
    /// The condition on an earlier row `e` of the same.
    pub again: String,
    /// The places of the value's arguments.
    pub places: Vec<usize>,
}

/// Of a type, along the values of a group.
pub(crate) fn walked(text: &mut Text, of_type: ResourceType, group: &Group) -> WalkText {
    let mut places = Vec::new();
    let mut place = |text: &mut Text| {
        places.push(text.args.len());
        text.mark(OwnedArg::Null)
    };
    match group.leaves.first().map(|leaf| leaf.form) {
        Some(Form::Target) => {
            let (kind, target, version) = (place(text), place(text), place(text));
            let (kind, target) = (format!("CAST({kind} AS BIGINT)"), format!("CAST({target} AS TEXT)"));
            let target = text.target(group, 0, of_type.number(), (&kind, &target));
            let version = format!("CAST({version} AS TEXT)");
            let of = |i: &str| reference(i, [&kind, &target, &version]);
            let earlier = "e.resource_id = w.resource_id AND (e.part, e.version) < (w.part, w.version)";
            let (walked, again) = (of("w"), format!("{} AND {earlier}", of("e")));
            let is_first = "w.part = 0 AND w.version = ''".into();
            WalkText { table: "index_references", walked, is_first, again, places }
        }
        _ => {
            let (code, system) = (place(text), place(text));
            let of = |i: &str| {
                format!(
                    "{i}.code = CAST({code} AS TEXT) \
                     AND (CAST({system} AS BIGINT) IS NULL OR {i}.system = CAST({system} AS BIGINT))"
                )
            };
            let earlier = "e.resource_id = w.resource_id AND (e.system, e.part) < (w.system, w.part)";
            let (walked, again) = (of("w"), format!("{} AND {earlier}", of("e")));
            let is_first = format!("w.part = 0 AND CAST({system} AS BIGINT) IS NOT NULL");
            WalkText { table: "index_tokens", walked, is_first, again, places }
        }
    }
}

/// One list of arguments, or one for each value that is walked for.
pub(crate) fn lists(args: Vec<OwnedArg>, places: Option<Vec<usize>>, group: Option<Group>) -> Vec<Vec<OwnedArg>> {
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
