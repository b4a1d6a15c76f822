//! The heart: whether a viewer sees an item, by which right, or what is missing. Searches say the same in SQL, and `why` tells
//! the steps.

use crate::consent::delay::Hides;
use crate::consent::item::{Author, ItemFacts, Part, Participant};
use crate::consent::missing::Missing;
use crate::consent::standing::{self, Standing};
use crate::consent::viewer::Viewer;
use crate::ids::{PatientId, ViewerId};
use crate::labels::Labels;
use crate::moment::Moment;
use crate::right::Right;
use crate::source::Source;

/// The rights to somebody's record, in the order in which they are asked.
pub const ORDER: [Right; 5] = [Right::Own, Right::Source, Right::Participant, Right::Consent, Right::Glass];

/// What was found of one right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It opens the item; through the eyes of this viewer, where it is somebody's.
    Holds(Option<ViewerId>),
    Lacks(Missing),
    /// One before it holds.
    NotAsked,
}

/// One right, and what was found of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RightStep {
    pub right: Right,
    pub finding: Finding,
}

/// What was decided, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Every right in its order.
    pub steps: [RightStep; 5],
    /// It is nobody's record: there for every caller, if no right comes first.
    pub is_directory: bool,
}

impl Decision {
    /// The right by which the item is seen: the first that fits.
    #[must_use]
    pub fn right(&self) -> Option<Right> {
        let first = self.steps.iter().find(|step| matches!(step.finding, Finding::Holds(_))).map(|step| step.right);
        first.or_else(|| self.is_directory.then_some(Right::Directory))
    }

    /// The viewer through whose eyes it is seen, where the right is somebody's.
    #[must_use]
    pub fn through(&self) -> Option<ViewerId> {
        self.steps.iter().find_map(|step| match step.finding {
            Finding::Holds(viewer) => Some(viewer),
            Finding::Lacks(_) | Finding::NotAsked => None,
        })?
    }

    /// What tells best why it is not seen; nothing where it is.
    #[must_use]
    pub fn missing(&self) -> Option<Missing> {
        if self.right().is_some() {
            return None;
        }
        let lacks = self.steps.iter().filter_map(|step| match step.finding {
            Finding::Lacks(missing) => Some(missing),
            Finding::Holds(_) | Finding::NotAsked => None,
        });
        lacks.max_by_key(|missing| missing.weight())
    }
}

/// Whether a viewer sees an item at a moment. `standings` are rows of sight; those of other viewers and patients open nothing.
#[must_use]
pub fn sees(viewer: &Viewer<'_>, item: &ItemFacts<'_>, standings: &[Standing], now: Moment) -> Decision {
    let look = Look { viewer, item, standings, now };
    let mut is_open = false;
    let steps = ORDER.map(|right| {
        let finding = if is_open { Finding::NotAsked } else { look.finding(right) };
        is_open |= matches!(finding, Finding::Holds(_));
        RightStep { right, finding }
    });
    Decision { steps, is_directory: item.is_directory && item.patients.is_empty() }
}

/// One viewer before one item.
struct Look<'l> {
    viewer: &'l Viewer<'l>,
    item: &'l ItemFacts<'l>,
    standings: &'l [Standing],
    now: Moment,
}

type Held = Result<Option<ViewerId>, Missing>;

