//! What a plan stores, written before its transaction: while that is under way, everybody else's writes wait for it.

use super::plan::{Act, Plan};
use super::predecessor::{Demand, StoredIds};
use crate::access::patients;
use crate::error::{Error, Result};
use crate::records::stored::{origin, packing};
use crate::store::Store;
use fhir::preparation::Preparation;
use rules::ids::{PatientId, RowId};
use rules::limits::VALIDATED_IN_PLACE_BYTES;
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
}

impl Draft {
    fn of(content: &Preparation, version: i64, origin: Arc<str>, at: &str) -> Self {
        let body = content.body.joined(version, at, &origin);
        let packed = match packing::pack(&body) {
            Cow::Owned(packed) => Some(packed),
            Cow::Borrowed(_) => None,
        };
        Self { version, origin, body, packed, staged: None }
    }

    /// The body as it is stored.
    pub(crate) fn packed(&self) -> &str {
        self.packed.as_deref().unwrap_or(&self.body)
    }
}

/// The drafts of a plan.
#[derive(Debug, Default)]
pub(crate) struct Drafts {
    /// In the order of the acts.
    acts: Vec<Option<Draft>>,
    /// The numbers of those of its patients who are known; they never change.
    pub numbers: HashMap<String, PatientId>,
}

impl Drafts {
    /// Of what a plan stores at this moment, as far as its sources are known already.
    pub(crate) async fn of(store: &Store, plan: &Arc<Plan>, at: &Arc<str>) -> Result<Self> {
        let there = match &plan.contents()[..] {
            [] | [_] => StoredIds::UNKNOWN,
            many => StoredIds::read(store, many).await?,
        };
        let mut origins: Vec<(Source, Option<Arc<str>>)> = Vec::new();
        let (mut numbers, mut unknown) = (HashMap::new(), HashSet::new());
        let (mut outlines, mut bytes) = (Vec::with_capacity(plan.acts.len()), 0);
        for (at, act) in plan.acts.iter().enumerate() {
            if at % TOGETHER == TOGETHER - 1 {
                tokio::task::yield_now().await;
            }
            // What demands a version is none that would be new.
            let Act::Put { new, source, demand: Demand::Nothing } = act else {
                outlines.push(None);
                continue;
            };
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
            outlines.push(origin.map(|origin| (there.next_version(&new.content), origin)));
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
        Ok(Self { acts, numbers })
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
