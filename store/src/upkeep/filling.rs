//! The index of users' own parameters, brought to what was there before they were defined, and what it has of parameters that are
//! defined no more removed: in pieces, each of which says in its transaction how far it came, so that whoever begins anew goes on.

use crate::engine::Tx;
use crate::error::Result;
use crate::records::index::index_rows::IndexSheet;
use crate::records::index::own_parameters::{self, OwnDefinition};
use crate::records::index::own_rows::OwnIndex;
use crate::records::stored::packing;
use crate::sql::advisory_locks::FILLING;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, list, statements};
use crate::store::Store;
use fhir::extraction::index_row::{FACETS, IndexRow};
use fhir::types;
use rules::ids::RowId;
use std::collections::BTreeMap;

/// Resources of one piece, and bytes of their bodies as they are stored: others wait for the writer meanwhile.
const RESOURCES: i64 = 200;
const BYTES: i64 = 512 << 10;
/// Resources whose values are removed in one piece, from each table.
const REMOVED: i64 = 200;

statements! {
    /// What is being filled, those that have come least far first.
    BEGUN = "SELECT number, resource_id, type, line, state, filled FROM own_parameters
        WHERE state = 0 ORDER BY filled, number";
    STILL_BEGUN = "SELECT count(*) FROM own_parameters WHERE state = 0 AND filled = $2
        AND number IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    SIZES = "SELECT id, octet_length(body) FROM resources WHERE id > $1 ORDER BY id LIMIT $2";
    BODIES = "SELECT id, version, type, body FROM resources WHERE id > $1 AND id <= $2 AND deleted_at IS NULL ORDER BY id";
    VERSIONS = "SELECT r.id, r.version FROM resources r
        WHERE r.id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) ORDER BY r.id";
    /// What is defined no more since it was looked at stays so.
    ADVANCE = "UPDATE own_parameters SET filled = $2, state = $3
        WHERE state = 0 AND number IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    LEAVING = "SELECT number, resource_id, type, line, state, filled FROM own_parameters
        WHERE state = 3 ORDER BY number LIMIT 1";
    /// The last number stays, so that it is not used again.
    LEFT = "UPDATE own_parameters SET state = 4 WHERE number = $1";
    FORGET_LEFT = "DELETE FROM own_parameters WHERE state = 4 AND number < (SELECT max(number) FROM own_parameters)";
    FORGET_TOKENS = "DELETE FROM index_tokens WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))
        AND parameter >= $2 AND parameter < $3";
    REMOVE_TOKENS = "DELETE FROM index_tokens WHERE type = $1 AND parameter = $2 AND resource_id IN
        (SELECT i.resource_id FROM index_tokens i WHERE i.type = $1 AND i.parameter = $2 LIMIT $3)";
    FORGET_TEXTS = "DELETE FROM index_texts WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))
        AND parameter >= $2 AND parameter < $3";
    REMOVE_TEXTS = "DELETE FROM index_texts WHERE type = $1 AND parameter = $2 AND resource_id IN
        (SELECT i.resource_id FROM index_texts i WHERE i.type = $1 AND i.parameter = $2 LIMIT $3)";
    FORGET_REFERENCES = "DELETE FROM index_references WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))
        AND parameter >= $2 AND parameter < $3";
    REMOVE_REFERENCES = "DELETE FROM index_references WHERE type = $1 AND parameter = $2 AND resource_id IN
        (SELECT i.resource_id FROM index_references i WHERE i.type = $1 AND i.parameter = $2 LIMIT $3)";
    FORGET_DATES = "DELETE FROM index_dates WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))
        AND parameter >= $2 AND parameter < $3";
    REMOVE_DATES = "DELETE FROM index_dates WHERE type = $1 AND parameter = $2 AND resource_id IN
        (SELECT i.resource_id FROM index_dates i WHERE i.type = $1 AND i.parameter = $2 LIMIT $3)";
    FORGET_AMOUNTS = "DELETE FROM index_amounts WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))
        AND parameter >= $2 AND parameter < $3";
    REMOVE_AMOUNTS = "DELETE FROM index_amounts WHERE type = $1 AND parameter = $2 AND resource_id IN
        (SELECT i.resource_id FROM index_amounts i WHERE i.type = $1 AND i.parameter = $2 LIMIT $3)";
    FORGET_URIS = "DELETE FROM index_uris WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))
        AND parameter >= $2 AND parameter < $3";
    REMOVE_URIS = "DELETE FROM index_uris WHERE type = $1 AND parameter = $2 AND resource_id IN
        (SELECT i.resource_id FROM index_uris i WHERE i.type = $1 AND i.parameter = $2 LIMIT $3)";
}

