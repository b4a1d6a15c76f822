//! How many items of a record each privacy label opens, for whoever thinks about sharing them.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use rules::ids::PatientId;
use rules::labels::{Label, Needs};
use rules::limits::ITEMS_COUNTED;
use store::search::inventory;

/// The items of the record that the caller sees, by the one label that each needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LabelCounts {
    each: [i64; Label::ALL.len()],
}

impl LabelCounts {
    pub(crate) async fn of(app: &App, caller: &Caller, record: PatientId) -> Result<Self, Trouble> {
        let found = inventory::count(&app.store, caller.reach(), record, ITEMS_COUNTED, caller.now()).await;
        let found = found.during("counting what is in a record")?;
        Ok(Self::counted(found.iter().map(|one| (one.needs, one.count))))
    }

    fn counted(found: impl Iterator<Item = (Needs, i64)>) -> Self {
        let mut counts = Self::default();
        for (needs, count) in found {
            let at = Label::of_needs(needs).and_then(|label| Label::ALL.iter().position(|one| *one == label));
            if let Some(sum) = at.and_then(|at| counts.each.get_mut(at)) {
                *sum += count;
            }
        }
        counts
    }

    /// Those of one label.
    pub(crate) fn of_label(self, label: Label) -> i64 {
        let at = Label::ALL.iter().position(|one| *one == label);
        at.and_then(|at| self.each.get(at)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_one_label_is_counted_by_it_and_what_needs_several_by_none() {
        let found = [(Needs(1), 3), (Needs(2), 4), (Needs(15), 7), (Needs(0), 9), (Needs(1), 1)];
        let counts = LabelCounts::counted(found.into_iter());
        assert_eq!(Label::ALL.map(|label| counts.of_label(label)), [4, 4, 0, 0]);
    }
}
