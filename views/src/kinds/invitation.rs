//! An invitation to make the account of a patient, as it is handed over, once.

use crate::json_object;
use std::fmt;

json_object! {
    #[derive(Clone, PartialEq, Eq)]
    pub struct InvitationView {
        "invitationCode" => invitation_code: String,
        "token" => token: String,
        "expiry" => expiry: String,
        "url" => url: String,
    }
}

/// Whoever has the token makes the account: it is in no log.
impl fmt::Debug for InvitationView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InvitationView").field("expiry", &self.expiry).finish_non_exhaustive()
    }
}
