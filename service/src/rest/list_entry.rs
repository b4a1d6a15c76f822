//! One entry of a list: an item, or what is left of one that was deleted.

use serde::Serialize;
use serde_json::{Value, json};
use views::item::DeletedItem;
use views::members::schema::JsonSchema;
use views::view::Shown;

/// An entry of a list with `since`.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ListEntry<K> {
    Item(Box<Shown<K>>),
    Deleted(DeletedItem),
}

impl<K: JsonSchema> JsonSchema for ListEntry<K> {
    fn json_schema() -> Value {
        json!({ "oneOf": [Shown::<K>::json_schema(), DeletedItem::json_schema()] })
    }
}