/// Those of them that load rows in order to decide about them.
pub(crate) const LOCKING: &[Statement<'static>] = &[VERSIONS];

/// For each table of the index: how values of some resources are forgotten, and how values of any are.
const TABLES: [(Statement<'static>, Statement<'static>); 6] = [
    (FORGET_TOKENS, REMOVE_TOKENS),
    (FORGET_TEXTS, REMOVE_TEXTS),
    (FORGET_REFERENCES, REMOVE_REFERENCES),
    (FORGET_DATES, REMOVE_DATES),
    (FORGET_AMOUNTS, REMOVE_AMOUNTS),
    (FORGET_URIS, REMOVE_URIS),
];

/// What a piece came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillingStep {
    /// There is nothing to do.
    Idle,
    Done,
    /// Another is about it, or has changed something since: there is something to do in a moment.
    Waiting,
}

/// Does the next piece. `base` is our FHIR base URL.
pub async fn step(store: &Store, base: &str) -> Result<FillingStep> {
    let begun: Vec<OwnDefinition> =
        store.db.read(BEGUN, &[], OwnDefinition::read).await?.into_iter().flatten().collect();
    let Some(first) = begun.first() else { return remove(store).await };
    // Those that have come as far are filled together: one that is of several types, for example.
    let group: Vec<OwnDefinition> = begun.iter().filter(|other| other.filled == first.filled).cloned().collect();
    fill(store, group, first.filled, base).await
}

/// A resource as it was read, with the rows that are missing.
struct UnfilledResource {
    row: RowId,
    version: i64,
    rows: Vec<IndexRow>,
}

async fn fill(store: &Store, group: Vec<OwnDefinition>, after: i64, base: &str) -> Result<FillingStep> {
    let Some(own) = OwnIndex::of_definitions(&group) else {
        // This process cannot know them; that all give them up is said with the next write, or here.
        let numbers = numbers(&group);
        let give_up = store.db.write(move |tx| {
            Box::pin(async move {
                own_parameters::look_anew(tx);
                tx.execute(ADVANCE, args![&numbers, after, 2]).await.map(|_| FillingStep::Done)
            })
        });
        return give_up.await;
    };
    let sizes = store.db.page(SIZES, args![after, RESOURCES], |row| Ok((row.int(0)?, row.int(1)?))).await?;
    let until = fitting(&sizes);
    let read = match until {
        None => Vec::new(),
        Some(until) => {
            let base = base.to_owned();
            let read = move |row: &dyn Row| {
                let of = types::numbered(row.int(2)?);
                let body = packing::unpack(row.text(3)?);
                let rows = of.map(|of| own.rows(of, &body, &base)).unwrap_or_default();
                Ok(UnfilledResource { row: row.id(0)?, version: row.int(1)?, rows })
            };
            store.db.page(BODIES, args![after, until], read).await?
        }
    };
    let found: Vec<UnfilledResource> = read.into_iter().filter(|reading| !reading.rows.is_empty()).collect();
    store.room()?;
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            // Whoever is not alone, or finds that another has gone on, looks again in a moment.
            if !tx.is_alone(FILLING).await? || !is_still_begun(tx, &group, after).await? {
                return Ok(FillingStep::Waiting);
            }
            own_parameters::look_anew(tx);
            let Some(until) = until else {
                tx.execute(ADVANCE, args![&numbers(&group), after, 1]).await?;
                return Ok(FillingStep::Done);
            };
            let filled = put(tx, &group, found, (after, until)).await?;
            if filled > after {
                tx.execute(ADVANCE, args![&numbers(&group), filled, 0]).await?;
            }
            Ok(if filled == until { FillingStep::Done } else { FillingStep::Waiting })
        })
    });
    write.await
}

