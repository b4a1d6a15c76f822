//! What a large plan changes of the index rows of resources that are there, found out before its transaction: in it, only what differs
//! is written, and others' writes wait for no more than that.

use super::draft::{Drafts, ForeseenChange};
use super::plan::{Act, Plan};
use super::predecessor::StoredId;
use super::staging::{self, PART_ROWS};
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::records::index::index_change::{self, IndexChange, StoredRow};
use crate::records::index::index_rows::rows_of;
use crate::records::index::own_parameters::{self, OwnDefinition};
use crate::records::index::own_rows::OwnIndex;
use crate::records::index::tokens::{self, TokenSet};
use crate::store::Store;
use rules::ids::RowId;
use rules::limits::REPLACED_INDEX_ROWS;
use std::collections::HashMap;
use std::sync::Arc;

/// A plan that stores no more than so many resources, of so few rows together, writes their rows anew: that costs less.
const FEW_RESOURCES: usize = 8;
const FEW_ROWS: usize = 500;

/// Resources whose rows are read together: each may have ten thousand.
const TOGETHER: usize = 8;

/// How the changes of a plan were found out.
#[derive(Debug, Default)]
pub(crate) struct IndexChanges {
    /// The users' own parameters by which they were, and how far each was filled: whoever fills one writes rows, too.
    definitions: Option<Vec<OwnDefinition>>,
    pub is_too_large: bool,
}

/// Whether what a plan changes is found out before it is made.
pub(crate) fn is_large(plan: &Plan) -> bool {
    let contents = plan.contents();
    contents.len() > FEW_RESOURCES || contents.iter().map(|content| content.index.len()).sum::<usize>() > FEW_ROWS
}

/// Finds out what a plan changes, and notes it with its drafts. One that would change too much for others to wait for it is told so.
pub(crate) async fn foresee(store: &Store, plan: &Arc<Plan>, mut drafts: Drafts) -> Result<(Drafts, IndexChanges)> {
    if plan.defines() {
        // By what it defines, its own rows are made: all of them at once.
        let rows: usize = plan.contents().iter().map(|content| content.index.len()).sum();
        return Ok((drafts, IndexChanges { definitions: None, is_too_large: rows > PART_ROWS && plan.acts.len() > 1 }));
    }
    let definitions = own_parameters::all(store).await?;
    let Some(own) = OwnIndex::of_definitions(definitions.iter().filter(|defined| defined.is_written())) else {
        return Ok((drafts, IndexChanges::default()));
    };
    let own = Arc::new(own);
    let there: Vec<(usize, StoredId)> =
        (0..).zip(&plan.acts).filter_map(|(at, act)| replaced(&drafts, at, act)).collect();
    let mut rows = 0;
    for some in there.chunks(TOGETHER) {
        let resources: Vec<RowId> = some.iter().map(|(_, stored)| stored.row).collect();
        let stored = (index_change::stored(store, &resources).await?, tokens::stored(store, &resources).await?);
        let some = some.to_vec();
        let (of, own) = (plan.clone(), own.clone());
        let changed = tokio::task::spawn_blocking(move || {
            let rows = note(&of, &mut drafts, &own, (some, stored));
            (drafts, rows)
        });
        let changed = changed.await.map_err(|_| Error::Impossible("comparing index rows panicked".into()))?;
        drafts = changed.0;
        rows += changed.1;
        if rows > REPLACED_INDEX_ROWS && plan.acts.len() > 1 {
            return Ok((drafts, IndexChanges { definitions: None, is_too_large: true }));
        }
    }
    Ok((drafts, IndexChanges { definitions: (!there.is_empty()).then_some(definitions), is_too_large: false }))
}

/// What an act replaces, where that is known and is found by something.
fn replaced(drafts: &Drafts, at: usize, act: &Act) -> Option<(usize, StoredId)> {
    drafts.get(at)?;
    drafts.there.get(act.content()?).filter(|stored| !stored.is_deleted).map(|stored| (at, stored))
}

/// The index rows and the tokens of resources, as they are stored.
type StoredIndex = (HashMap<i64, Vec<StoredRow>>, HashMap<i64, TokenSet>);

/// Notes with drafts what is changed of these rows; tells how many rows that is.
fn note(
    plan: &Plan,
    drafts: &mut Drafts,
    own: &OwnIndex,
    (some, (mut stored, mut tokens)): (Vec<(usize, StoredId)>, StoredIndex),
) -> usize {
    let mut rows = 0;
    for (at, from) in some {
        let Some(content) = plan.acts.get(at).and_then(Act::content) else { continue };
        let (patients, before) = (drafts.patients(content), stored.remove(&from.row.0).unwrap_or_default());
        let Some(draft) = drafts.get_mut(at) else { continue };
        let new = rows_of(own, (from.row, 0..usize::MAX), (content, &draft.body), &patients, &draft.origin);
        let change = IndexChange::between(before, new);
        let (before, after) = (tokens.remove(&from.row.0).unwrap_or_default(), tokens::set(&content.tokens));
        let has_other_tokens = before != after;
        rows += change.rows() + if has_other_tokens { before.len() + after.len() } else { 0 };
        draft.change = Some(ForeseenChange { from, change, has_other_tokens });
    }
    rows
}

impl IndexChanges {
    /// Fails where what was found out may not hold any more.
    pub(crate) async fn must_fit(&self, tx: &mut Tx<'_>) -> Result<()> {
        let Some(definitions) = &self.definitions else { return Ok(()) };
        if own_parameters::in_use(tx).await? == *definitions { Ok(()) } else { Err(staging::moved()) }
    }
}
