//! A resource that was shown: that the caller looked at it is noted for the ledger where this is made. Views have no other way
//! to a resource, so that none can show a record that nobody notes.

use crate::app::App;
use crate::app::accesses::Viewer;
use crate::callers::caller::Caller;
use std::ops::Deref;
use std::sync::Arc;
use store::stored::resource::Resource;

/// A resource, or a version of one, whose look is noted.
#[derive(Clone, Debug)]
pub(crate) struct Noted(Arc<Resource>);

impl Noted {
    pub(in crate::interactions) fn one(app: &App, caller: &Caller, found: Arc<Resource>) -> Self {
        Self::seen_by(app, &caller.viewer(), found)
    }

    /// The same for somebody who is signed in to a page.
    pub(in crate::interactions) fn seen_by(app: &App, viewer: &Viewer<'_>, found: Arc<Resource>) -> Self {
        app.accesses.note(viewer, &found);
        Self(found)
    }

    /// What its writer gets back: the write has a line of its own.
    pub(in crate::interactions) const fn by_write(found: Arc<Resource>) -> Self {
        Self(found)
    }

    /// All that are shown together; what is of one part of one record is counted at once.
    pub(in crate::interactions) fn all(app: &App, caller: &Caller, found: Vec<Arc<Resource>>) -> Vec<Self> {
        app.accesses.note_all(&caller.viewer(), found.iter().map(AsRef::as_ref));
        found.into_iter().map(Self).collect()
    }
}

impl Deref for Noted {
    type Target = Resource;

    fn deref(&self) -> &Resource {
        &self.0
    }
}

/// Its bytes, shared with whoever else reads it.
impl AsRef<[u8]> for Noted {
    fn as_ref(&self) -> &[u8] {
        self.0.body.as_bytes()
    }
}
