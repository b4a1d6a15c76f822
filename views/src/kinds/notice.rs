//! Notices: what somebody is told in the app, once.

use crate::elements::party::Party;
use crate::json_object;
use crate::members::words::words;

words! {
    pub enum NoticeKind {
        GlassBroken = "GLASS_BROKEN",
        ConsentChanged = "CONSENT_CHANGED",
        AddedToTeam = "ADDED_TO_TEAM",
        Discharged = "DISCHARGED",
        SharingDisabled = "SHARING_DISABLED",
        RecordState = "RECORD_STATE",
        ResultArrived = "RESULT_ARRIVED",
        CarerInvited = "CARER_INVITED",
        Message = "MESSAGE",
        Account = "ACCOUNT",
    }
}

json_object! {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Notice {
        "id" => id: String,
        "kind" => kind: NoticeKind,
        "when" => when: String,
        "patientId" => patient_id: Option<String>,
        "text" => text: String,
        "by" => by: Option<Party>,
        "reason" => reason: Option<String>,
        /// When it was seen.
        "seen" => seen: Option<String>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_rules_has_its_word() {
        for kind in rules::consent::notice::NoticeKind::ALL {
            assert!(NoticeKind::named(kind.word()).is_some(), "{kind:?}");
        }
    }
}
