//! The sessions file of the embedded store and the row update of a refresh, as the service has them. What `store` tells of
//! its statements for SQLite is used here and nowhere else.

use crate::measure::trouble::Trouble;
use rusqlite::{Connection, Transaction, params};
use std::path::Path;
use store::journeys::{Rotation, rotation};

/// Ids as far apart as those of sessions that were granted one by one.
const APART: i64 = 1 << 22;

/// As many sessions as the service holds in this run, in pages as large as its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) sessions: u32,
    pub(crate) page_bytes: u32,
}

#[derive(Debug)]
pub(crate) struct SessionsFile {
    db: Connection,
    rotate: &'static str,
}

/// One transaction.
#[derive(Debug)]
pub(crate) struct Batch<'f> {
    transaction: Transaction<'f>,
    rotate: &'static str,
}

impl SessionsFile {
    pub(crate) fn create(file: &Path, extent: Extent) -> Result<Self, Trouble> {
        let mut db = Connection::open(file)?;
        // Before the journal's mode: setting that writes the first page.
        db.pragma_update(None, "page_size", extent.page_bytes)?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        let Rotation { tables, open, rotate } = rotation();
        let fill = db.transaction()?;
        fill.execute_batch(&tables)?;
        for number in 0..i64::from(extent.sessions) {
            let (salt, granted_at, ends_at) = ([7_u8; 16], 1_800_000_000_000_i64, 1_807_776_000_000_i64);
            let nothing = None::<&str>;
            fill.prepare_cached(open)?.execute(params![
                session_id(number),
                salt,
                1,
                number,
                nothing,
                "PATIENT",
                nothing,
                nothing,
                0,
                nothing,
                granted_at,
                ends_at,
                1,
                nothing,
                nothing,
                nothing,
                nothing,
                nothing,
                nothing,
                nothing,
                nothing,
                nothing
            ])?;
        }
        fill.commit()?;
        Ok(Self { db, rotate })
    }

    pub(crate) fn batch(&mut self) -> Result<Batch<'_>, Trouble> {
        Ok(Batch { transaction: self.db.transaction()?, rotate: self.rotate })
    }
}

impl Batch<'_> {
    pub(crate) fn rotate(&self, session: i64, generation: i64, now: i64) -> Result<(), Trouble> {
        match self.transaction.prepare_cached(self.rotate)?.execute(params![generation, now, session])? {
            1 => Ok(()),
            _ => Err("the sessions file has no such session".into()),
        }
    }

    pub(crate) fn commit(self) -> Result<(), Trouble> {
        Ok(self.transaction.commit()?)
    }
}

/// The id of a session by its place in the order of grants.
pub(crate) fn session_id(number: i64) -> i64 {
    (number + 1) * APART
}
