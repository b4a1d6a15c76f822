//! The privacy label of an item of any kind, and setting it.

use crate::item::PrivacyLabel;
use crate::json_object;
use crate::members::object::json_body;

json_body! {
    /// What is sent.
    pub struct LabelSent {
        "privacyLabel" => privacy_label: PrivacyLabel,
    }
}

json_object! {
    /// What is answered.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LabelledItem {
        "fhirReference" => fhir_reference: String,
        "privacyLabel" => privacy_label: Option<PrivacyLabel>,
        "version" => version: i64,
    }
}
