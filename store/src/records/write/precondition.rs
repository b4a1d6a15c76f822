//! Premises of a write: what a search found before it, which must be found again in the transaction of the write. So whoever
//! looks and then writes does both at once, though the look was made before and away from the writer.

use crate::engine::Tx;
use crate::error::Result;
use crate::records::index::own_parameters;
use crate::records::reach::condition::ReachArgs;
use crate::records::search::compile::{self, Search};
use crate::sql::arg::{Arg, OwnedArg};
use crate::sql::statement::Statement;
use fhir::search::query::{Clause, Query};
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::Reach;
use std::collections::BTreeSet;

const LOOK: &str = "store::records::write::precondition::LOOK";

/// As many as tell whether there is none, one, or more.
pub const ENOUGH: i64 = 2;

/// Behind this number there is one for each type, by which the transactions that look for resources of the type, or write them
/// because of what they looked for, take turns.
const TURNS_OF_TYPES: i64 = 7_234_017_283_807_668_000;

/// Where `resource::columns` has the id.
const FHIR_ID: usize = 2;

/// A search, and the one resource that it found, if it found any.
#[derive(Clone, Debug)]
pub struct Precondition {
    pub query: Query,
    pub found: Option<String>,
    /// What it found besides, and what does not count: the same transaction deletes it first.
    pub without: Vec<String>,
}

impl Precondition {
    /// Whether it finds the same again. What it asked of an index that is not whole any more is to be asked anew.
    pub(crate) async fn holds(&self, tx: &mut Tx<'_>, reach: &Reach, now: Moment) -> Result<bool> {
        if !own_parameters::are_whole_in(tx, &self.query.own_numbers()).await? {
            return Ok(false);
        }
        let limit = ENOUGH + i64::try_from(self.without.len()).unwrap_or_default();
        let search = Search { query: &self.query, sort: &[], after: None, floor: None, limit };
        let (compilation, own) = (compile::compile(reach, &search), ReachArgs::of(reach, now));
        let mut found = BTreeSet::new();
        for list in &compilation.lists {
            let args: Vec<Arg<'_>> = own.alone().into_iter().chain(list.iter().map(OwnedArg::arg)).collect();
            tx.hurry(true)?;
            let ids = tx.query(Statement::made(LOOK, &compilation.sql), &args, |row| row.text(FHIR_ID)).await;
            tx.hurry(false)?;
            found.extend(ids?.into_iter().filter(|id| !self.without.contains(id)));
        }
        Ok(found.len() <= 1 && found.first() == self.found.as_ref())
    }
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
    let mut types: BTreeSet<i64> = written.map(ResourceType::number).collect();
    for precondition in preconditions {
        types.insert(precondition.query.resource_type.number());
        precondition.query.clauses.iter().for_each(|clause| pass_through(clause, &mut types));
    }
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
