//! Searching: resources by id, by token, or by both, within a caller's reach, in one statement however many alternatives
//! there are.

use crate::by_id::columns;
use crate::db::Arg;
use crate::error::Result;
use crate::records::{Resource, resource};
use crate::store::Store;
use crate::within::{ReachArg, Within, within, within_grant, within_session};
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
    /// Only what comes after this row, in the order of our own numbers.
    pub after: i64,
    pub limit: i64,
}

const IN_REACH: Within = within!(columns!("r", "r.patient_id"), "resources r", "", " AND r.deleted_at IS NULL");
/// In the reach of the session `$1`.
const IN_SESSION: &str = concat!(
    "SELECT ",
    columns!("r", "r.patient_id"),
    " FROM sessions s LEFT JOIN users u ON u.id = s.user_id JOIN resources r ON ",
    within_session!(),
    " WHERE s.id = $1 AND r.deleted_at IS NULL"
);
/// In the reach of the client `$1` by the grant of the organisation called `$2`.
const IN_GRANT: &str = concat!(
    "SELECT ",
    columns!("r", "r.patient_id"),
    " FROM organisations o JOIN organisation_grants g ON g.organisation_id = o.id AND g.withdrawn_at IS NULL
        JOIN resources r ON ",
    within_grant!(),
    " WHERE g.client_id = $1 AND o.public_id = $2 AND r.deleted_at IS NULL"
);

/// Searches within a reach that is known.
pub async fn search(store: &Store, reach: &Reach, sought: &Sought<'_>) -> Result<Vec<Arc<Resource>>> {
    let own = ReachArg::of(reach);
    found(store, IN_REACH.sql(reach), vec![own.arg()], sought).await
}

/// Searches within the reach of a session: can be asked together with `seen::see`, which says whether it may have what
/// is found.
pub async fn of_session(store: &Store, session: i64, sought: &Sought<'_>) -> Result<Vec<Arc<Resource>>> {
    found(store, IN_SESSION, vec![Arg::Int(session)], sought).await
}

/// Searches what belongs to an organisation that has granted the client access; as `of_session`, for
/// `organisations::see_system`.
pub async fn of_system(
    store: &Store,
    client: i64,
    organisation: &str,
    sought: &Sought<'_>,
) -> Result<Vec<Arc<Resource>>> {
    found(store, IN_GRANT, vec![Arg::Int(client), Arg::Text(organisation)], sought).await
}

async fn found<'a>(
    store: &Store,
    in_reach: &str,
    caller: Vec<Arg<'a>>,
    sought: &Sought<'a>,
) -> Result<Vec<Arc<Resource>>> {
    // Of no ids nothing is found, and SQL has no empty list.
    if sought.ids.is_some_and(<[String]>::is_empty) {
        return Ok(Vec::new());
    }
    let Statement { sql, args } = statement(in_reach, caller, sought);
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

/// A search by a caller, whose arguments come first.
fn statement<'a>(in_reach: &str, caller: Vec<Arg<'a>>, sought: &Sought<'a>) -> Statement<'a> {
    let mut asked = Statement { sql: in_reach.to_owned(), args: caller };
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
    let (after, limit) = (asked.mark(Arg::Int(sought.after)), asked.mark(Arg::Int(sought.limit)));
    asked.sql += &format!(" AND r.id > {after} ORDER BY r.id LIMIT {limit}");
    asked
}

/// What searches are, for each kind of reach and of caller: by one or more ids, tokens, and both.
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
            after: 0,
            limit: 0,
        };
        let callers = IN_REACH.all().map(|in_reach| (in_reach, 1)).into_iter().chain([(IN_SESSION, 1), (IN_GRANT, 2)]);
        callers.map(|(in_reach, args)| statement(in_reach, vec![Arg::Null; args], &sought).sql).collect::<Vec<_>>()
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
            let args = [Arg::Null; 12];
            let plan = store.db.read(&format!("EXPLAIN QUERY PLAN {sql}"), &args, |row| row.text(3)).await.unwrap();
            let resources = plan.iter().find(|step| step.contains(" r ")).unwrap();
            let by_index = ["(rowid=?", "(patient_id=?", "(type_id=? AND fhir_id=?"];
            assert!(by_index.iter().any(|index| resources.contains(index)), "{sql}\n{plan:#?}");
            assert!(!plan.iter().any(|step| step.starts_with("SCAN")), "{sql}\n{plan:#?}");
        }
    }
}