impl Look<'_> {
    fn finding(&self, right: Right) -> Finding {
        match self.through(right) {
            Err(missing) => Finding::Lacks(missing),
            Ok(eyes) => self.bar(right).map_or(Finding::Holds(eyes), Finding::Lacks),
        }
    }

    /// Whether a right holds, whatever the item is besides; and through whose eyes.
    fn through(&self, right: Right) -> Held {
        match right {
            Right::Own => self.own(),
            Right::Source => self.source(),
            Right::Participant => self.participant(),
            Right::Consent => self.consent(),
            Right::Glass => self.glass(),
            Right::Directory => Err(Missing::NoAssociation),
        }
    }

    fn own(&self) -> Held {
        match self.viewer {
            Viewer::Patient(own) if self.item.patients.contains(own) => Ok(None),
            _ => Err(Missing::OtherRecord),
        }
    }

    fn source(&self) -> Held {
        let source = self.item.source;
        if let Viewer::Patient(own) = self.viewer {
            // For what a patient made outside of the own record.
            let is_made = source == Source::Patient(*own);
            return if is_made && !self.item.needs.is_self_only() { Ok(None) } else { Err(Missing::NotMade) };
        }
        let maker = source.makers().find(|maker| self.viewer.looks_through(*maker)).ok_or(Missing::NotMade)?;
        self.may_be_seen_by_others()?;
        Ok(Some(maker))
    }

    fn participant(&self) -> Held {
        let eyes = match self.item.draft {
            Some(author) => self.author(author),
            None => self.item.participants.iter().find_map(|participant| self.part(*participant)),
        };
        let eyes = eyes.ok_or(Missing::NoPart)?;
        self.may_be_seen_by_others()?;
        Ok(eyes)
    }

    /// Through whose eyes a participant is the viewer. A patient sees their conversations by the right `self`.
    fn part(&self, participant: Participant) -> Option<Option<ViewerId>> {
        let viewer = match participant {
            Participant::Patient(_) => return None,
            Participant::Person(user) if self.viewer.is_person() => user.into(),
            Participant::Person(_) => return None,
            Participant::Team(team) => team.into(),
        };
        self.viewer.looks_through(viewer).then_some(Some(viewer))
    }

    /// Through whose eyes an author is the viewer. A professional of a team drafts alone, whatever the team sees.
    fn author(&self, author: Author) -> Option<Option<ViewerId>> {
        match (author, self.viewer) {
            (Author::Patient(author), Viewer::Patient(own)) if author == *own => Some(None),
            (Author::Person(author), Viewer::Carer { user, .. } | Viewer::Individual(user)) if author == *user => {
                Some(Some(author.into()))
            }
            (Author::Person(author), Viewer::Teams { teams, user, .. }) if Some(author) == *user => {
                Some(teams.iter().map(|team| ViewerId::from(*team)).min())
            }
            _ => None,
        }
    }

    fn consent(&self) -> Held {
        let Viewer::Carer { patient, .. } = self.viewer else { return self.consent_of(self.item.patients) };
        if self.item.patients.contains(patient) { self.consent_of(&[*patient]) } else { Err(Missing::OtherRecord) }
    }

    /// A row of sight that opens the item, of one of these patients: the first by number of the viewer.
    fn consent_of(&self, patients: &[PatientId]) -> Held {
        let (needs, mut missing, mut first) = (self.item.needs, Missing::NoAssociation, None::<ViewerId>);
        let needs_label = matches!(self.viewer, Viewer::Carer { .. });
        if needs.is_self_only() {
            return Err(Missing::SelfOnly);
        }
        for row in standing::between(self.standings, |viewer| self.viewer.looks_through(viewer), patients) {
            let viewer = row.sight.viewer;
            let lack = match (row.held(self.now), row.sight.ends_at) {
                (None, Some(end)) => Missing::Ended(end),
                (Some(Labels::NONE), _) if needs_label => Missing::RecordClosed,
                (Some(held), _) if held.hold(needs) => {
                    first = Some(first.map_or(viewer, |first| first.min(viewer)));
                    continue;
                }
                // More was held once.
                (Some(Labels::NONE), Some(end)) if row.sight.labels.hold(needs) => Missing::Ended(end),
                (Some(held), _) => Missing::Labels { needs, held },
                (None, None) => Missing::NoAssociation,
            };
            missing = if lack.weight() > missing.weight() { lack } else { missing };
        }
        first.map(Some).ok_or(missing)
    }

    fn glass(&self) -> Held {
        let Viewer::Teams { teams, glass: Some(glass), .. } = self.viewer else { return Err(Missing::NoGlass) };
        let is_open = teams.contains(&glass.team) && !self.now.is_past(glass.until);
        if !is_open || !self.item.patients.contains(&glass.patient) {
            return Err(Missing::NoGlass);
        }
        if Labels::ALL.hold(self.item.needs) { Ok(Some(glass.team.into())) } else { Err(Missing::SelfOnly) }
    }

    /// What is for the patient alone shows to nobody else by having made it or taking part; and a carer or an individual
    /// professional sees nothing of a record that is closed to them.
    fn may_be_seen_by_others(&self) -> Result<(), Missing> {
        if self.item.needs.is_self_only() {
            return Err(Missing::SelfOnly);
        }
        let (patients, needs_label) = match self.viewer {
            Viewer::Carer { patient, .. } if self.item.patients.contains(patient) => {
                (core::slice::from_ref(patient), true)
            }
            Viewer::Carer { .. } => return Err(Missing::OtherRecord),
            Viewer::Individual(_) if !self.item.patients.is_empty() => (self.item.patients, false),
            _ => return Ok(()),
        };
        let mut rows = standing::between(self.standings, |viewer| self.viewer.looks_through(viewer), patients);
        let is_open = rows.any(|row| row.held(self.now).is_some_and(|held| !needs_label || !held.is_none()));
        if is_open { Ok(()) } else { Err(Missing::RecordClosed) }
    }

    /// What keeps the item from a right that holds: the columns of the table of rights.
    fn bar(&self, right: Right) -> Option<Missing> {
        if self.item.draft.is_some_and(|author| !self.reads_draft(right, author)) {
            return Some(Missing::Draft);
        }
        // Of a draft its author is told above, private or not.
        if self.item.is_private && self.item.draft.is_none() && !matches!(right, Right::Own | Right::Participant) {
            return Some(Missing::Private);
        }
        let delay = self.item.delay?;
        let is_kept_back = delay.hides == Hides::Item || self.item.part == Part::Content;
        (is_kept_back && right != Right::Source && self.viewer.waits_for_release()).then_some(Missing::Delayed(delay))
    }

    fn reads_draft(&self, right: Right, author: Author) -> bool {
        match right {
            Right::Own => self.author(author).is_some(),
            Right::Source => author == Author::Source,
            Right::Participant => true,
            Right::Consent | Right::Glass | Right::Directory => false,
        }
    }
}
