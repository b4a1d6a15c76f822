//! What hangs on a message, a document, a plan or a journal entry: a Binary of ours, by its id.

use crate::members::faults::Faults;
use crate::members::made::Made;
use crate::members::member::{Body, Member, is_object};
use crate::members::number::Number;
use crate::members::place::Place;
use crate::members::schema::JsonSchema;
use crate::tree::{put, said, texts};
use fhir::json::Node;
use fhir::reference;
use fhir::types::ResourceType;
use rules::rest_faults::ValueFault;
use serde::Serialize;
use serde_json::{Value, json};

crate::members::object::json_body! {
    /// An attachment as it is shown.
    pub struct AttachmentMembers {
        "id" => id: String,
        "name" => name: Made<Option<String>>,
        "contentType" => content_type: Made<Option<String>>,
        "size" => size: Made<Option<Number>>,
    }
}

crate::json_object! {
    /// An attachment that was stored by itself.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct NewAttachment {
        "id" => id: String,
        "name" => name: Option<String>,
        "contentType" => content_type: String,
        "size" => size: i64,
        "sha256" => sha256: String,
    }
}

/// An attachment: shown with all its members, sent by its id alone or as it was shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Attachment(pub AttachmentMembers);

/// What is stored of an attachment that an app names by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAttachment {
    pub id: String,
    pub name: Option<String>,
    pub content_type: Option<String>,
    pub size: Option<i64>,
    /// The DocumentReference that holds it, where one does.
    pub document: Option<String>,
    /// Whether something else holds it, so that no further document may.
    pub is_held: bool,
}

impl JsonSchema for Attachment {
    fn json_schema() -> Value {
        AttachmentMembers::json_schema()
    }
}

impl Member for Attachment {
    const IS_REQUIRED: bool = true;

    fn read(sent: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self {
        let id = if let Some(id) = sent.text() {
            id.to_owned()
        } else if is_object(sent, &[AttachmentMembers::MEMBERS], place, faults) {
            AttachmentMembers::of_members(sent, place, faults).id
        } else {
            return Self::default();
        };
        if !reference::is_id(&id) {
            faults.value(place, &ValueFault::NoId);
        }
        Self::named(&id)
    }

    fn sent_schema() -> Value {
        json!({ "oneOf": [String::json_schema(), AttachmentMembers::sent_schema()] })
    }
}

impl Attachment {
    /// The attachment that an Attachment of FHIR names; none where its content is not a Binary of ours.
    #[must_use]
    pub fn of(attachment: &Node<'_>, base: &str) -> Option<Self> {
        let id = reference::id_in(said(attachment, "url")?, ResourceType::Binary, base)?;
        let text = |name| Made(said(attachment, name).map(String::from));
        Some(Self(AttachmentMembers {
            id: id.into(),
            name: text("title"),
            content_type: text("contentType"),
            size: Made(attachment.get("size").and_then(Number::of)),
        }))
    }

    /// One of which only the id is known.
    #[must_use]
    pub fn named(id: &str) -> Self {
        Self(AttachmentMembers { id: id.into(), ..AttachmentMembers::default() })
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }
}

impl StoredAttachment {
    /// As FHIR writes it.
    #[must_use]
    pub fn node(&self) -> Node<'static> {
        let mut node =
            texts([("contentType", self.content_type.as_deref()), ("url", Some(&format!("Binary/{}", self.id)))]);
        put(&mut node, "size", self.size.map(|size| Number::from(size).node()));
        put(&mut node, "title", self.name.as_deref().map(crate::tree::text));
        node
    }
}

/// Notes those that were sent and that nobody stored.
pub(crate) fn check(sent: &[Attachment], stored: &[StoredAttachment], place: Place<'_>, faults: &mut Faults) {
    for (at, one) in sent.iter().enumerate() {
        if !stored.iter().any(|known| known.id == one.id()) {
            faults.value(place.item(at), &ValueFault::UnknownAttachment);
        }
    }
}

/// Notes those that something else holds.
pub(crate) fn check_loose(sent: &[Attachment], stored: &[StoredAttachment], place: Place<'_>, faults: &mut Faults) {
    for (at, one) in sent.iter().enumerate() {
        if stored.iter().any(|known| known.id == one.id() && known.is_held) {
            faults.value(place.item(at), &ValueFault::HeldAttachment);
        }
    }
}

/// Whether both lists name the same, in one order.
pub(crate) fn are_same(one: &[Attachment], other: &[Attachment]) -> bool {
    one.iter().map(Attachment::id).eq(other.iter().map(Attachment::id))
}
