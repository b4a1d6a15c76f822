//! An archive: one month of the ledger in a file of its own, with its root. It has its name when it is whole and on disk,
//! and not before.

use super::integrity;
use crate::error::{Error, Result};
use crate::lines::audit::StoredBlock;
use crate::lines::block::Hash;
use crate::lines::month::Month;
use crate::lines::root::{MonthRoot, Seal};
use crate::private_files;
use rules::moment::Moment;
use rusqlite::{Connection, OpenFlags, params};
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What the name of an unfinished archive ends with.
const ENDING: &str = ".unfinished";

/// `before` is the hash that the first line is bound to.
const TABLES: &str = "CREATE TABLE blocks (id INTEGER PRIMARY KEY, number BIGINT NOT NULL, count BIGINT NOT NULL,
        hash BYTEA NOT NULL, lines BYTEA NOT NULL, checks BYTEA NOT NULL);
    CREATE TABLE root (month INTEGER PRIMARY KEY, first_line BIGINT NOT NULL, last_line BIGINT NOT NULL,
        hash BYTEA NOT NULL, closed_at BIGINT NOT NULL, key_id TEXT NOT NULL, seal BYTEA NOT NULL, before BYTEA NOT NULL);";
const ADD: &str = "INSERT INTO blocks (id, number, count, hash, lines, checks) VALUES ($1, $2, $3, $4, $5, $6)";
const ADD_ROOT: &str = "INSERT INTO root (month, first_line, last_line, hash, closed_at, key_id, seal, before)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const BLOCKS: &str = "SELECT id, number, count, hash, lines, checks FROM blocks WHERE id >= $1 ORDER BY id LIMIT $2";
const ROOT: &str = "SELECT month, first_line, last_line, hash, closed_at, key_id, seal, before FROM root";

/// A file that is to become an archive. It is locked: nobody else makes the same one meanwhile.
#[derive(Debug)]
pub(crate) struct UnfinishedArchive {
    connection: Connection,
    path: PathBuf,
    target: PathBuf,
    file: File,
}

impl UnfinishedArchive {
    /// Makes the file, beside where the archive will be. What a killed process left of it is thrown away.
    pub(crate) fn begin(target: &Path) -> Result<Self> {
        if target.symlink_metadata().is_ok() {
            return Err(Error::Setup(format!("{} is there already; name a new file", target.display())));
        }
        let mut path = target.as_os_str().to_owned();
        path.push(ENDING);
        let path = PathBuf::from(path);
        let io = |error| Error::Io(format!("making {}", path.display()), error);
        let file = private_files::options().create(true).truncate(false).write(true).open(&path).map_err(io)?;
        let is_ours = file.try_lock().is_ok()
            // Whoever was about to finish it has given it its name: it is no longer ours to empty.
            && std::fs::metadata(&path).is_ok_and(|now| file.metadata().is_ok_and(|then| now.ino() == then.ino()));
        if !is_ours {
            return Err(Error::InUse(format!("{} is being written by another process", path.display())));
        }
        file.set_len(0).map_err(io)?;
        let connection = Connection::open(&path)?;
        // Nobody reads it before it is whole, and what is left half written is written anew.
        connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")?;
        connection.execute_batch(TABLES)?;
        Ok(Self { connection, path, target: target.to_path_buf(), file })
    }

    pub(crate) fn add(&mut self, blocks: &[StoredBlock]) -> Result<()> {
        let mut add = self.connection.prepare_cached(ADD)?;
        for StoredBlock { id, number, count, hash, lines, checks } in blocks {
            add.execute(params![id, number, count, hash, lines, checks])?;
        }
        Ok(())
    }

    /// Writes the root, and has all of it on disk. The archive still has no name, and can be looked at by itself.
    pub(crate) fn complete(&mut self, root: &MonthRoot, before: Hash) -> Result<ArchiveFile> {
        let MonthRoot { month, first, last, hash, closed_at, seal, .. } = root;
        let row = params![month.number(), first, last, hash, closed_at.0, seal.key, seal.tag, before];
        self.connection.execute(ADD_ROOT, row)?;
        self.connection.execute_batch("COMMIT")?;
        self.file.sync_all().map_err(|error| Error::Io(format!("writing {}", self.path.display()), error))?;
        if let Some(fault) = integrity::faults(&self.path)?.first() {
            return Err(Error::Damaged(format!("the archive {} ({fault})", self.path.display())));
        }
        ArchiveFile::open(&self.path)
    }

    /// Gives the archive its name, and never to the loss of a file that has it.
    pub(crate) fn name(self) -> Result<()> {
        let Self { connection, path, target, file } = self;
        drop(connection);
        let io = |error| Error::Io(format!("putting {} in its place", target.display()), error);
        std::fs::hard_link(&path, &target).map_err(io)?;
        std::fs::remove_file(&path).map_err(io)?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)?;
        // The lock is held until here: the file under the unfinished name is ours as long as it has it.
        drop(file);
        Ok(())
    }
}

/// An archive, in order to look at it.
#[derive(Debug)]
pub(crate) struct ArchiveFile {
    connection: Connection,
}

impl ArchiveFile {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
            .map_err(|error| Error::Setup(format!("{} cannot be opened: {error}", path.display())))?;
        Ok(Self { connection })
    }

    /// The root, and the hash that the first line is bound to.
    pub(crate) fn root(&self) -> Result<(MonthRoot, Hash)> {
        let row = self.connection.query_row(ROOT, [], |row| {
            let numbers: [i64; 4] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(4)?];
            let hashes: [Vec<u8>; 2] = [row.get(3)?, row.get(7)?];
            Ok((numbers, hashes, Seal { key: row.get(5)?, tag: row.get(6)? }))
        });
        let no_archive = || Error::Setup("the file is no archive of the ledger".into());
        let ([month, first, last, closed_at], [hash, before], seal) = row.map_err(|_| no_archive())?;
        let hash_of = |bytes: Vec<u8>| bytes.try_into().map_err(|_| no_archive());
        let month = Month::numbered(month).ok_or_else(no_archive)?;
        let root =
            MonthRoot { month, first, last, hash: hash_of(hash)?, closed_at: Moment(closed_at), removal: None, seal };
        Ok((root, hash_of(before)?))
    }

    /// The next blocks from an id on.
    pub(crate) fn blocks(&self, from: i64, most: i64) -> Result<Vec<StoredBlock>> {
        let mut blocks = self.connection.prepare_cached(BLOCKS)?;
        let found = blocks.query_map([from, most], |row| {
            Ok(StoredBlock {
                id: row.get(0)?,
                number: row.get(1)?,
                count: row.get(2)?,
                hash: row.get(3)?,
                lines: row.get(4)?,
                checks: row.get(5)?,
            })
        })?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }
}
