//! Files of an embedded store that are not of one moment, taken as they are by somebody who knows it.

use crate::error::{Error, Result};
use crate::place::Place;
use crate::sqlite;

/// Takes the files of a store as they are; gives those that were behind the others, each with what it lacks. Nobody may be at work
/// in the directory.
pub fn accept(place: &Place) -> Result<Vec<(&'static str, String)>> {
    match place.directory() {
        Some(directory) => sqlite::accept(directory),
        None => Err(Error::Setup("PostgreSQL keeps its files itself; there is nothing to accept".into())),
    }
}
