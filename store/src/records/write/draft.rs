//! What a plan stores, written before its transaction: while that is under way, everybody else's writes wait for it.

use super::plan::{Act, Plan};
use super::predecessor::{Before, Demand, FIRST, StoredId, StoredIds};
use crate::access::patients;
use crate::error::{Error, Result};
use crate::records::index::index_change::IndexChange;
use crate::records::stored::{origin, packing};
use crate::store::Store;
use fhir::preparation::Preparation;
use rules::ids::{PatientId, RowId};
use rules::limits::VALIDATED_IN_PLACE_BYTES;
use rules::moment::Moment;
use rules::reach::Source;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Acts that are looked at before others have their turn on the same thread.
const TOGETHER: usize = 64;

/// A resource as its next version will be stored, should it come to that.
#[derive(Debug)]
pub(crate) struct Draft {
    pub version: i64,
    /// The source, as `meta.source` says it.
    pub origin: Arc<str>,
    pub body: String,
    /// The body as it is stored, where that is not as it is.
    packed: Option<String>,
    /// Its row, where the index has it already.
    pub staged: Option<RowId>,
    /// What its index rows become, where that was found out before.
    pub change: Option<ForeseenChange>,
}

impl Draft {
    fn of(content: &Preparation, version: i64, origin: Arc<str>, at: &str) -> Self {
        let body = content.body.joined(version, at, &origin);
        let packed = match packing::pack(&body) {
            Cow::Owned(packed) => Some(packed),
            Cow::Borrowed(_) => None,
        };
        Self { version, origin, body, packed, staged: None, change: None }
    }

    /// The body as it is stored.
    pub(crate) fn packed(&self) -> &str {
        self.packed.as_deref().unwrap_or(&self.body)
    }
}

/// What the index rows of a resource become, if it is still as it was.
#[derive(Debug)]
pub(crate) struct ForeseenChange {
    pub from: StoredId,
    pub change: IndexChange,
    /// Whether its tokens are others, too.
    pub has_other_tokens: bool,
}

impl ForeseenChange {
    /// Whether this is what was there.
    pub(crate) fn fits(&self, before: &Before) -> bool {
        self.from == StoredId { row: before.row, version: before.version, is_deleted: before.is_deleted }
    }
}

/// The drafts of a plan.
#[derive(Debug)]
pub(crate) struct Drafts {
    /// In the order of the acts.
    acts: Vec<Option<Draft>>,
    /// What is there of what it stores, as far as somebody asked.
    pub there: StoredIds,
    /// The numbers of those of its patients who are known; they never change.
    numbers: HashMap<String, PatientId>,
    /// The numbers that the others will have, where something needs them before.
    reserved: HashMap<String, PatientId>,
}

impl Drafts {
    /// Of what a plan stores at this moment, as far as its sources are known already.
    pub(crate) async fn of(store: &Store, plan: &Arc<Plan>, at: &Arc<str>, is_asked: bool) -> Result<Self> {
        let there = match &plan.contents()[..] {
            [] => StoredIds::UNKNOWN,
            [_] if !is_asked => StoredIds::UNKNOWN,
            many => StoredIds::read(store, many).await?,
        };
        let mut origins: Vec<(Source, Option<Arc<str>>)> = Vec::new();
        let (mut numbers, mut unknown) = (HashMap::new(), HashSet::new());
        let (mut outlines, mut bytes) = (Vec::with_capacity(plan.acts.len()), 0);
        for (at, act) in plan.acts.iter().enumerate() {
            if at % TOGETHER == TOGETHER - 1 {
                tokio::task::yield_now().await;
            }
            let Act::Put { new, source, demand } = act else {
                outlines.push(None);
                continue;
            };
            // What demands a version is none that would be new.
            if *demand != Demand::Nothing && !there.is_known() {
                outlines.push(None);
                continue;
            }
            let known = origins.iter().find(|(known, _)| known == source).map(|(_, origin)| origin.clone());
            let origin = match known {
                Some(origin) => origin,
                None => {
                    let origin = origin::known(store, *source).await?.map(Arc::from);
                    origins.push((*source, origin.clone()));
                    origin
                }
            };
            for patient in &new.content.patients {
                if numbers.contains_key(patient) || unknown.contains(patient) {
                    continue;
                }
                match patients::find(store, patient).await? {
                    Some(number) => drop(numbers.insert(patient.clone(), number)),
                    None => drop(unknown.insert(patient.clone())),
                }
            }
            bytes += new.content.body.before.len() + new.content.body.after.len();
            let version = there.get(&new.content).map_or(FIRST, |stored| stored.version + 1);
            outlines.push(origin.map(|origin| (version, origin)));
        }
        let (plan, at) = (plan.clone(), at.clone());
        let write = move || drafts(&plan, outlines, &at);
        let acts = match bytes <= VALIDATED_IN_PLACE_BYTES {
            true => write(),
            // The thread that answers others has no time for so much.
            false => {
                let written = tokio::task::spawn_blocking(write).await;
                written.map_err(|_| Error::Impossible("writing drafts panicked".into()))?
            }
        };
        Ok(Self { acts, there, numbers, reserved: HashMap::new() })
    }

    /// No drafts.
    pub(crate) fn none() -> Self {
        Self { acts: Vec::new(), there: StoredIds::UNKNOWN, numbers: HashMap::new(), reserved: HashMap::new() }
    }

    /// Gives those of its patients numbers of whom nobody has heard yet.
    pub(crate) fn reserve(&mut self, store: &Store, plan: &Plan, now: Moment) {
        for patient in plan.contents().into_iter().flat_map(|content| &content.patients) {
            if !self.numbers.contains_key(patient) {
                self.reserved.entry(patient.clone()).or_insert_with(|| PatientId(store.ids.next(now)));
            }
        }
    }

    /// The number of a patient who is known.
    pub(crate) fn known(&self, patient: &str) -> Option<PatientId> {
        self.numbers.get(patient).copied()
    }

    /// The number that a patient will have of whom nobody had heard.
    pub(crate) fn reserved(&self, patient: &str) -> Option<PatientId> {
        self.reserved.get(patient).copied()
    }

    /// The numbers of the patients of what an act stores, as far as there are any.
    pub(crate) fn patients(&self, content: &Preparation) -> Vec<PatientId> {
        content.patients.iter().filter_map(|patient| self.known(patient).or_else(|| self.reserved(patient))).collect()
    }

    pub(crate) fn get(&self, act: usize) -> Option<&Draft> {
        self.acts.get(act)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, act: usize) -> Option<&mut Draft> {
        self.acts.get_mut(act)?.as_mut()
    }
}

/// Writes the drafts of which the version and the origin are known.
fn drafts(plan: &Plan, outlines: Vec<Option<(i64, Arc<str>)>>, at: &str) -> Vec<Option<Draft>> {
    let draft = |(act, outline): (&Act, Option<(i64, Arc<str>)>)| {
        let ((version, origin), content) = (outline?, act.content()?);
        Some(Draft::of(content, version, origin, at))
    };
    plan.acts.iter().zip(outlines).map(draft).collect()
}
