//! Messages: Communication, as its sender or a recipient sees it.

use crate::elements::attachment::{self, Attachment};
use crate::elements::extension;
use crate::elements::party::Party;
use crate::facts::{Facts, Reader, WriteFacts};
use crate::html as markup;
use crate::kinds::subject;
use crate::members::faults::Faults;
use crate::members::made::Made;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::members::words::words;
use crate::tree::{first, items, items_mut, member_mut, object, put_text, said, text, texts, tidy};
use crate::view::View;
use fhir::json::Node;
use fhir::reference;
use fhir::types::ResourceType;
use rules::rest_faults::{ShapeFault, ValueFault};

const CONVERSATION: &str = "urn:recordgate:conversation-id";
const HTML: &str = "urn:recordgate:html";
const PRIVATE: &str = "urn:recordgate:private";
const CONTENT: &str = "contentString";
const ATTACHMENT: &str = "contentAttachment";

words! {
    pub enum MessageStatus {
        Sent = "SENT",
        Draft = "DRAFT",
        Unread = "UNREAD",
        Read = "READ",
    }
}

json_body! {
    pub struct Message {
        "conversationId" => conversation_id: Option<String>,
        "subject" => subject: Option<String>,
        "content" => content: Option<String>,
        "html" => html: bool,
        "attachments" => attachments: Vec<Attachment>,
        "sender" => sender: Made<Option<Party>>,
        "recipients" => recipients: Vec<Party>,
        "inReplyTo" => in_reply_to: Option<String>,
        "sent" => sent: Made<Option<String>>,
        "private" => private: bool,
        "status" => status: Option<MessageStatus>,
        "firstRead" => first_read: Made<Option<String>>,
    }
}

json_body! {
    /// What a reader says of a message.
    pub struct ReadMark {
        "read" => read: Option<bool>,
    }
}

impl View for Message {
    const KIND: &'static str = "Message";
    const TYPES: &'static [ResourceType] = &[ResourceType::Communication];
    const STATUS_WORDS: &'static [&'static str] = MessageStatus::WORDS;

    fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self> {
        if said(resource, "resourceType") != Some("Communication") {
            return None;
        }
        let status = match (said(resource, "status")?, facts.reader) {
            ("preparation", _) => MessageStatus::Draft,
            ("completed" | "in-progress", Reader::Sender) => MessageStatus::Sent,
            ("completed" | "in-progress", Reader::Recipient { has_read: true }) => MessageStatus::Read,
            ("completed" | "in-progress", Reader::Recipient { has_read: false }) => MessageStatus::Unread,
            _ => return None,
        };
        let words = first(resource, "payload").filter(|payload| payload.get(CONTENT).is_some());
        let flag = |node: &Node<'_>, url| {
            matches!(extension::find(node, url).and_then(|one| one.get("valueBoolean")), Some(Node::Bool(true)))
        };
        let hung = items(resource, "payload").iter().filter_map(|payload| payload.get(ATTACHMENT));
        let replied = first(resource, "inResponseTo").and_then(|one| said(one, "reference"));
        Some(Self {
            conversation_id: extension::text_in(resource, CONVERSATION, "valueString"),
            subject: resource.get("topic").and_then(|topic| said(topic, "text")).map(String::from),
            content: words.and_then(|payload| said(payload, CONTENT)).map(String::from),
            html: words.is_some_and(|payload| flag(payload, HTML)),
            attachments: hung.filter_map(|one| Attachment::of(one, facts.base)).collect(),
            sender: Made(resource.get("sender").and_then(|sender| Party::of(sender, facts.base))),
            recipients: items(resource, "recipient").iter().filter_map(|one| Party::of(one, facts.base)).collect(),
            in_reply_to: replied
                .and_then(|named| reference::id_in(named, ResourceType::Communication, facts.base))
                .map(String::from),
            sent: Made(said(resource, "sent").map(String::from)),
            private: flag(resource, PRIVATE),
            status: Some(status),
            first_read: Made(facts.first_read.map(String::from)),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        let path = |name| place.member(name).path();
        if self.content.is_none() && self.attachments.is_empty() {
            faults.shape(&ShapeFault::MissingMembers(&[&path("content"), &path("attachments")]));
        }
        if self.recipients.is_empty() {
            faults.shape(&ShapeFault::MissingMember(&path("recipients")));
        }
    }

    fn check(&self, was: Option<&Self>, facts: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        let is_kept = was.is_some_and(|was| was.status == self.status);
        if matches!(self.status, Some(MessageStatus::Read | MessageStatus::Unread)) && !is_kept {
            faults.value(place.member("status"), &ValueFault::NotSendable("DRAFT or SENT"));
        }
        if self.html
            && let Some(why) = self.content.as_deref().and_then(markup::fault)
        {
            faults.value(place.member("content"), &ValueFault::UnsafeHtml(&why));
        }
        if self.html && self.content.is_none() {
            faults.value(place.member("html"), &ValueFault::Needs("content"));
        }
        let recipients = place.member("recipients");
        for (at, party) in self.recipients.iter().enumerate() {
            party.check(recipients.item(at), faults);
        }
        if self.in_reply_to.as_deref().is_some_and(|id| !reference::is_id(id)) {
            faults.value(place.member("inReplyTo"), &ValueFault::NoId);
        }
        if was.is_none_or(|was| !attachment::are_same(&was.attachments, &self.attachments)) {
            attachment::check(&self.attachments, facts.attachments, place.member("attachments"), faults);
        }
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        let mut resource = object([
            ("resourceType", text("Communication")),
            ("status", text("preparation")),
            ("subject", subject::patient(facts)),
        ]);
        if let Some(author) = &facts.author {
            resource.set("sender", author.reference());
        }
        resource
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        if was.conversation_id != self.conversation_id {
            extension::set(resource, CONVERSATION, "valueString", self.conversation_id.as_deref().map(text));
        }
        if was.subject != self.subject {
            if let Some(topic) = member_mut(resource, "topic") {
                put_text(topic, "text", self.subject.as_deref());
            }
            tidy(resource, "topic");
        }
        if (&was.content, was.html) != (&self.content, self.html) {
            self.write_content(was, resource);
        }
        if !attachment::are_same(&was.attachments, &self.attachments) {
            self.write_attachments(resource, facts);
        }
        if was.recipients != self.recipients {
            self.write_recipients(resource, facts);
        }
        if was.in_reply_to != self.in_reply_to {
            let new = self.in_reply_to.as_ref().map(|id| texts([("reference", Some(&format!("Communication/{id}")))]));
            if let Some(all) = items_mut(resource, "inResponseTo") {
                match (all.first_mut(), new) {
                    (Some(known), Some(new)) => *known = new,
                    (None, Some(new)) => all.push(new),
                    (Some(_), None) => drop(all.remove(0)),
                    (None, None) => {}
                }
            }
            tidy(resource, "inResponseTo");
        }
        if was.private != self.private {
            extension::set(resource, PRIVATE, "valueBoolean", self.private.then_some(Node::Bool(true)));
        }
        // What is not sent as a draft is sent; what is sent stays sent.
        if self.status != Some(MessageStatus::Draft) && said(resource, "status") == Some("preparation") {
            put_text(resource, "status", Some("completed"));
            put_text(resource, "sent", Some(facts.now_text));
        }
    }

    fn clinical_date(&self, _: &Node<'_>, facts: &Facts<'_>) -> Option<String> {
        self.sent.0.clone().or_else(|| Some(facts.date_entered.into()))
    }

    fn status(&self) -> Option<&'static str> {
        self.status.map(MessageStatus::word)
    }
}

