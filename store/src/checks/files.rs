//! The files of an embedded store: each is there and whole, as SQLite says itself.

use super::examination::Examination;
use super::fault::Fault;
use crate::error::{Error, Result};
use crate::sqlite;

pub(super) fn examine(examination: &mut Examination<'_>) -> Result<()> {
    let Some(directory) = examination.place.directory() else { return Ok(()) };
    let parts = sqlite::parts(directory);
    if !parts.iter().any(|file| file.exists()) {
        return Err(Error::Setup(format!("there is no data in {}", examination.place)));
    }
    sqlite::refuse(directory)?;
    examination.all = u64::try_from(parts.len()).unwrap_or_default();
    for file in parts {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if !file.exists() {
            examination.tell(&Fault::new(name, "the file is missing"));
            continue;
        }
        for fault in sqlite::faults(&file)? {
            examination.tell(&Fault::new(&name, fault));
        }
        examination.advance(1);
    }
    // What cannot be read was told before.
    for (name, why) in sqlite::older_parts(directory).unwrap_or_default() {
        examination.tell(&Fault::new(name, format!("a part of the store is older than the others: {why}")));
    }
    Ok(())
}
