//! The content of every Binary: each piece by its hash, their hashes by the body of the version that they are the content of,
//! and that nothing is missing and nothing left over.

use super::examination::Examination;
use super::fault::Fault;
use crate::error::Result;
use crate::records::documents::contents;
use crate::records::stored::packing;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use fhir::pieces::{self, Pieces};

/// Rows that are looked at together.
const ROWS: i64 = 100;

statements! {
    COUNT = "SELECT count(*) FROM contents";
    NEXT = "SELECT c.id, c.version, c.length, c.hashes, r.type, r.fhir_id, coalesce(v.body, r.body)
        FROM contents c
            LEFT JOIN versions v ON v.resource_id = c.resource_id AND v.version = c.version
            LEFT JOIN resources r ON r.id = c.resource_id AND (r.version = c.version OR v.version IS NOT NULL)
        WHERE c.id > $1 ORDER BY c.id LIMIT $2";
    PIECES = "SELECT number, bytes FROM content_pieces WHERE content_id = $1 ORDER BY number";
    /// Versions without content, newest rows too; those whose content is still inside are none of them.
    WITHOUT = "SELECT r.id, r.version, r.type, r.fhir_id, r.body FROM resources r
        WHERE r.type = $1 AND r.id > $2
            AND NOT EXISTS (SELECT 1 FROM contents c WHERE c.resource_id = r.id AND c.version = r.version)
            AND NOT EXISTS (SELECT 1 FROM contents_inside i WHERE i.resource_id = r.id AND i.version = r.version)
        ORDER BY r.id LIMIT $3";
    PAST_WITHOUT = "SELECT r.id, v.version, r.type, r.fhir_id, v.body
        FROM resources r JOIN versions v ON v.resource_id = r.id
        WHERE r.type = $1 AND (r.id, v.version) > ($2, $3)
            AND NOT EXISTS (SELECT 1 FROM contents c WHERE c.resource_id = r.id AND c.version = v.version)
            AND NOT EXISTS (SELECT 1 FROM contents_inside i WHERE i.resource_id = r.id AND i.version = v.version)
        ORDER BY r.id, v.version LIMIT $4";
    STRAY = "SELECT p.content_id FROM content_pieces p LEFT JOIN contents c ON c.id = p.content_id
        WHERE c.id IS NULL AND p.content_id > $1 ORDER BY p.content_id LIMIT 1";
}

/// A content, and the body that tells of it, if there is one.
struct ContentEntry {
    id: i64,
    length: i64,
    hashes: Vec<u8>,
    /// As a fault names it.
    at: Option<String>,
    body: Option<String>,
}

pub(super) async fn examine(examination: &mut Examination<'_>, store: &Store) -> Result<()> {
    let count = store.db.page(COUNT, &[], |row| row.int(0)).await?;
    examination.all = count.first().map_or(0, |count| count.unsigned_abs());
    let mut after = i64::MIN;
    loop {
        let entries = store.db.page(NEXT, args![after, ROWS], entry).await?;
        let Some(last) = entries.last().map(|entry| entry.id) else { break };
        for entry in entries {
            if let Some(problem) = problem(store, &entry).await? {
                let at = entry.at.unwrap_or_else(|| format!("content {}", entry.id));
                examination.tell(&Fault::new(at, problem));
            }
            examination.advance(1);
        }
        after = last;
    }
    missing(examination, store).await?;
    stray(examination, store).await
}

async fn problem(store: &Store, entry: &ContentEntry) -> Result<Option<&'static str>> {
    let Some(body) = &entry.body else { return Ok(Some("there is no version that it is the content of")) };
    let pieces = pieces::apart(body)
        .1
        .and_then(|mark| Pieces::stored(entry.length.try_into().ok()?, entry.hashes.clone(), &mark));
    let Some(pieces) = pieces else { return Ok(Some("its hashes are not what the Binary says")) };
    let (count, mut whole, mut next) = (pieces.count(), true, 0);
    let piece = move |row: &dyn Row| {
        let number = row.int(0)?.unsigned_abs();
        Ok((number, pieces.holds(number, &row.bytes(1)?)))
    };
    let each = |(number, holds): (u64, bool)| {
        whole &= holds && number == next;
        next += 1;
        Ok(())
    };
    store.db.each(PIECES, &[args![entry.id]], piece, each).await?;
    Ok((!whole || next != count).then_some("it is not what was written"))
}

/// Whatever says that it has content has some.
async fn missing(examination: &mut Examination<'_>, store: &Store) -> Result<()> {
    let binary = fhir::types::ResourceType::Binary.number();
    let mut after = i64::MIN;
    loop {
        let rows = store.db.page(WITHOUT, args![binary, after, ROWS], without).await?;
        let Some(((last, _), _)) = rows.last() else { break };
        after = *last;
        tell_missing(examination, rows);
    }
    let mut after = (i64::MIN, i64::MIN);
    loop {
        let rows = store.db.page(PAST_WITHOUT, args![binary, after.0, after.1, ROWS], without).await?;
        let Some((last, _)) = rows.last() else { return Ok(()) };
        after = *last;
        tell_missing(examination, rows);
    }
}

fn tell_missing(examination: &mut Examination<'_>, rows: Vec<((i64, i64), Option<String>)>) {
    for at in rows.into_iter().filter_map(|(_, at)| at) {
        examination.tell(&Fault::new(at, "it is missing"));
    }
}

/// Every piece is of a content.
async fn stray(examination: &mut Examination<'_>, store: &Store) -> Result<()> {
    let mut after = i64::MIN;
    while let Some(stray) = store.db.page(STRAY, args![after], |row| row.int(0)).await?.first() {
        examination.tell(&Fault::new(format!("content {stray}"), "it has pieces, and is not there"));
        after = *stray;
    }
    Ok(())
}

/// The key of a version without content, and its content's name if it should have some.
fn without(row: &dyn Row) -> Result<((i64, i64), Option<String>)> {
    let version = row.int(1)?;
    let mark = pieces::apart(&packing::unpack(row.text(4)?)).1;
    let name = contents::name(row.int(2)?, &row.text(3)?, version);
    Ok(((row.int(0)?, version), mark.map(|_| name)))
}

fn entry(row: &dyn Row) -> Result<ContentEntry> {
    let version = row.int(1)?;
    let named = row.opt_int(4)?.zip(row.opt_text(5)?);
    Ok(ContentEntry {
        id: row.int(0)?,
        length: row.int(2)?,
        hashes: row.bytes(3)?,
        at: named.map(|(type_number, fhir_id)| contents::name(type_number, &fhir_id, version)),
        body: row.opt_text(6)?.map(packing::unpack),
    })
}
