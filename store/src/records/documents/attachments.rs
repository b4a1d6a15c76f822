//! Attachments that an app stored by themselves: Binaries that only their source sees until a document or a message holds them, and
//! that are dropped where nothing does in time. What holds one is asked of the references that are there, and noted nowhere else.

use super::binary::SAME_SOURCE;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::records::index::tokens::carriers;
use crate::records::write::left_rows::LeftRows;
use crate::records::write::predecessor::{self, Demand};
use crate::records::write::{deletion, moment};
use crate::sql::advisory_locks::TURNS_OF_TYPES;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, list_of_texts, statements};
use crate::store::Store;
use crate::version_clock::VersionClock;
use fhir::types::{self, ResourceType};
use rules::moment::Moment;
use std::sync::LazyLock;

const BINARY: ResourceType = ResourceType::Binary;

statements! {
    EXPECT = "INSERT INTO attachments (fhir_id, name, until) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    FIND = "SELECT name, until FROM attachments WHERE fhir_id = $1";
    DUE = "SELECT fhir_id FROM attachments WHERE until <= $1 ORDER BY until LIMIT $2";
    FORGET = "DELETE FROM attachments WHERE fhir_id IN (SELECT value FROM json_each($1))";
}

/// What holds the Binary `$1` and has its source.
static HOLDERS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT r.type, r.fhir_id FROM resources b JOIN resources r ON r.id IN ({})
         WHERE b.type = {} AND b.fhir_id = $1 AND r.deleted_at IS NULL AND {SAME_SOURCE} ORDER BY r.id",
        carriers("$1"),
        BINARY.number()
    )
});

pub(crate) fn longer_statements() -> Vec<String> {
    vec![HOLDERS.clone()]
}

/// What is known of an attachment that was stored by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LooseAttachment {
    pub name: Option<String>,
    /// When it is dropped, if nothing holds it then.
    pub until: Moment,
}

/// Expects an attachment of this id. To be said before it is stored: what comes to nothing is forgotten when its time is over.
pub async fn expect(store: &Store, id: &str, name: Option<&str>, until: Moment) -> Result<()> {
    let (id, name) = (id.to_owned(), name.map(String::from));
    let write = store.db.repeat(move |tx| {
        let (id, name) = (id.clone(), name.clone());
        Box::pin(async move { tx.post(EXPECT, args![&id, name.as_deref(), until.0]).await })
    });
    write.await
}

/// What is known of it, as long as it has not been settled whether something holds it.
pub async fn loose(store: &Store, id: &str) -> Result<Option<LooseAttachment>> {
    let loose = |row: &dyn Row| Ok(LooseAttachment { name: row.opt_text(0)?, until: Moment(row.int(1)?) });
    store.db.read_one(FIND, args![id], loose).await
}

/// What of the Binary's own source holds it: type and id of each. Whoever asks may act for that source.
pub async fn holders(store: &Store, id: &str) -> Result<Vec<(ResourceType, String)>> {
    let found = store.db.read(holding(), args![id], holder).await?;
    Ok(found.into_iter().flatten().collect())
}

fn holding() -> Statement<'static> {
    Statement::new("store::records::documents::attachments::HOLDERS", &HOLDERS)
}

fn holder(row: &dyn Row) -> Result<Option<(ResourceType, String)>> {
    let (number, id) = (row.int(0)?, row.text(1)?);
    Ok(types::all().find(|of| of.number() == number).map(|of| (of, id)))
}

/// Settles what of them is due: drops what nothing holds, and forgets the rest. How many were settled.
pub(crate) async fn settle(
    tx: &mut Tx<'_>,
    (ids, versions): (&Ids, &VersionClock),
    now: Moment,
    most: i64,
) -> Result<u64> {
    let due = tx.query(DUE, args![now.0, most], |row| row.text(0)).await?;
    if due.is_empty() {
        return Ok(0);
    }
    // Whoever makes something hold one waits, or is waited for.
    tx.take_exclusive_lock(TURNS_OF_TYPES + BINARY.number()).await?;
    let moment = moment::of(tx, versions, std::iter::once(BINARY), now).await?;
    for id in &due {
        let held = tx.query(holding(), args![id], holder).await?;
        let before = predecessor::before(tx, BINARY.number(), id).await?;
        if let (Some(before), true) = (before, held.is_empty()) {
            let at_once = (moment, &mut LeftRows::none());
            deletion::delete_in(tx, ids, (BINARY, id), before.source, Demand::Nothing, at_once).await?;
        }
    }
    tx.post(FORGET, args![&list_of_texts(due.iter().map(String::as_str))]).await?;
    Ok(u64::try_from(due.len()).unwrap_or(u64::MAX))
}
