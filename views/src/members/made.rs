//! Members that the service makes: shown, and passed over where an app sends them back.

use crate::members::faults::Faults;
use crate::members::member::Member;
use crate::members::place::Place;
use crate::members::schema::JsonSchema;
use fhir::json::Node;
use serde::Serialize;
use serde_json::Value;

/// What an app is shown and does not decide. It may send back all that it was shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Made<T>(pub T);

impl<T: JsonSchema> JsonSchema for Made<T> {
    fn json_schema() -> Value {
        let mut schema = T::json_schema();
        if let Value::Object(members) = &mut schema {
            members.insert("readOnly".into(), Value::Bool(true));
        }
        schema
    }
}

impl<T: JsonSchema + Default> Member for Made<T> {
    fn read(_: &Node<'_>, _: Place<'_>, _: &mut Faults) -> Self {
        Self::default()
    }
}
