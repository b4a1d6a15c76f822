//! A resource to store, and who sets its label.

use fhir::fault::Fault;
use fhir::preparation::Preparation;
use fhir::security;
use rules::consent::denial::Denial;
use rules::consent::label_right::Labeller;
use rules::labels::{self, Coding, LABEL_SYSTEM, Label, Labelling, Needs};

/// A resource to store. Its body is cut where `versionId`, `lastUpdated` and `source` go, because only the transaction
/// knows them.
#[derive(Clone, Debug)]
pub struct NewResource {
    pub content: Preparation,
    /// The labels that it takes to see it.
    pub needs: Needs,
    /// Who sets its label; without one it has the one that it says.
    pub label: Option<LabelWish>,
    /// Whether it is what is there, stored again in order to be held back no longer.
    pub(crate) is_release: bool,
}

/// What somebody wants of a label. What comes of it depends on the one that is there, which only the transaction knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelWish {
    pub by: Labeller,
    pub sent: Labelling,
    /// Whether nothing but the label is changed.
    pub is_alone: bool,
}

impl NewResource {
    #[must_use]
    pub const fn as_sent(content: Preparation, needs: Needs) -> Self {
        Self { content, needs, label: None, is_release: false }
    }

    /// The same with the label that it gets as something new. Over what is there it gets the one that follows there, so that
    /// nothing is denied before. What is in nobody's record is labelled by nobody.
    pub fn labelled_by(self, by: Labeller, is_new: bool) -> Result<Self, Denial> {
        if self.content.patients.is_empty() || !labels::is_labelled(self.content.resource_type.name()) {
            return Ok(self);
        }
        let sent = said(&self.content);
        let label = match by.on_create(sent) {
            Ok(label) => label,
            Err(denial) if is_new => return Err(denial),
            Err(_) => None,
        };
        let content = labelled(self.content, label).map_err(|_| Denial::Unprocessable(UNREADABLE))?;
        let wish = LabelWish { by, sent, is_alone: false };
        Ok(Self { content, needs: self.needs.labelled(label), label: Some(wish), is_release: false })
    }

    /// A stored resource with another label, and nothing else of it changed.
    pub fn relabelled(self, by: Labeller, label: Label) -> Result<Self, Denial> {
        let content = labelled(self.content, Some(label)).map_err(|_| Denial::Unprocessable(UNREADABLE))?;
        let wish = LabelWish { by, sent: Labelling::Label(label), is_alone: true };
        Ok(Self { content, needs: self.needs.labelled(Some(label)), label: Some(wish), is_release: false })
    }

    /// What is stored, in order to be held back no longer.
    pub(crate) fn released(self) -> Self {
        let wish = LabelWish { by: Labeller::Nobody, sent: Labelling::Silent, is_alone: false };
        Self { label: Some(wish), is_release: true, ..self }
    }
}

const UNREADABLE: &str = "meta.security cannot be read";

/// What its security labels say. Two labels are refused where it is prepared.
fn said(content: &Preparation) -> Labelling {
    labels::labelling(content.resource_type.name(), content.security.iter().map(coding)).unwrap_or(Labelling::Sensitive)
}

/// The same with this label: what says another is gone, and all else stays as it was sent.
pub(crate) fn labelled(content: Preparation, label: Option<Label>) -> Result<Preparation, Fault> {
    let name = content.resource_type.name();
    let ours =
        label.map(|label| security::Coding { system: Some(LABEL_SYSTEM.into()), code: Some(label.code().into()) });
    content.with_security(ours.as_ref(), |sent| !Label::is_contradicted(label, name, &coding(sent)))
}

fn coding(coding: &security::Coding) -> Coding<'_> {
    Coding { system: coding.system.as_deref(), code: coding.code.as_deref() }
}
