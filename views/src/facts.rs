//! What a view needs to know beside the resource: plain values, found by whoever reads and writes the record.

use crate::elements::attachment::StoredAttachment;
use crate::elements::party::Party;
use crate::elements::source::ItemSource;
use fhir::json::Node;
use rules::moment::Moment;

/// What is known about a resource that is shown. What there is not stays empty.
#[derive(Clone, Debug, Default)]
pub struct Facts<'f> {
    /// Our FHIR base URL, under which references are ours.
    pub base: &'f str,
    pub patient_id: &'f str,
    pub version: i64,
    pub source: ItemSource,
    /// Of the first version, and of this one, as RFC 3339.
    pub date_entered: &'f str,
    pub date_updated: &'f str,
    /// The Medication that a medication refers to.
    pub medication: Option<&'f Node<'f>>,
    /// The laboratory report that names a result, where the caller sees it.
    pub report: Option<&'f Node<'f>>,
    /// Whether some laboratory report names it, be it one that the caller does not see.
    pub is_reported: bool,
    /// The DocumentReferences that a journal entry or a plan names.
    pub documents: &'f [Node<'f>],
    /// Who looks at a message.
    pub reader: Reader,
    /// When the patient first read a message, or a document.
    pub first_read: Option<&'f str>,
    /// Until when a document's content is hidden, where it is.
    pub hidden_until: Option<&'f str>,
}

/// Who looks at a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    #[default]
    Sender,
    /// A recipient, by their own mark.
    Recipient { has_read: bool },
}

/// What is known where something is written.
#[derive(Clone, Debug)]
pub struct WriteFacts<'f> {
    pub base: &'f str,
    pub patient_id: &'f str,
    pub now: Moment,
    /// The same as RFC 3339.
    pub now_text: &'f str,
    /// Who writes.
    pub author: Option<Party>,
    /// What is known of the attachments that are named.
    pub attachments: &'f [StoredAttachment],
    /// What the resource refers to, as it is shown: an update compares with what was shown.
    pub shown: Facts<'f>,
}
