//! The order of what a search finds: by the values of parameters, what has none last, the newest first among equals; and
//! where the next page begins.

use super::clauses::Text;
use crate::error::Result;
use crate::records::index::shared_key;
use crate::sql::arg::OwnedArg;
use crate::sql::row::Row;
use fhir::parameters::kind::Kind;
use fhir::parameters::parameter::Parameter;
use fhir::search::controls::SortKey;
use fhir::types::ResourceType;

/// The last of a page, behind which the next one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub row: i64,
    /// Its value for each key of the order.
    pub keys: Vec<Option<CursorKey>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CursorKey {
    Number(i64),
    Text(String),
}

impl CursorKey {
    /// Whether such a value is one by which this key orders.
    fn is_of(&self, sort: &SortKey) -> bool {
        matches!(self, Self::Number(_)) == is_number(sort)
    }
}

impl Cursor {
    /// Whether it can be a place in this order.
    #[must_use]
    pub fn is_of(&self, sort: &[SortKey]) -> bool {
        self.keys.len() == sort.len()
            && self.keys.iter().zip(sort).all(|(value, key)| value.as_ref().is_none_or(|value| value.is_of(key)))
    }
}

/// The value of a resource `r` by which a key orders: the least, or the greatest where the order goes down.
pub(crate) fn value(text: &mut Text, sort: &SortKey, resource_type: ResourceType) -> String {
    let side = |low: &'static str, high: &'static str| if sort.descending { high } else { low };
    let (table, column) = match (sort.parameter.code, sort.parameter.kind) {
        ("_id", _) => return "r.fhir_id".into(),
        ("_lastUpdated", _) => return "r.updated_at".into(),
        (_, Kind::Date) => ("index_dates", side("low", "high")),
        (_, Kind::Number | Kind::Quantity) => ("index_amounts", side("low", "high")),
        (_, Kind::Reference) => ("index_references", "target"),
        (_, Kind::String | Kind::Text | Kind::Composite) => ("index_texts", "folded"),
        (_, Kind::Token) => ("index_tokens", "code"),
        (_, Kind::Uri) => ("index_uris", "uri"),
    };
    let (own, is_of) = (text.number(resource_type.number()), is_of(text, "i", sort.parameter));
    let function = if sort.descending { "max" } else { "min" };
    format!(
        "(SELECT {function}(i.{column}) FROM {table} i WHERE i.resource_id = r.id AND {is_of}
            AND +i.type = {own})"
    )
}

/// That a row `i` of the index is a value of a parameter. A composite has none as a whole.
fn is_of(text: &mut Text, i: &str, parameter: &Parameter) -> String {
    let single = shared_key::places(parameter).into_iter().filter(|place| place.len() == 1);
    let keys = single.flatten().map(|key| text.number(key)).collect::<Vec<_>>();
    let own = match &keys[..] {
        [] => return "1 = 0".into(),
        [key] => format!("{i}.parameter = {key}"),
        _ => format!("{i}.parameter IN ({})", keys.join(", ")),
    };
    match shared_key::instead(parameter) {
        None => own,
        Some((other, to)) => {
            let (other, here, contained) = (text.number(other), text.number(to.number()), text.number(-to.number()));
            format!("({own} OR ({i}.parameter = {other} AND {i}.target_type IN ({here}, {contained})))")
        }
    }
}

/// That the row `f` with the keys `key0`, `key1`, … comes behind the cursor.
pub(crate) fn behind(text: &mut Text, sort: &[SortKey], cursor: &Cursor) -> String {
    let mut behind = format!("f.id < {}", text.number(cursor.row));
    for (at, (sort, value)) in sort.iter().zip(&cursor.keys).enumerate().rev() {
        let kind = if is_number(sort) { "BIGINT" } else { "TEXT" };
        let mark = text.mark(match value {
            None => OwnedArg::Null,
            Some(CursorKey::Number(number)) => OwnedArg::Int(*number),
            Some(CursorKey::Text(value)) => OwnedArg::Text(value.clone()),
        });
        let (mark, sign) = (format!("CAST({mark} AS {kind})"), if sort.descending { "<" } else { ">" });
        behind = format!(
            "(({mark} IS NOT NULL AND (f.key{at} IS NULL OR f.key{at} {sign} {mark}))
                OR ((f.key{at} = {mark} OR (f.key{at} IS NULL AND {mark} IS NULL)) AND {behind}))"
        );
    }
    behind
}

/// The order of rows `f`.
pub(crate) fn order(sort: &[SortKey]) -> String {
    let mut order = String::new();
    for (at, sort) in sort.iter().enumerate() {
        let direction = if sort.descending { "DESC" } else { "ASC" };
        order.push_str(&format!("f.key{at} {direction} NULLS LAST, "));
    }
    order + "f.id DESC"
}

/// The keys of a row, whose columns begin at `first`.
pub(crate) fn keys(row: &dyn Row, first: usize, numbers: &[bool]) -> Result<Vec<Option<CursorKey>>> {
    let key = |(at, is_number): (usize, &bool)| {
        Ok(match is_number {
            true => row.opt_int(first + at)?.map(CursorKey::Number),
            false => row.opt_text(first + at)?.map(CursorKey::Text),
        })
    };
    numbers.iter().enumerate().map(key).collect()
}

/// Whether a key orders by numbers.
pub(crate) fn is_number(sort: &SortKey) -> bool {
    let kind = sort.parameter.kind;
    sort.parameter.code == "_lastUpdated" || matches!(kind, Kind::Date | Kind::Number | Kind::Quantity)
}
