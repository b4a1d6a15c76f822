//! Pages of a search: where the next one begins, sealed, so that our own numbers tell nobody how many there are.

use crate::secrets::keys::Keys;
use rules::answers::Refusal;

const PREFIX: &str = "rgp_";

/// The `_page` of the page that begins after `row`.
pub(super) fn seal(keys: &Keys, type_name: &str, row: i64) -> Option<String> {
    keys.seal(PREFIX, &[type_name.as_bytes(), &row.to_be_bytes()].concat())
}

/// The row after which a `_page` begins; without one it is the first page.
pub(super) fn open(keys: &Keys, type_name: &str, page: Option<&str>) -> Result<i64, Refusal> {
    let Some(page) = page else { return Ok(0) };
    let row = keys.open_sealed(PREFIX, page).and_then(|content| {
        let row = content.strip_prefix(type_name.as_bytes())?;
        row.try_into().ok().map(i64::from_be_bytes)
    });
    row.ok_or_else(|| Refusal::Invalid("_page must be taken from a next link of this search".into()))
}
