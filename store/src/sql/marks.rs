//! How a database says that it is not the one to use, and a file to which store it belongs: a mark among its migrations,
//! which everyone reads before anything else.
//!
//! That table is there before all others and is not moved with them. On SQLite even a release that knows nothing of
//! moves refuses a database with a name in it that it does not know.

use crate::error::{Error, Result};

/// In a target, from before its first table until it is proved to be whole.
pub(crate) const UNFINISHED: &str = "move/unfinished";
/// In a source that was moved, before the name of where to.
const MOVED_TO: &str = "move/moved to ";

/// In the first file of a new data directory, until all its files have the store's id.
pub(crate) const BEGUN: &str = "store/begun";
/// In the first file of a data directory, before the name of each other file that has the store's id.
const PART: &str = "store/part ";
/// In each other file of a data directory, before the store's id.
const STORE: &str = "store/id ";

/// The mark by which the first file knows that `file` is a part of its store.
pub(crate) fn part(file: &str) -> String {
    format!("{PART}{file}")
}

/// The mark of a file that is a part of the store `id`.
pub(crate) fn store(id: &str) -> String {
    format!("{STORE}{id}")
}

/// The store that a file is a part of, if its migrations say so.
pub(crate) fn store_id<S: AsRef<str>>(names: &[S]) -> Option<&str> {
    names.iter().find_map(|name| name.as_ref().strip_prefix(STORE))
}

/// The mark of a source that was moved to `place`.
pub(crate) fn moved_to(place: &str) -> String {
    format!("{MOVED_TO}{place}")
}

/// Where a source was moved to, if its migrations say so.
pub(crate) fn destination<S: AsRef<str>>(names: &[S]) -> Option<&str> {
    names.iter().find_map(|name| name.as_ref().strip_prefix(MOVED_TO))
}

pub(crate) fn is_unfinished<S: AsRef<str>>(names: &[S]) -> bool {
    names.iter().any(|name| name.as_ref() == UNFINISHED)
}

/// Whether the name is a mark, and no migration.
pub(crate) fn is_mark(name: &str) -> bool {
    [UNFINISHED, BEGUN].contains(&name) || [MOVED_TO, PART, STORE].iter().any(|mark| name.starts_with(mark))
}

/// Refuses a database that is not the one to use, and says what to do.
pub(crate) fn refuse<S: AsRef<str>>(names: &[S]) -> Result<()> {
    if is_unfinished(names) {
        return Err(unfinished());
    }
    destination(names).map_or(Ok(()), |place| Err(moved(place)))
}

/// What is said of a half-done target.
pub(crate) fn unfinished() -> Error {
    Error::Setup(
        "a move into this database was not finished, so it holds a part of the data at the most; run the same \
         `recordgate move` again, which starts over, or go on with the database that was being moved"
            .into(),
    )
}

/// What is said of a source that was moved. With both in use a refresh token would work once in each, and a revocation
/// in one would not hold in the other.
pub(crate) fn moved(place: &str) -> Error {
    Error::Setup(format!(
        "the data of this database was moved to {place}; use that one. To give that one up and go on here, see \
         `recordgate move --help` on --reopen"
    ))
}
