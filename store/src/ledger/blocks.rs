//! Whole blocks of the ledger, as they are stored.

use crate::error::Result;
use crate::lines::audit::StoredBlock;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;

statements! {
    WHOLE = "SELECT id, number, count, hash, lines, checks FROM ledger.blocks WHERE id >= $1 AND id < $2
    ORDER BY id LIMIT $3";
}

/// The next blocks from an id on, and below another.
pub(super) async fn between(store: &Store, from: i64, beyond: i64, most: i64) -> Result<Vec<StoredBlock>> {
    let mut blocks = Vec::new();
    let keep = |block: StoredBlock| {
        blocks.push(block);
        Ok(())
    };
    store.db.each_of_ledger(WHOLE, &[args![from, beyond, most]], stored_block, keep).await?;
    Ok(blocks)
}

fn stored_block(row: &dyn Row) -> Result<StoredBlock> {
    Ok(StoredBlock {
        id: row.int(0)?,
        number: row.int(1)?,
        count: row.int(2)?,
        hash: row.bytes(3)?,
        lines: row.bytes(4)?,
        checks: row.bytes(5)?,
    })
}
