//! The label with which a resource is stored over what is there: the patient's choice holds, whatever its source sends, and who sends
//! no label keeps the one that is there.

use super::new_resource::{LabelWish, NewResource, labelled};
use super::predecessor::Before;
use crate::error::{Error, Result};
use fhir::preparation::Preparation;
use rules::consent::label_right::{self, StoredLabel};
use rules::labels::{Label, Labelling, Needs};
use std::borrow::Cow;

/// A resource as it is stored.
pub(crate) struct Labelled<'n> {
    pub content: Cow<'n, Preparation>,
    pub needs: Needs,
    /// Whether the patient chose the label.
    pub is_chosen: bool,
    /// The labels before and now, where it has another than before.
    pub changed: Option<(Option<Label>, Option<Label>)>,
    /// Whether nothing but the label is changed.
    pub is_alone: bool,
    /// Whether it is what is there, stored again in order to be held back no longer.
    pub is_release: bool,
}

impl<'n> Labelled<'n> {
    pub(crate) const fn as_prepared(content: &'n Preparation, needs: Needs) -> Self {
        Self {
            content: Cow::Borrowed(content),
            needs,
            is_chosen: false,
            changed: None,
            is_alone: false,
            is_release: false,
        }
    }

    /// A resource over what is there.
    pub(crate) fn over(new: &'n NewResource, before: Option<&Before>) -> Result<Self> {
        let as_prepared = Self::as_prepared(&new.content, new.needs);
        let (Some(wish), Some(before)) = (new.label, before) else { return Ok(as_prepared) };
        // What comes into somebody's record only now is as new there.
        if before.patients == 0 && wish.sent == Labelling::Silent {
            return Ok(as_prepared);
        }
        let stored = before.label();
        // Whether it may be set was asked before.
        let StoredLabel { label, is_patients_choice } = after(wish, before).unwrap_or(stored);
        let content = match label == Label::of_needs(new.needs) {
            true => Cow::Borrowed(&new.content),
            false => {
                let content = labelled(new.content.clone(), label);
                Cow::Owned(content.map_err(|fault| Error::Impossible(format!("a label cannot be set: {fault}")))?)
            }
        };
        let changed = (label != stored.label).then_some((stored.label, label));
        Ok(Self {
            content,
            needs: new.needs.labelled(label),
            is_chosen: is_patients_choice,
            changed,
            is_alone: wish.is_alone,
            is_release: new.is_release,
        })
    }
}

/// Whether somebody may set the label that was sent over what is there.
pub(crate) fn may_be_set(wish: Option<LabelWish>, before: Option<&Before>) -> bool {
    wish.zip(before).is_none_or(|(wish, before)| after(wish, before).is_some())
}

fn after(wish: LabelWish, before: &Before) -> Option<StoredLabel> {
    label_right::on_update(wish.by, before.label(), wish.sent).ok()
}
