//! Preconditions of a write: what a search found before it, which must be found again in the transaction of the write. So whoever
//! looks and then writes does both at once, though the look was made before and away from the writer. Where nothing that it saw
//! was changed meanwhile, it is not made again: in the writer's turn everybody else waits for it.

use crate::cache::{RecordChanges, WriteMark};
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::records::index::own_parameters;
use crate::records::reach::condition::ReachArgs;
use crate::records::search::compile::{self, Compilation, Search};
use crate::sql::advisory_locks::TURNS_OF_TYPES;
use crate::sql::arg::{Arg, OwnedArg};
use crate::sql::statement::Statement;
use fhir::search::query::{Clause, Query};
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::Reach;
use std::collections::{BTreeSet, HashSet};

const LOOK: &str = "store::records::write::precondition::LOOK";

/// As many as tell whether there is none, one, or more.
pub const ENOUGH: i64 = 2;

/// Where `resource::columns` has the id.
const FHIR_ID: usize = 2;

/// Steps of the database's machine that all looks of a plan may make in the writer's turn, and how many more for each of them:
/// enough for what an index finds at once. One step takes about 20 ns; the most is about 10 ms.
const LOOK_STEPS: i64 = 60_000;
const FURTHER_LOOK_STEPS: i64 = 1000;
const MOST_LOOK_STEPS: i64 = 500_000;
/// Steps that are counted for preparing a statement, and for using it again.
const NEW_TEXT: i64 = 20_000;
const SAME_TEXT: i64 = 200;

/// A search, and the one resource that it found, if it found any.
#[derive(Clone, Debug)]
pub struct Precondition {
    pub query: Query,
    pub found: Option<String>,
    /// What it found besides, and what does not count: the same transaction deletes it first.
    pub without: Vec<String>,
}

/// The looks of a plan, as they are made in its transaction.
pub(crate) struct PreconditionLooks<'p> {
    pub preconditions: &'p [Precondition],
    pub compilations: &'p [Compilation],
    /// Before the looks were made of which the preconditions tell, where that is known.
    pub since: Option<WriteMark>,
}

/// How preconditions are looked at again. Written before the transaction: while that is under way, others wait for it.
pub(crate) fn compile(preconditions: &[Precondition], reach: &Reach) -> Vec<Compilation> {
    let compilations = preconditions.iter().map(|precondition| {
        let limit = ENOUGH + i64::try_from(precondition.without.len()).unwrap_or_default();
        let search = Search { query: &precondition.query, sort: &[], after: None, floor: None, limit };
        compile::compile(reach, &search)
    });
    compilations.collect()
}

impl PreconditionLooks<'_> {
    /// Whether all find the same again. Nothing need be asked where nothing that they saw was changed since. Otherwise each is
    /// asked again, as long as that is cheap: what costs the one writer more is to be asked again before its turn.
    pub(crate) async fn hold(
        &self,
        tx: &mut Tx<'_>,
        changes: Option<&RecordChanges>,
        (reach, now): (&Reach, Moment),
    ) -> Result<bool> {
        if self.preconditions.is_empty() || self.are_unchanged(tx, changes) {
            return Ok(true);
        }
        let count = i64::try_from(self.preconditions.len()).unwrap_or(i64::MAX);
        let steps = FURTHER_LOOK_STEPS.saturating_mul(count).saturating_add(LOOK_STEPS).min(MOST_LOOK_STEPS);
        tx.begin_looks(steps).await?;
        match self.ask(tx, &ReachArgs::of(reach, now)).await {
            Ok(hold) => tx.end_looks().await.map(|()| hold),
            Err(error) if matches!(error.kind(), Error::TooCostly) && !tx.is_shared() => {
                tx.end_looks().await.map(|()| false)
            }
            Err(error) => Err(error),
        }
    }

    /// Whether what they saw is as it was, in this transaction too. Of users' own parameters that is not said: the criteria were
    /// read before, and the index that they are asked of may have gone in between.
    fn are_unchanged(&self, tx: &mut Tx<'_>, changes: Option<&RecordChanges>) -> bool {
        let (Some(changes), Some(since), Some((touched, _))) = (changes, self.since, tx.memory()) else { return false };
        if self.preconditions.iter().any(|precondition| !precondition.query.own_numbers().is_empty()) {
            return false;
        }
        let types = types(self.preconditions);
        !touched.finding && touched.types.is_disjoint(&types) && changes.is_unchanged(since, &types)
    }

    async fn ask(&self, tx: &mut Tx<'_>, own: &ReachArgs) -> Result<bool> {
        let mut texts = HashSet::new();
        for (precondition, compilation) in self.preconditions.iter().zip(self.compilations) {
            // What it asked of an index that is not whole any more is to be asked anew.
            if !own_parameters::are_whole_in(tx, &precondition.query.own_numbers()).await? {
                return Ok(false);
            }
            let mut found = BTreeSet::new();
            for list in &compilation.lists {
                let fee = if texts.insert(compilation.sql.as_str()) { NEW_TEXT } else { SAME_TEXT };
                let args: Vec<Arg<'_>> = own.alone().into_iter().chain(list.iter().map(OwnedArg::arg)).collect();
                let statement = Statement::made(LOOK, &compilation.sql);
                let ids = tx.look(fee, statement, &args, |row| row.text(FHIR_ID)).await?;
                found.extend(ids.into_iter().filter(|id| !precondition.without.contains(id)));
            }
            if found.len() > 1 || found.first() != precondition.found.as_ref() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The numbers of the types that preconditions look at, and that they pass through.
fn types(preconditions: &[Precondition]) -> BTreeSet<i64> {
    let mut types = BTreeSet::new();
    for precondition in preconditions {
        types.insert(precondition.query.resource_type.number());
        precondition.query.clauses.iter().for_each(|clause| pass_through(clause, &mut types));
    }
    types
}

/// Waits for the turn of a transaction that rests on these preconditions and writes resources of these types. All types that it
/// looks at or writes have one order, so that nobody waits for somebody who waits for them. By the types and not by the
/// criteria, because criteria of different words can find what each other's writers make.
pub(crate) async fn take_turn(
    tx: &mut Tx<'_>,
    preconditions: &[Precondition],
    written: impl Iterator<Item = ResourceType>,
) -> Result<()> {
    if preconditions.is_empty() {
        return Ok(());
    }
    let mut types = types(preconditions);
    types.extend(written.map(ResourceType::number));
    for number in types {
        tx.take_exclusive_lock(TURNS_OF_TYPES + number).await?;
    }
    Ok(())
}

/// Notes the types that a clause passes through.
fn pass_through(clause: &Clause, types: &mut BTreeSet<i64>) {
    match clause {
        Clause::Own(_) => {}
        Clause::Either(ways) => ways.iter().for_each(|clause| pass_through(clause, types)),
        Clause::Chain { links, .. } => {
            for (target, clause) in links {
                types.insert(target.number());
                pass_through(clause, types);
            }
        }
        Clause::Has { resource_type, clause, .. } => {
            types.insert(resource_type.number());
            pass_through(clause, types);
        }
    }
}
