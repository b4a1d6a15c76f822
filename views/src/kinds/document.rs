//! Documents: DocumentReference, whose content is Binaries.

use crate::elements::attachment::{self, Attachment, StoredAttachment};
use crate::elements::party::Party;
use crate::elements::{code, extension};
use crate::facts::{Facts, WriteFacts};
use crate::kinds::document_types::{DocumentClass, DocumentType};
use crate::kinds::subject;
use crate::members::date::{ClinicalDate, Day};
use crate::members::faults::Faults;
use crate::members::made::Made;
use crate::members::number::Number;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::members::words::words;
use crate::tree::{array, items, items_mut, object, owned, put_text, said, text, tidy};
use crate::view::View;
use fhir::json::Node;
use fhir::types::ResourceType;
use fhir::values::date::CalendarDate;
use rules::rest_faults::{MOST_HIDDEN_DAYS, ShapeFault, ValueFault};

const TYPE_SYSTEM: &str = "urn:recordgate:document-type";
const CLASS_SYSTEM: &str = "urn:recordgate:document-class";
const DATE: &str = "urn:recordgate:date";
const POSTAL_DATE: &str = "urn:recordgate:planned-postal-date";
const HIDDEN_DAYS: &str = "urn:recordgate:hidden-days";

words! {
    pub enum DocumentStatus {
        Unread = "UNREAD",
        Read = "READ",
    }
}

json_body! {
    pub struct Document {
        "title" => title: Option<String>,
        "type" => document_type: Option<DocumentType>,
        "typeText" => type_text: Option<String>,
        "class" => class: Option<DocumentClass>,
        "date" => date: Option<ClinicalDate>,
        "author" => author: Made<Option<Party>>,
        "status" => status: Made<DocumentStatus>,
        "readAt" => read_at: Made<Option<String>>,
        "hiddenDays" => hidden_days: Option<i64>,
        "hiddenUntil" => hidden_until: Made<Option<String>>,
        "plannedPostalDate" => planned_postal_date: Option<Day>,
        "attachments" => attachments: Vec<Attachment>,
    }
}

impl View for Document {
    const KIND: &'static str = "Document";
    const TYPES: &'static [ResourceType] = &[ResourceType::DocumentReference];
    const STATUS_WORDS: &'static [&'static str] = DocumentStatus::WORDS;

    fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self> {
        if said(resource, "resourceType") != Some("DocumentReference")
            || said(resource, "status") == Some("entered-in-error")
        {
            return None;
        }
        let known =
            resource.get("type").and_then(|concept| code::coded(concept, TYPE_SYSTEM).find_map(DocumentType::named));
        let class = items(resource, "category").iter().flat_map(|one| code::coded(one, CLASS_SYSTEM));
        let hidden = extension::find(resource, HIDDEN_DAYS).and_then(|one| one.get("valueInteger"));
        let status = if facts.first_read.is_some() { DocumentStatus::Read } else { DocumentStatus::Unread };
        Some(Self {
            title: said(resource, "description").map(String::from),
            document_type: Some(known.unwrap_or_default()),
            type_text: if known.is_some() { None } else { code::name(resource.get("type")) },
            class: Some(class.into_iter().find_map(DocumentClass::named).unwrap_or_default()),
            date: date(resource),
            author: Made(items(resource, "author").iter().find_map(|author| Party::of(author, facts.base))),
            status: Made(status),
            read_at: Made(facts.first_read.map(String::from)),
            hidden_days: Some(hidden.and_then(Node::number).and_then(|digits| digits.parse().ok()).unwrap_or(0)),
            hidden_until: Made(facts.hidden_until.map(String::from)),
            planned_postal_date: extension::text_in(resource, POSTAL_DATE, "valueDate").map(Day),
            attachments: attachments(resource, facts.base),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        self.demand_beside_files(place, faults);
        if self.attachments.is_empty() {
            faults.shape(&ShapeFault::MissingMember(&place.member("attachments").path()));
        }
    }

    fn check(&self, was: Option<&Self>, facts: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        if self.hidden_days.is_some_and(|days| !(0..=MOST_HIDDEN_DAYS).contains(&days)) {
            let most = MOST_HIDDEN_DAYS.to_string();
            faults.value(place.member("hiddenDays"), &ValueFault::NotBetween("0", &most));
        }
        if self.type_text.is_some() && self.document_type.unwrap_or_default() != DocumentType::Other {
            faults.value(place.member("typeText"), &ValueFault::NotBeside("another type than OTHER"));
        }
        if was.is_none_or(|was| !attachment::are_same(&was.attachments, &self.attachments)) {
            attachment::check(&self.attachments, facts.attachments, place.member("attachments"), faults);
            attachment::check_loose(&self.attachments, facts.attachments, place.member("attachments"), faults);
        }
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        let mut resource = object([
            ("resourceType", text("DocumentReference")),
            ("status", text("current")),
            ("subject", subject::patient(facts)),
        ]);
        if let Some(author) = &facts.author {
            resource.set("author", array([author.reference()]));
        }
        resource
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        if was.title != self.title {
            put_text(resource, "description", self.title.as_deref());
        }
        self.write_type(was, resource);
        if let Some(class) = self.class
            && was.class != Some(class)
        {
            write_class(resource, class);
        }
        if was.date != self.date
            && let Some(date) = &self.date
        {
            put_text(resource, "date", Some(&instant(&date.0)));
            extension::set(resource, DATE, "valueString", Some(text(&date.0)));
        }
        if let Some(days) = self.hidden_days
            && was.hidden_days.unwrap_or(0) != days
        {
            extension::set(resource, HIDDEN_DAYS, "valueInteger", (days > 0).then(|| Number::from(days).node()));
        }
        if was.planned_postal_date != self.planned_postal_date {
            let value = self.planned_postal_date.as_ref().map(|date| text(&date.0));
            extension::set(resource, POSTAL_DATE, "valueDate", value);
        }
        if !attachment::are_same(&was.attachments, &self.attachments) {
            self.write_attachments(resource, facts);
        }
    }

    fn clinical_date(&self, _: &Node<'_>, _: &Facts<'_>) -> Option<String> {
        self.date.as_ref().map(|date| date.0.clone())
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.0.word())
    }
}

