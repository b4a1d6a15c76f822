//! Broken glass: what is asked, and what whoever breaks one is told.

use crate::json_object;
use crate::members::object::json_body;
use std::fmt;

json_body! {
    /// What is asked, in the query, in a form or as JSON.
    pub struct GlassQuestion {
        "userId" => user_id: Option<String>,
        "reason" => reason: Option<String>,
    }
}

impl GlassQuestion {
    /// The same, and what another part of the request says where this says nothing.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { user_id: self.user_id.or(other.user_id), reason: self.reason.or(other.reason) }
    }
}

json_object! {
    #[derive(Clone, PartialEq, Eq)]
    pub struct OpenedGlass {
        "message" => message: String,
        "token" => token: String,
        "validUntil" => valid_until: String,
    }
}

/// The token opens a record: it is in no log.
impl fmt::Debug for OpenedGlass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedGlass").field("valid_until", &self.valid_until).finish_non_exhaustive()
    }
}
