//! Conversations: the messages of one conversation id, as one line of a list.

use crate::elements::party::Party;
use crate::json_object;
use crate::kinds::message::{Message, MessageStatus};
use crate::members::date::ClinicalDate;
use crate::order::ListKey;
use std::collections::BTreeMap;

json_object! {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Conversation {
        "conversationId" => conversation_id: String,
        "subject" => subject: Option<String>,
        "participants" => participants: Vec<Party>,
        "newest" => newest: Option<ClinicalDate>,
        "unread" => unread: i64,
    }
}

/// The conversations of these messages, the one with the newest message first. A message of none is one by itself, by its own id.
#[must_use]
pub fn conversations<'m>(messages: impl IntoIterator<Item = (&'m str, &'m Message)>) -> Vec<Conversation> {
    let mut all: BTreeMap<&str, Conversation> = BTreeMap::new();
    for (id, message) in messages {
        let id = message.conversation_id.as_deref().unwrap_or(id);
        let one = all.entry(id).or_insert_with(|| Conversation {
            conversation_id: id.into(),
            subject: None,
            participants: Vec::new(),
            newest: None,
            unread: 0,
        });
        for party in message.sender.0.iter().chain(&message.recipients) {
            if !one.participants.iter().any(|known| known.is(party)) {
                one.participants.push(party.clone());
            }
        }
        one.unread += i64::from(message.status == Some(MessageStatus::Unread));
        let key = |date: Option<&str>| ListKey::new(date, "");
        let is_newer = key(message.sent.0.as_deref()) < key(one.newest.as_ref().map(|date| date.0.as_str()));
        if is_newer {
            one.newest = message.sent.0.clone().map(ClinicalDate);
        }
        if is_newer || one.subject.is_none() {
            one.subject = message.subject.clone().or_else(|| one.subject.take());
        }
    }
    let mut all: Vec<Conversation> = all.into_values().collect();
    all.sort_by_cached_key(|one| ListKey::new(one.newest.as_ref().map(|date| date.0.as_str()), &one.conversation_id));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::party::PartyType;
    use crate::members::made::Made;

    #[test]
    fn messages_of_one_conversation_are_one_line_with_all_who_take_part() {
        let party = |id: &str| Party { party_type: PartyType::Professional, id: id.into(), name: None };
        let message = |conversation: Option<&str>, subject: &str, sent: &str, status| Message {
            conversation_id: conversation.map(String::from),
            subject: Some(subject.into()),
            sender: Made(Some(party("a"))),
            recipients: vec![party(sent)],
            sent: Made(Some(sent.into())),
            status: Some(status),
            ..Message::default()
        };
        let all = [
            ("1", message(Some("k"), "Mask", "2026-01-01T00:00:00Z", MessageStatus::Unread)),
            ("2", message(None, "Alone", "2026-03-01T00:00:00Z", MessageStatus::Sent)),
            ("3", message(Some("k"), "Re: Mask", "2026-02-01T00:00:00Z", MessageStatus::Unread)),
        ];
        let told = conversations(all.iter().map(|(id, message)| (*id, message)));
        let told: Vec<_> = told
            .iter()
            .map(|one| (one.conversation_id.as_str(), one.subject.as_deref(), one.participants.len(), one.unread))
            .collect();
        assert_eq!(told, [("2", Some("Alone"), 2, 0), ("k", Some("Re: Mask"), 3, 2)]);
    }
}
