//! Search parameters that users' own SearchParameters define: the number under which the index keeps the values of each, and how
//! far that is filled. Every write knows all of them, on whichever node: it shares a turn with other writes, which a change of
//! definitions has alone.

use crate::engine::Tx;
use crate::error::Result;
use crate::sql::advisory_locks::DEFINITIONS;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use fhir::custom::definition;
use fhir::parameters::parameter::FIRST_OWN;
use fhir::types::{self, ResourceType};
use rules::ids::RowId;
use std::collections::BTreeSet;

/// Where the one writer has at hand what is defined; the numbers of sessions are positive.
pub(crate) const AT_HAND: i64 = -1;

/// Before the first resource.
const NOTHING: i64 = i64::MIN;

statements! {
    IN_USE = "SELECT number, resource_id, type, line, state, filled FROM own_parameters WHERE state <= 2 ORDER BY number";
    OF_RESOURCE = "SELECT number, resource_id, type, line, state, filled FROM own_parameters
        WHERE resource_id = $1 AND state <= 2 ORDER BY number";
    DEFINE = "INSERT INTO own_parameters (number, resource_id, type, line, state, filled)
        SELECT coalesce(max(number) + 1, $1), CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS TEXT), 0, CAST($5 AS BIGINT)
        FROM own_parameters";
    SET_STATE = "UPDATE own_parameters SET state = $2 WHERE number = $1";
    WHOLE = "SELECT count(*) FROM own_parameters
        WHERE state = 1 AND number IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
}

/// How far the index has the values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// Of what was written since it was defined, and of what was there before up to a resource.
    Begun,
    Whole,
    /// It cannot be.
    Never,
}

/// What is defined: a parameter of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnDefinition {
    pub number: u32,
    /// The SearchParameter's.
    pub row: RowId,
    pub of: ResourceType,
    /// As the table of HL7's parameters has it.
    pub line: String,
    pub filling: Filling,
    /// The last resource of those from before that is indexed.
    pub filled: i64,
}

impl OwnDefinition {
    /// Whether its values are written.
    pub(crate) fn is_written(&self) -> bool {
        self.filling != Filling::Never
    }

    pub(crate) fn read(row: &dyn Row) -> Result<Option<Self>> {
        let filling = match row.int(4)? {
            0 => Filling::Begun,
            1 => Filling::Whole,
            _ => Filling::Never,
        };
        let (Some(of), Ok(number)) = (types::numbered(row.int(2)?), u32::try_from(row.int(0)?)) else {
            return Ok(None);
        };
        Ok(Some(Self { number, row: row.id(1)?, of, line: row.text(3)?, filling, filled: row.int(5)? }))
    }
}

/// All that are defined, the oldest first.
pub async fn all(store: &Store) -> Result<Vec<OwnDefinition>> {
    Ok(store.db.read(IN_USE, &[], OwnDefinition::read).await?.into_iter().flatten().collect())
}

/// Whether the index has all values of the parameters of these numbers.
pub async fn are_whole(store: &Store, numbers: &BTreeSet<u32>) -> Result<bool> {
    if numbers.is_empty() {
        return Ok(true);
    }
    let whole = store.db.read_one(WHOLE, args![&asked(numbers)], |row| row.int(0)).await?;
    Ok(is_count_of(whole, numbers))
}

/// The same in a transaction, in which that stays so.
pub(crate) async fn are_whole_in(tx: &mut Tx<'_>, numbers: &BTreeSet<u32>) -> Result<bool> {
    if numbers.is_empty() {
        return Ok(true);
    }
    let whole = tx.query_one(WHOLE, args![&asked(numbers)], |row| row.int(0)).await?;
    Ok(is_count_of(whole, numbers))
}

fn asked(numbers: &BTreeSet<u32>) -> String {
    list(numbers.iter().map(|number| i64::from(*number)))
}

fn is_count_of(count: Option<i64>, numbers: &BTreeSet<u32>) -> bool {
    count.is_some_and(|count| usize::try_from(count).is_ok_and(|count| count == numbers.len()))
}

/// Waits for the turn of a transaction that writes or deletes resources of these types, before it locks any row: what is defined
/// stays so until it has ended, or, where it may change that, nobody writes by what was defined before.
pub(crate) async fn take_turn(tx: &mut Tx<'_>, mut written: impl Iterator<Item = ResourceType>) -> Result<()> {
    match written.any(|of| of == ResourceType::SearchParameter) {
        true => tx.take_exclusive_lock(DEFINITIONS).await,
        false => tx.take_shared_lock(DEFINITIONS).await,
    }
}

/// All that are defined, as this transaction sees it.
pub(crate) async fn in_use(tx: &mut Tx<'_>) -> Result<Vec<OwnDefinition>> {
    Ok(tx.query(IN_USE, &[], OwnDefinition::read).await?.into_iter().flatten().collect())
}

/// Has the next write look anew at what is defined, whatever it has at hand: for everybody who changes it, with the change.
pub(crate) fn look_anew(tx: &mut Tx<'_>) {
    tx.let_go(AT_HAND);
    tx.touch(|touched| touched.finding = true);
}

/// Has a parameter be asked of the resources for ever: this process cannot write its values.
pub(crate) async fn give_up(tx: &mut Tx<'_>, number: u32) -> Result<()> {
    look_anew(tx);
    tx.post(SET_STATE, args![i64::from(number), 2]).await
}

/// Notes what a SearchParameter defines from now on; nothing, where it has no body any more. What it defined before and does no
/// longer is removed from the index in its time. One that still says the same keeps its number.
pub(crate) async fn define(tx: &mut Tx<'_>, row: RowId, body: Option<&str>) -> Result<()> {
    look_anew(tx);
    let now = body.and_then(definition::of_text);
    let mut new: Vec<(ResourceType, &str)> = now.iter().flat_map(|now| now.lines()).collect();
    for before in tx.query(OF_RESOURCE, args![row], OwnDefinition::read).await?.into_iter().flatten() {
        match new.iter().position(|(of, line)| (*of, *line) == (before.of, before.line.as_str())) {
            Some(same) => drop(new.remove(same)),
            None => tx.post(SET_STATE, args![i64::from(before.number), 3]).await?,
        }
    }
    for (of, line) in new {
        tx.post(DEFINE, args![i64::from(FIRST_OWN), row, of.number(), line, NOTHING]).await?;
    }
    Ok(())
}
