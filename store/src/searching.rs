//! Searching: resources by id, by token, or by both, within a caller's reach, in one statement however many alternatives
//! there are.

use crate::by_id::columns;
use crate::db::Arg;
use crate::error::Result;
use crate::records::{Resource, resource};
use crate::store::Store;
use crate::within::{ReachArg, Within, within};
use rules::reach::Reach;
use std::sync::Arc;

/// A token to search for: `system|value`, `value` or `|value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenAsked {
    pub system: SystemAsked,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemAsked {
    Any,
    /// `|value`: a token without system.
    None,
    Is(String),
}

impl SystemAsked {
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
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    pub type_name: &'a str,
    pub ids: Option<&'a [String]>,
    /// The search parameter, and its alternatives.
    pub tokens: Option<(&'a str, &'a [TokenAsked])>,
}

const IN_REACH: Within = within!(columns!("r", "r.patient_id"), "resources r", "", " AND r.deleted_at IS NULL");

/// Searches in the order of our own numbers, from after `after`, at most `limit`.
pub async fn search(
    store: &Store,
    reach: &Reach,
    sought: &Sought<'_>,
    after: i64,
    limit: i64,
) -> Result<Vec<Arc<Resource>>> {
    let own = ReachArg::of(reach);
    let Statement { sql, args } = statement(IN_REACH.sql(reach), own.arg(), sought, after, limit);
    store.db.read(&sql, &args, resource).await
}

/// A statement that grows with what is asked for.
struct Statement<'a> {
    sql: String,
    args: Vec<Arg<'a>>,
}

impl<'a> Statement<'a> {
    /// Takes another argument and gives its mark.
    fn mark(&mut self, arg: Arg<'a>) -> String {
        self.args.push(arg);
        format!("${}", self.args.len())
    }
}

fn statement<'a>(in_reach: &str, own: Arg<'a>, sought: &Sought<'a>, after: i64, limit: i64) -> Statement<'a> {
    let mut asked = Statement { sql: in_reach.to_owned(), args: vec![own] };
    let type_name = asked.mark(Arg::Text(sought.type_name));
    if let Some(ids) = sought.ids {
        let ids: Vec<String> = ids.iter().map(|id| asked.mark(Arg::Text(id))).collect();
        let of_type = format!(" AND r.type_id = (SELECT w.id FROM words w WHERE w.word = {type_name})");
        asked.sql += &format!("{of_type} AND r.fhir_id IN ({})", ids.join(", "));
    }
    if let Some((parameter, tokens)) = sought.tokens {
        let parameter = asked.mark(Arg::Text(parameter));
        let (mut values, mut either) = (Vec::new(), Vec::new());
        for token in tokens {
            let (value, system) = (asked.mark(Arg::Text(&token.value)), asked.mark(token.system.arg()));
            let fits = format!("(CAST({system} AS TEXT) IS NULL OR coalesce(s.word, '') = {system})");
            either.push(format!("t.value = {value} AND {fits}"));
            values.push(value);
        }
        // The values by themselves, for the index: what has a token is few, what is in reach may be everything.
        asked.sql += &format!(
            " AND r.id IN (
                SELECT t.resource_id FROM tokens t JOIN words d ON d.id = t.type_id JOIN words p ON p.id = t.parameter_id
                    LEFT JOIN words s ON s.id = t.system_id
                WHERE d.word = {type_name} AND p.word = {parameter} AND t.value IN ({}) AND ({}))",
            values.join(", "),
            either.join(" OR ")
        );
    }
    let (after, limit) = (asked.mark(Arg::Int(after)), asked.mark(Arg::Int(limit)));
    asked.sql += &format!(" AND r.id > {after} ORDER BY r.id LIMIT {limit}");
    asked
}

/// What searches are made of, for each kind of reach: by one or more ids, tokens, and both.
#[must_use]
pub fn statements() -> Vec<String> {
    let ids = [String::new(), String::new()];
    let token = TokenAsked { system: SystemAsked::Any, value: String::new() };
    let tokens = [token.clone(), token];
    let some_of = |ids_asked: usize, tokens_asked: usize| {
        let sought = Sought {
            type_name: "",
            ids: ids.get(..ids_asked).filter(|ids| !ids.is_empty()),
            tokens: tokens.get(..tokens_asked).filter(|tokens| !tokens.is_empty()).map(|tokens| ("", tokens)),
        };
        IN_REACH.all().map(|in_reach| statement(in_reach, Arg::Null, &sought, 0, 0).sql)
    };
    [(1, 0), (2, 0), (0, 1), (0, 2), (2, 2)].into_iter().flat_map(|(ids, tokens)| some_of(ids, tokens)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Place;

    #[tokio::test]
    async fn a_search_begins_with_an_index_and_never_walks_through_all_that_is_in_reach() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&Place::Sqlite(directory.path().into()), 1).await.unwrap();
        for sql in statements() {
            let args = [Arg::Null; 11];
            let plan = store.db.read(&format!("EXPLAIN QUERY PLAN {sql}"), &args, |row| row.text(3)).await.unwrap();
            let resources = plan.iter().find(|step| step.contains(" r ")).unwrap();
            let by_index = ["(rowid=?", "(patient_id=?", "(type_id=? AND fhir_id=?"];
            assert!(by_index.iter().any(|index| resources.contains(index)), "{sql}\n{plan:#?}");
            assert!(!plan.iter().any(|step| step.starts_with("SCAN")), "{sql}\n{plan:#?}");
        }
    }
}
