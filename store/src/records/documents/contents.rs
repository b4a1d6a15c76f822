//! The content of Binaries: in pieces, each held to its hash before it is given to anybody. A piece is one short read, so
//! that whoever takes a content slowly holds nothing of the database meanwhile.

use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::records::stored::digest;
use crate::records::stored::resource::Resource;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use fhir::pieces::{PIECE_BYTES, Pieces};
use rules::ids::RowId;
use rules::moment::Moment;

statements! {
    FIND = "SELECT id, length, hashes FROM contents WHERE resource_id = $1 AND version = $2";
    PIECE = "SELECT bytes FROM content_pieces WHERE content_id = $1 AND number = $2";
    PUT = "INSERT INTO contents (id, resource_id, version, length, hashes) VALUES ($1, $2, $3, $4, $5)";
    PUT_PIECE = "INSERT INTO content_pieces (content_id, number, bytes) VALUES ($1, $2, $3)";
}

/// A stored content. It stays what it is, whatever becomes of its Binary.
#[derive(Clone, Debug)]
pub struct StoredContent {
    id: i64,
    pieces: Pieces,
    /// As trouble names it.
    name: String,
}

impl StoredContent {
    /// Its bytes.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.pieces.length()
    }

    fn damaged(&self) -> Error {
        Error::Damaged(self.name.clone())
    }
}

/// The content of a Binary as it was read; `None` if it has none.
pub async fn find(store: &Store, binary: &Resource) -> Result<Option<StoredContent>> {
    let Some(mark) = &binary.content else { return Ok(None) };
    let name = name(binary.resource_type.number(), &binary.id, binary.version);
    let content = |row: &dyn Row| Ok((row.int(0)?, row.int(1)?, row.bytes(2)?));
    let found = store.db.read_one(FIND, args![binary.row, binary.version], content).await?;
    let pieces =
        found.and_then(|(id, length, hashes)| Some((id, Pieces::stored(length.try_into().ok()?, hashes, mark)?)));
    match pieces {
        Some((id, pieces)) => Ok(Some(StoredContent { id, pieces, name })),
        None => Err(Error::Damaged(name)),
    }
}

/// One piece, counted from 0; each has `PIECE_BYTES` bytes, but for the last.
pub async fn piece(store: &Store, content: &StoredContent, number: u64) -> Result<Vec<u8>> {
    let at = i64::try_from(number).unwrap_or(i64::MAX);
    let found = store.db.read_one(PIECE, args![content.id, at], |row| row.bytes(0)).await?;
    found.filter(|bytes| content.pieces.holds(number, bytes)).ok_or_else(|| content.damaged())
}

/// Stores the content of a version of a Binary.
pub(crate) async fn put(
    tx: &mut Tx<'_>,
    ids: &Ids,
    (resource, version): (RowId, i64),
    bytes: &[u8],
    now: Moment,
) -> Result<()> {
    let (id, pieces) = (ids.next(now), Pieces::of(bytes));
    let length = i64::try_from(pieces.length()).unwrap_or(i64::MAX);
    tx.post(PUT, args![id, resource, version, length, pieces.hashes()]).await?;
    for (number, piece) in (0_i64..).zip(bytes.chunks(PIECE_BYTES)) {
        tx.post(PUT_PIECE, args![id, number, piece]).await?;
    }
    Ok(())
}

/// The content of a version, as trouble names it.
pub(crate) fn name(type_number: i64, fhir_id: &str, version: i64) -> String {
    format!("the content of version {version} of {}", digest::name(type_number, fhir_id))
}
