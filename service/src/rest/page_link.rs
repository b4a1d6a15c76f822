//! Where the next page of a list begins: sealed, for the caller, the list and the record that it was made for.

use crate::callers::caller::Caller;
use crate::secrets::keys::Keys;
use rules::rest_errors::RestError;
use rules::rest_faults::ShapeFault;
use serde_json::{Value, json};
use views::order::ListKey;

const PREFIX: &str = "rgl_";

/// Whose list it is, and of what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListName<'n> {
    pub kind: &'n str,
    pub patient: &'n str,
}

/// The value of `after` for what comes behind this item.
pub(crate) fn seal(keys: &Keys, caller: &Caller, of: ListName<'_>, last: &ListKey) -> Option<String> {
    let place = json!([of.kind, of.patient, who(caller), last.date, last.id]);
    keys.seal(PREFIX, place.to_string().as_bytes())
}

/// The item behind which a page begins.
pub(crate) fn open(keys: &Keys, caller: &Caller, of: ListName<'_>, after: &str) -> Result<ListKey, RestError> {
    let place = keys.open_sealed(PREFIX, after).and_then(|content| serde_json::from_slice(&content).ok());
    let key = place.and_then(|place: Value| {
        let [kind, patient, caller_of, date, id] = place.as_array()?.as_slice() else { return None };
        let is_same = kind == of.kind && patient == of.patient && *caller_of == json!(who(caller));
        is_same.then_some(ListKey { date: date.as_i64(), id: id.as_str()?.to_owned() })
    });
    key.ok_or_else(|| {
        let why = "must be taken from a Link of this list, which was given to this caller";
        RestError::BadRequest(ShapeFault::Parameter { name: "after", why }.words())
    })
}

/// The caller, whatever session they have.
fn who(caller: &Caller) -> [Option<i64>; 2] {
    [caller.client().map(|client| client.0), caller.user().map(|user| user.0)]
}
