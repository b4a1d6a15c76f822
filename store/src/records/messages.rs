//! Messages: those of a conversation that a caller sees, and who has read which.

use super::reach::condition::{Columns, ReachArgs, Scoped};
use super::stored::resource::{Resource, columns, resource};
use crate::error::Result;
use crate::sql::arg::{Arg, args};
use crate::sql::row::Row;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use rules::ids::RowId;
use rules::moment::Moment;
use rules::reach::Reach;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

statements! {
    /// When a message was read first is said once.
    MARK = "INSERT INTO message_marks (resource_id, reader_id, read_at, first_read_at)
        VALUES ($1, $2, CAST($3 AS BIGINT), CAST($3 AS BIGINT))
        ON CONFLICT (resource_id, reader_id) DO UPDATE SET read_at = CAST($3 AS BIGINT),
            first_read_at = coalesce(message_marks.first_read_at, CAST($3 AS BIGINT))";
    /// Of the messages `$1`: whether one of the readers `$2` has read it, and when the patient did first.
    MARKS = "SELECT m.resource_id, max(CASE WHEN m.read_at IS NOT NULL
                AND m.reader_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2)) THEN 1 ELSE 0 END),
            max(CASE WHEN m.reader_id = r.patient_id THEN m.first_read_at END)
        FROM json_each($1) l JOIN message_marks m ON m.resource_id = CAST(l.value AS BIGINT)
            JOIN resources r ON r.id = m.resource_id
        GROUP BY m.resource_id";
}

static OF_CONVERSATION: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::messages::OF_CONVERSATION", 2, |reach| {
        let of = Columns::of("r");
        let (columns, right, viewer) = (columns("r", "r"), reach.right(of), reach.viewer(of));
        format!(
            "SELECT * FROM (SELECT {columns}, {right} AS by_right, {viewer} AS by_viewer
                FROM conversations c JOIN resources r ON r.id = c.resource_id WHERE c.conversation_id = $1) f
            WHERE f.by_right IS NOT NULL ORDER BY f.id LIMIT $2"
        )
    })
});

pub(crate) fn statements() -> Vec<String> {
    OF_CONVERSATION.all().to_vec()
}

/// What is known of a message that somebody has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageMark {
    /// Whether one of those has read it for whom was asked.
    pub is_read: bool,
    /// When the patient did first.
    pub first_read: Option<Moment>,
}

/// The messages of a conversation that a caller of this reach sees, in the order in which they were stored, `limit` at the most.
pub async fn of_conversation(
    store: &Store,
    reach: &Reach,
    conversation: &str,
    limit: i64,
    now: Moment,
) -> Result<Vec<Arc<Resource>>> {
    let own = ReachArgs::of(reach, now);
    let args = own.behind(&[Arg::Text(conversation), Arg::Int(limit)]);
    store.db.page(OF_CONVERSATION.statement(reach), &args, resource).await
}

/// What is known of these messages for those readers; nothing of one that nobody has read.
pub async fn marks(
    store: &Store,
    messages: impl IntoIterator<Item = RowId> + Send,
    readers: &[i64],
) -> Result<HashMap<i64, MessageMark>> {
    let messages: Vec<i64> = messages.into_iter().map(|row| row.0).collect();
    if messages.is_empty() {
        return Ok(HashMap::new());
    }
    let (messages, readers) = (list(messages), list(readers.iter().copied()));
    let mark = |row: &dyn Row| {
        let mark = MessageMark { is_read: row.flag(1)?, first_read: row.opt_int(2)?.map(Moment) };
        Ok((row.int(0)?, mark))
    };
    Ok(store.db.page(MARKS, args![&messages, &readers], mark).await?.into_iter().collect())
}

/// Notes that a reader has read a message, or has not.
pub async fn mark(store: &Store, message: RowId, reader: i64, is_read: bool, now: Moment) -> Result<()> {
    let read_at = is_read.then_some(now.0);
    let write = store
        .repeat(move |tx| Box::pin(async move { tx.execute(MARK, args![message, reader, read_at]).await.map(|_| ()) }));
    write.await
}
