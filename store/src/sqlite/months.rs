//! Dropping months of the ledger from its file, a few blocks at a time, and giving the space back to the disk.

use super::transaction::SqliteTx;
use crate::error::Result;
use crate::lines::block;
use crate::lines::month::Month;
use crate::sql::arg::args;
use crate::sql::statement::Statement;

/// Blocks that one piece removes: some milliseconds of the ledger's own writer.
const BLOCKS: i64 = 8;

const OLDEST: Statement<'static> = Statement::new(
    "store::sqlite::months::OLDEST",
    "SELECT id, lines FROM ledger.blocks WHERE id < $1 ORDER BY id LIMIT $2",
);
const REMOVE: Statement<'static> =
    Statement::new("store::sqlite::months::REMOVE", "DELETE FROM ledger.blocks WHERE id = $1");
const FORGET: Statement<'static> = Statement::new(
    "store::sqlite::months::FORGET",
    "DELETE FROM ledger.subjects WHERE subject = $1 AND at = $2 AND id = $3",
);
/// How the file gives space back: 2, where it was made to do so. Otherwise new lines take the room of those that are gone.
const SHRINKS: Statement<'static> = Statement::new("store::sqlite::months::SHRINKS", "PRAGMA ledger.auto_vacuum");
const FREE: Statement<'static> = Statement::new("store::sqlite::months::FREE", "PRAGMA ledger.freelist_count");
const SHRINK: Statement<'static> =
    Statement::new("store::sqlite::months::SHRINK", "PRAGMA ledger.incremental_vacuum(256)");

impl SqliteTx {
    /// Removes a piece of the months up to this one; tells whether there was any.
    pub(crate) fn drop_month(&mut self, until: Month) -> Result<bool> {
        let (_, end) = until.ids();
        let blocks = self.query(OLDEST, args![end, BLOCKS], |row| Ok((row.int(0)?, row.bytes(1)?)))?;
        for (id, lines) in &blocks {
            // What a line is found by has no order of ids: it is found by the line itself.
            for (at, line) in block::lines(lines).map_while(Result::ok) {
                for subject in line.entries() {
                    self.execute(FORGET, args![subject, line.at.0, *id + at])?;
                }
            }
            self.execute(REMOVE, args![*id])?;
        }
        if !blocks.is_empty() {
            return Ok(true);
        }
        self.shrink()
    }

    /// Gives some of the free space of the file back; tells whether there was any.
    fn shrink(&mut self) -> Result<bool> {
        if self.query(SHRINKS, &[], |row| row.int(0))? != [2] || self.query(FREE, &[], |row| row.int(0))? == [0] {
            return Ok(false);
        }
        self.query(SHRINK, &[], |_| Ok(())).map(|_| true)
    }
}
