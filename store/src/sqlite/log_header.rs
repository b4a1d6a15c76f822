//! Whether a write-ahead log belongs to the file beside it, as far as their headers can tell.
//!
//! SQLite puts every whole log that it finds into the file of that name. A file that was put in the place of another
//! while the other's log was left, a restored backup most of all, would be damaged by that, and served.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// In the file's header: the size of a page, and how the file is written (2 with a log, 1 without).
const PAGE_SIZE: std::ops::Range<usize> = 16..18;
const HOW_WRITTEN: usize = 18;
/// In the log's header: the size of a page.
const LOG_PAGE_SIZE: std::ops::Range<usize> = 8..12;
const WITH_A_LOG: u8 = 2;

/// Whether the log cannot be of this file. A backup is a file without a log; no file gets one before it says so.
pub(super) fn is_of_another(file: &Path, log: &Path) -> Result<bool> {
    let Some(log) = start::<32>(log)? else { return Ok(false) };
    let Some(file) = start::<100>(file)? else { return Ok(false) };
    let page_size = match file.get(PAGE_SIZE) {
        // 65536 does not fit.
        Some([0, 1]) => 65536,
        Some([high, low]) => u32::from(u16::from_be_bytes([*high, *low])),
        _ => return Ok(false),
    };
    let in_log = log.get(LOG_PAGE_SIZE).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
    Ok(file.get(HOW_WRITTEN) != Some(&WITH_A_LOG) || in_log != Some(page_size))
}

/// The first bytes of a file; nothing, where there is no such file or it is shorter.
fn start<const N: usize>(path: &Path) -> Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    match File::open(path).and_then(|mut file| file.read_exact(&mut bytes)) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::UnexpectedEof) => Ok(None),
        Err(error) => Err(Error::Io(format!("reading {}", path.display()), error)),
    }
}
