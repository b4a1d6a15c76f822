//! Declaring an object of the API once: how it is written, how it is read, and its schema.

/// Declares a struct that is answered: each field with the name of its member.
#[macro_export]
macro_rules! json_object {
    ($(#[$of:meta])* $visible:vis struct $name:ident { $($(#[$on:meta])* $member:literal => $field:ident: $type:ty,)+ }) => {
        $(#[$of])*
        #[derive(serde::Serialize)]
        $visible struct $name {
            $($(#[$on])* #[serde(rename = $member)] pub $field: $type,)+
        }

        impl $crate::members::schema::JsonSchema for $name {
            fn json_schema() -> serde_json::Value {
                let members = [
                    $(($member.to_owned(), <$type as $crate::members::schema::JsonSchema>::json_schema())),+
                ];
                $crate::members::schema::object(members.into_iter().collect())
            }
        }
    };
}

/// Declares a struct that is answered and can be sent.
macro_rules! json_body {
    ($(#[$of:meta])* $visible:vis struct $name:ident { $($(#[$on:meta])* $member:literal => $field:ident: $type:ty,)+ }) => {
        $crate::json_object! {
            $(#[$of])*
            #[derive(Clone, Debug, Default, PartialEq)]
            $visible struct $name {
                $($(#[$on])* $member => $field: $type,)+
            }
        }

        impl $crate::members::member::Body for $name {
            const MEMBERS: &'static [&'static str] = &[$($member),+];

            fn of_members(
                object: &fhir::json::Node<'_>,
                place: $crate::members::place::Place<'_>,
                faults: &mut $crate::members::faults::Faults,
            ) -> Self {
                Self { $($field: $crate::members::member::member(object, $member, place, faults),)+ }
            }

            fn sent_members() -> Vec<(&'static str, serde_json::Value, bool)> {
                use $crate::members::member::Member;
                vec![$(($member, <$type as Member>::sent_schema(), <$type as Member>::IS_REQUIRED)),+]
            }
        }

        impl $crate::members::member::Member for $name {
            const IS_REQUIRED: bool = true;

            fn read(
                sent: &fhir::json::Node<'_>,
                place: $crate::members::place::Place<'_>,
                faults: &mut $crate::members::faults::Faults,
            ) -> Self {
                use $crate::members::member::{Body, is_object};
                if is_object(sent, &[Self::MEMBERS], place, faults) {
                    return Self::of_members(sent, place, faults);
                }
                Self::default()
            }

            fn sent_schema() -> serde_json::Value {
                use $crate::members::member::Body;
                let members = Self::sent_members();
                let required: Vec<&str> = members.iter().filter(|one| one.2).map(|one| one.0).collect();
                let members = members.iter().map(|one| (one.0.to_owned(), one.1.clone())).collect();
                $crate::members::schema::sent_object(members, &required)
            }
        }
    };
}

pub(crate) use json_body;

#[cfg(test)]
mod tests {
    use crate::members::faults::Faults;
    use crate::members::made::Made;
    use crate::members::member::Member;
    use crate::members::place::Place;
    use crate::members::schema::JsonSchema;
    use crate::members::words::words;
    use fhir::json::read;
    use rules::rest_errors::RestError;
    use serde_json::json;

    crate::json_object! {
        #[derive(Default)]
        struct Pill {
            "brandName" => brand: Option<&'static str>,
            "doses" => doses: Vec<String>,
            "isOld" => is_old: bool,
        }
    }

    json_body! {
        struct Dose {
            "amount" => amount: i64,
            "unit" => unit: Option<String>,
            "parts" => parts: Vec<DosePart>,
            "made" => made: Made<bool>,
        }
    }

    json_body! {
        struct DosePart {
            "amount" => amount: i64,
        }
    }

    words! {
        pub enum Taste {
            Sweet = "SWEET",
            Bitter = "BITTER",
        }
    }

    fn sent(text: &str) -> (Dose, Option<RestError>) {
        let mut faults = Faults::default();
        let dose = Dose::read(&read(text).unwrap(), Place::ROOT, &mut faults);
        (dose, faults.error())
    }

    #[test]
    fn an_object_has_the_members_that_its_schema_names_and_all_of_them() {
        assert_eq!(json!(Pill::default()), json!({ "brandName": null, "doses": [], "isOld": false }));
        let schema = Pill::json_schema();
        assert_eq!(schema["properties"]["brandName"], json!({ "type": ["string", "null"] }));
        assert_eq!(schema["properties"]["doses"], json!({ "type": "array", "items": { "type": "string" } }));
        assert_eq!(schema["required"], json!(["brandName", "doses", "isOld"]));
    }

    #[test]
    fn all_that_has_the_wrong_shape_is_told_at_once_by_its_path() {
        let (_, error) =
            sent(r#"{"unit":3,"colour":1,"parts":[{"amount":1,"size":2},{"amount":"x"},5],"made":"passed over"}"#);
        let expected = "unknown member colour; missing member amount; unit: must be a string, not a number; \
             unknown member parts[0].size; parts[1].amount: must be a number, not a string; \
             parts[2]: must be an object, not a number";
        assert_eq!(error, Some(RestError::BadRequest(expected.into())));
    }

    #[test]
    fn values_that_cannot_be_are_told_of_a_request_of_the_right_shape() {
        let (_, error) = sent(r#"{"amount":1.5,"unit":" ","parts":[{"amount":1e400}]}"#);
        let empty = "must not be empty; send null where there is no value";
        let expected =
            format!("amount: must be a whole number; unit: {empty}; parts[0].amount: must be a whole number");
        assert_eq!(error, Some(RestError::Unprocessable(expected)));
        assert_eq!(sent(r#"{"amount":1,"unit":null}"#), (Dose { amount: 1, ..Dose::default() }, None));
    }

    #[test]
    fn the_schema_of_what_is_sent_requires_what_must_be_sent_only() {
        assert_eq!(Dose::json_schema()["required"], json!(["amount", "unit", "parts", "made"]));
        assert_eq!(Dose::sent_schema()["required"], json!(["amount"]));
        assert_eq!(Dose::sent_schema()["properties"]["parts"]["type"], json!(["array", "null"]));
    }

    #[test]
    fn an_enumeration_that_may_be_null_says_so() {
        let schema = Option::<Taste>::json_schema();
        assert_eq!(schema, json!({ "type": ["string", "null"], "enum": ["SWEET", "BITTER", null] }));
    }
}
