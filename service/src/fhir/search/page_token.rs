//! Pages of a search: where the next one begins, sealed, so that our own numbers tell nobody how many there are.

use crate::secrets::keys::Keys;
use fhir::search::controls::SortKey;
use rules::answers::Refusal;
use serde_json::Value;
use store::search::sort::{Cursor, CursorKey};

const PREFIX: &str = "rgp_";

/// The `_page` of the page that begins after `row`.
pub(crate) fn seal(keys: &Keys, type_name: &str, row: i64) -> Option<String> {
    keys.seal(PREFIX, &[type_name.as_bytes(), &row.to_be_bytes()].concat())
}

/// The row after which a `_page` begins; without one it is the first page.
pub(crate) fn open(keys: &Keys, type_name: &str, page: Option<&str>) -> Result<i64, Refusal> {
    let Some(page) = page else { return Ok(0) };
    let row = keys.open_sealed(PREFIX, page).and_then(|content| {
        let row = content.strip_prefix(type_name.as_bytes())?;
        row.try_into().ok().map(i64::from_be_bytes)
    });
    row.ok_or_else(foreign)
}

/// The `_page` of the page that begins behind a place in an order.
pub(crate) fn seal_place(keys: &Keys, type_name: &str, place: &Cursor) -> Option<String> {
    let key = |key: &Option<CursorKey>| match key {
        None => Value::Null,
        Some(CursorKey::Number(number)) => Value::from(*number),
        Some(CursorKey::Text(text)) => Value::from(text.as_str()),
    };
    let values: Value = [Value::from(place.row)].into_iter().chain(place.keys.iter().map(key)).collect();
    keys.seal(PREFIX, format!("{type_name}{values}").as_bytes())
}

/// The place behind which a `_page` begins, in the order of this search.
pub(crate) fn open_place(
    keys: &Keys,
    type_name: &str,
    page: Option<&str>,
    sort: &[SortKey],
) -> Result<Option<Cursor>, Refusal> {
    match open_cursor(keys, type_name, page)? {
        Some(place) if !place.is_of(sort) => Err(foreign()),
        place => Ok(place),
    }
}

/// The place behind which a `_page` begins, in whatever order.
pub(crate) fn open_cursor(keys: &Keys, of: &str, page: Option<&str>) -> Result<Option<Cursor>, Refusal> {
    let Some(page) = page else { return Ok(None) };
    let place = keys.open_sealed(PREFIX, page).and_then(|content| place(content.strip_prefix(of.as_bytes())?));
    place.map(Some).ok_or_else(foreign)
}

fn place(values: &[u8]) -> Option<Cursor> {
    let Ok(Value::Array(values)) = serde_json::from_slice(values) else { return None };
    let (row, keys) = values.split_first()?;
    let key = |key: &Value| match key {
        Value::Null => Some(None),
        Value::Number(number) => number.as_i64().map(|number| Some(CursorKey::Number(number))),
        Value::String(text) => Some(Some(CursorKey::Text(text.clone()))),
        _ => None,
    };
    Some(Cursor { row: row.as_i64()?, keys: keys.iter().map(key).collect::<Option<_>>()? })
}

pub(crate) fn foreign() -> Refusal {
    Refusal::Invalid("_page must be taken from a next link of this search or history".into())
}