impl Document {
    /// What must be sent of one whose files come beside it.
    pub fn demand_beside_files(&self, place: Place<'_>, faults: &mut Faults) {
        for (name, is_there) in [("title", self.title.is_some()), ("date", self.date.is_some())] {
            if !is_there {
                faults.shape(&ShapeFault::MissingMember(&place.member(name).path()));
            }
        }
    }

    fn write_type(&self, was: &Self, resource: &mut Node<'_>) {
        let (before, now) = (was.document_type.unwrap_or_default(), self.document_type.unwrap_or_default());
        if now != DocumentType::Other && before != now {
            code::set_coded(resource, "type", TYPE_SYSTEM, now.word());
        } else if now == DocumentType::Other && (before != now || was.type_text != self.type_text) {
            // Another type in words: no code of before says it.
            put_text(resource, "type", None);
            if let Some(words) = &self.type_text {
                resource.set("type", object([("text", text(words))]));
            }
        }
    }

    fn write_attachments(&self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        let Some(contents) = items_mut(resource, "content") else { return };
        let id =
            |content: &Node<'_>| Attachment::of(content.get("attachment")?, facts.base).map(|one| one.id().to_owned());
        contents.retain(|content| id(content).is_none_or(|id| self.attachments.iter().any(|one| one.id() == id)));
        for sent in &self.attachments {
            let is_there = contents.iter().any(|content| id(content).as_deref() == Some(sent.id()));
            let stored = facts.attachments.iter().find(|known| known.id == sent.id());
            if let (false, Some(stored)) = (is_there, stored) {
                contents.push(object([("attachment", stored.node())]));
            }
        }
        let place = |content: &Node<'_>| {
            let id = id(content);
            self.attachments.iter().position(|one| Some(one.id()) == id.as_deref()).unwrap_or(usize::MAX)
        };
        contents.sort_by_key(place);
    }
}

/// A document that holds what something else has attached, for that to name it: labelled as that is.
#[must_use]
pub fn holding(attachment: &StoredAttachment, by: &Node<'_>, facts: &WriteFacts<'_>) -> Node<'static> {
    let mut document = object([
        ("resourceType", text("DocumentReference")),
        ("status", text("current")),
        ("subject", subject::patient(facts)),
        ("date", text(facts.now_text)),
    ]);
    if let Some(security) = by.get("meta").and_then(|meta| meta.get("security")) {
        document.set("meta", object([("security", owned(security))]));
    }
    put_text(&mut document, "description", attachment.name.as_deref());
    document.set("content", array([object([("attachment", attachment.node())])]));
    document
}

fn attachments(resource: &Node<'_>, base: &str) -> Vec<Attachment> {
    let contents = items(resource, "content").iter();
    contents.filter_map(|content| Attachment::of(content.get("attachment")?, base)).collect()
}

/// As it was given, or else the moment that FHIR has.
fn date(resource: &Node<'_>) -> Option<ClinicalDate> {
    let moment = said(resource, "date");
    // A moment that was changed through FHIR is no longer the date that was given.
    let given = extension::text_in(resource, DATE, "valueString").filter(|date| moment == Some(&instant(date)));
    given.or_else(|| moment.map(String::from)).map(ClinicalDate)
}

/// The moment at which a date begins, in UTC.
fn instant(date: &str) -> String {
    match CalendarDate::read(date) {
        Some(CalendarDate { year, month, day }) => {
            format!("{year:04}-{:02}-{:02}T00:00:00Z", month.unwrap_or(1), day.unwrap_or(1))
        }
        None => date.into(),
    }
}

/// The class among the categories, beside others.
fn write_class(resource: &mut Node<'_>, class: DocumentClass) {
    let is_class = |one: &Node<'_>| code::coded(one, CLASS_SYSTEM).next().is_some();
    if let Some(categories) = items_mut(resource, "category") {
        categories.retain(|one| !is_class(one));
        if class != DocumentClass::Other {
            categories.push(code::concept(CLASS_SYSTEM, class.word(), None));
        }
    }
    tidy(resource, "category");
}