/// Puts what is missing, up to the first resource that somebody else is writing; tells how far that is. Whoever wrote one since
/// it was read knew the definitions, and wrote its values too.
async fn put(
    tx: &mut Tx<'_>,
    group: &[OwnDefinition],
    found: Vec<UnfilledResource>,
    (after, until): (i64, i64),
) -> Result<i64> {
    let asked = list(found.iter().map(|reading| reading.row.0));
    let versions = tx.lock_free(VERSIONS, args![&asked], |row| Ok((row.int(0)?, row.int(1)?))).await?;
    let versions: BTreeMap<i64, i64> = versions.into_iter().collect();
    let (mut sheet, mut same, mut filled) = (IndexSheet::default(), Vec::new(), until);
    let mut before = after;
    for UnfilledResource { row, version, rows } in found {
        match versions.get(&row.0) {
            None => {
                filled = before;
                break;
            }
            Some(now) if *now == version => {
                same.push(row.0);
                sheet.add_own(row, rows);
            }
            Some(_) => {}
        }
        before = row.0;
    }
    let same = list(same);
    for defined in group {
        let first = i64::from(defined.number) * FACETS;
        for (forget, _) in TABLES {
            tx.post(forget, args![&same, first, first + FACETS]).await?;
        }
    }
    sheet.put(tx).await?;
    Ok(filled)
}

async fn is_still_begun(tx: &mut Tx<'_>, group: &[OwnDefinition], after: i64) -> Result<bool> {
    let count = tx.query_one(STILL_BEGUN, args![&numbers(group), after], |row| row.int(0)).await?;
    Ok(count.is_some_and(|count| usize::try_from(count).is_ok_and(|count| count == group.len())))
}

/// Removes a piece of what the index has of a parameter that is defined no more.
async fn remove(store: &Store) -> Result<FillingStep> {
    if store.db.read(LEAVING, &[], |_| Ok(())).await?.is_empty() {
        return Ok(FillingStep::Idle);
    }
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            if !tx.is_alone(FILLING).await? {
                return Ok(FillingStep::Waiting);
            }
            let leaving = tx.query_one(LEAVING, &[], |row| Ok((row.int(0)?, row.int(2)?))).await?;
            let Some((number, of)) = leaving else { return Ok(FillingStep::Idle) };
            let mut removed = 0;
            for (_, remove) in TABLES {
                for (of, facet) in [of, -of].into_iter().flat_map(|of| (0..FACETS).map(move |facet| (of, facet))) {
                    removed += tx.execute(remove, args![of, number * FACETS + facet, REMOVED]).await?;
                }
            }
            if removed == 0 {
                own_parameters::look_anew(tx);
                tx.execute(LEFT, args![number]).await?;
                tx.execute(FORGET_LEFT, &[]).await?;
            }
            Ok(FillingStep::Done)
        })
    });
    write.await
}

fn numbers(group: &[OwnDefinition]) -> String {
    list(group.iter().map(|defined| i64::from(defined.number)))
}

/// The last of the resources that fit into a piece, one at the least.
fn fitting(sizes: &[(i64, i64)]) -> Option<i64> {
    let (mut bytes, mut last) = (0_i64, None);
    for (id, size) in sizes {
        bytes = bytes.saturating_add(*size);
        if last.is_some() && bytes > BYTES {
            break;
        }
        last = Some(*id);
    }
    last
}
