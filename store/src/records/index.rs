//! The index: the tokens by which resources are found, with names that repeat in every row as small integers.

use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use fhir::tokens::{CONTENT, Token};
use fhir::types::ResourceType;
use rules::ids::RowId;

statements! {
    WORD = "SELECT id FROM words WHERE word = $1";
    /// Does nothing if another node has just taken the word or the number; then the word is looked up again.
    NEW_WORD = "INSERT INTO words (id, word) SELECT coalesce(max(id), 0) + 1, CAST($1 AS TEXT) FROM words
        WHERE true ON CONFLICT DO NOTHING";
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

/// Writes the tokens of a resource anew.
pub(super) async fn put(tx: &mut Tx<'_>, row: RowId, resource_type: ResourceType, tokens: &[Token]) -> Result<()> {
    tx.post(FORGET, args![row]).await?;
    for token in tokens {
        let parameter = word(tx, token.parameter).await?;
        let system = match &token.system {
            Some(system) => word(tx, system).await?,
            None => 0,
        };
        tx.post(PUT, args![resource_type.number(), parameter, &token.value, row, system]).await?;
    }
    Ok(())
}

/// Has nothing find a resource any more.
pub(super) async fn forget(tx: &mut Tx<'_>, row: RowId) -> Result<()> {
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
