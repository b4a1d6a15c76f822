//! The CapabilityStatement as it was last made: it is long, and stays the same until somebody defines another search parameter.

use super::representation::Representation;
use rules::limits::STATEMENT_AGE_MS;
use rules::moment::Moment;
use std::sync::{Mutex, PoisonError};

/// What was made, of which definitions, and when these were looked at last.
#[derive(Debug)]
struct Made {
    text: Representation,
    of: String,
    looked_at: Moment,
}

/// What is remembered of it.
#[derive(Debug, Default)]
pub struct StatementMemory(Mutex<Option<Made>>);

impl StatementMemory {
    /// The text, where the definitions were looked at a moment ago. Whoever is told nothing looks; everybody else has what there
    /// is meanwhile, because anyone may ask and a look is a search.
    pub fn fresh(&self, now: Moment) -> Option<Representation> {
        let mut memory = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let made = memory.as_mut()?;
        if (0..STATEMENT_AGE_MS).contains(&now.0.saturating_sub(made.looked_at.0)) {
            return Some(made.text.clone());
        }
        made.looked_at = now;
        None
    }

    /// The text of these definitions, if they are still the same.
    pub fn of(&self, definitions: &str) -> Option<Representation> {
        let memory = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        memory.as_ref().filter(|made| made.of == definitions).map(|made| made.text.clone())
    }

    /// The text that was made last.
    pub fn last(&self) -> Option<Representation> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|made| made.text.clone())
    }

    pub fn keep(&self, text: Representation, of: String, looked_at: Moment) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Made { text, of, looked_at });
    }
}
