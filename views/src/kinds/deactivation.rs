//! Deactivating the account of a patient: why, and what became of it.

use crate::json_object;
use crate::members::object::json_body;

json_body! {
    /// What is sent.
    pub struct DeactivationSent {
        "reason" => reason: Option<String>,
    }
}

json_object! {
    /// What is answered.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct DeactivatedAccount {
        "id" => id: String,
        "active" => active: bool,
    }
}
