//! The index: the tokens by which resources are found, with names that repeat in every row as small integers.

use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list, list_of_texts, statements};
use crate::store::Store;
use fhir::tokens::{CONTENT, Token};
use fhir::types::ResourceType;
use rules::ids::RowId;
use std::collections::{BTreeSet, HashMap};

statements! {
    WORD = "SELECT id FROM words WHERE word = $1";
    /// Each is looked up by itself. Together, because a server is asked once for all that a resource has.
    WORDS = "SELECT w.word, w.id FROM json_each($1) q JOIN words w ON w.word = q.value";
    /// Does nothing if another node has just taken the word or the number; then the word is looked up again.
    NEW_WORD = "INSERT INTO words (id, word) SELECT coalesce(max(id), 0) + 1, CAST($1 AS TEXT) FROM words
        WHERE true ON CONFLICT DO NOTHING";
    STORED = "SELECT t.resource_id, p.word, s.word, t.value FROM tokens t JOIN words p ON p.id = t.parameter_id
        LEFT JOIN words s ON s.id = t.system_id
        WHERE t.resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    FORGET = "DELETE FROM tokens WHERE resource_id = $1";
    PUT = "INSERT INTO tokens (type, parameter_id, value, resource_id, system_id)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
}

/// The documents that carry the Binary whose id the mark stands for, as a subquery.
pub(crate) fn carriers(mark: &str) -> String {
    let document = ResourceType::DocumentReference.number();
    format!(
        "SELECT t.resource_id FROM tokens t WHERE t.type = {document} AND t.value = {mark} AND t.system_id = 0
            AND t.parameter_id = (SELECT w.id FROM words w WHERE w.word = '{CONTENT}')"
    )
}

/// The tokens of a resource: parameter, system and value of each.
pub(crate) type TokenSet = BTreeSet<(String, Option<String>, String)>;

/// The tokens of these resources, as they are stored now.
pub(crate) async fn stored(store: &Store, resources: &[RowId]) -> Result<HashMap<i64, TokenSet>> {
    let token = |row: &dyn Row| Ok((row.int(0)?, (row.text(1)?, row.opt_text(2)?, row.text(3)?)));
    let mut found: HashMap<i64, TokenSet> = HashMap::new();
    for (resource, token) in store.db.page(STORED, args![&list(resources.iter().map(|row| row.0))], token).await? {
        found.entry(resource).or_default().insert(token);
    }
    Ok(found)
}

/// The same of tokens that are not stored yet.
pub(crate) fn set(tokens: &[Token]) -> TokenSet {
    tokens.iter().map(|token| (token.parameter.to_owned(), token.system.clone(), token.value.clone())).collect()
}

/// Writes the tokens of a resource, which has none any more.
pub(crate) async fn put(tx: &mut Tx<'_>, row: RowId, resource_type: ResourceType, tokens: &[Token]) -> Result<()> {
    if tokens.is_empty() {
        return Ok(());
    }
    let mut known = words(tx, tokens).await?;
    for token in tokens {
        let parameter = known_word(tx, &mut known, token.parameter).await?;
        let system = match &token.system {
            Some(system) => known_word(tx, &mut known, system).await?,
            None => 0,
        };
        tx.post(PUT, args![resource_type.number(), parameter, &token.value, row, system]).await?;
    }
    Ok(())
}

/// The small integers that stand for the words of these tokens, as far as there are any yet.
async fn words(tx: &mut Tx<'_>, tokens: &[Token]) -> Result<HashMap<String, i64>> {
    let parameters = tokens.iter().map(|token| token.parameter);
    let systems = tokens.iter().filter_map(|token| token.system.as_deref());
    let all: BTreeSet<&str> = parameters.chain(systems).collect();
    let found = tx.query(WORDS, args![&list_of_texts(all)], |row| Ok((row.text(0)?, row.int(1)?))).await?;
    Ok(found.into_iter().collect())
}

/// The one that stands for this word, which is made if need be.
async fn known_word(tx: &mut Tx<'_>, known: &mut HashMap<String, i64>, text: &str) -> Result<i64> {
    if let Some(id) = known.get(text) {
        return Ok(*id);
    }
    let id = word(tx, text).await?;
    known.insert(text.to_owned(), id);
    Ok(id)
}

/// Has nothing find a resource any more.
pub(crate) async fn forget(tx: &mut Tx<'_>, row: RowId) -> Result<()> {
    tx.post(FORGET, args![row]).await
}

/// The small integer that stands for a word.
async fn word(tx: &mut Tx<'_>, text: &str) -> Result<i64> {
    loop {
        if let Some(id) = tx.query_one(WORD, args![text], |row| row.int(0)).await? {
            return Ok(id);
        }
        tx.execute(NEW_WORD, args![text]).await?;
    }
}