impl Message {
    /// The words are the first payload.
    fn write_content(&self, was: &Self, resource: &mut Node<'_>) {
        let Some(payloads) = items_mut(resource, "payload") else { return };
        if was.content.is_none() {
            payloads.insert(0, object([]));
        }
        match &self.content {
            None => drop(payloads.remove(0)),
            Some(words) => {
                if let Some(payload) = payloads.first_mut() {
                    put_text(payload, CONTENT, Some(words));
                    if was.html != self.html {
                        extension::set(payload, HTML, "valueBoolean", self.html.then_some(Node::Bool(true)));
                    }
                }
            }
        }
        tidy(resource, "payload");
    }

    fn write_attachments(&self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        let Some(payloads) = items_mut(resource, "payload") else { return };
        let id =
            |payload: &Node<'_>| Attachment::of(payload.get(ATTACHMENT)?, facts.base).map(|one| one.id().to_owned());
        payloads.retain(|payload| id(payload).is_none_or(|id| self.attachments.iter().any(|one| one.id() == id)));
        for sent in &self.attachments {
            let is_there = payloads.iter().any(|payload| id(payload).as_deref() == Some(sent.id()));
            let stored = facts.attachments.iter().find(|known| known.id == sent.id());
            if let (false, Some(stored)) = (is_there, stored) {
                payloads.push(object([(ATTACHMENT, stored.node())]));
            }
        }
        tidy(resource, "payload");
    }

    /// Whoever else it goes to (a device, a group) stays.
    fn write_recipients(&self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        let Some(all) = items_mut(resource, "recipient") else { return };
        let party = |one: &Node<'_>| Party::of(one, facts.base);
        all.retain(|one| party(one).is_none_or(|known| self.recipients.iter().any(|sent| sent.is(&known))));
        for sent in &self.recipients {
            if !all.iter().any(|one| party(one).is_some_and(|known| known.is(sent))) {
                all.push(sent.reference());
            }
        }
        tidy(resource, "recipient");
    }
}
