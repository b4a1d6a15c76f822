//! Mail that waits to be sent. Whoever asks for one leaves a row: so it survives a restart, and asking for one takes the same whether
//! there is anybody to write to or not.

use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::UserId;
use rules::limits::MAILS_WAITING;
use rules::mail::MailKind;
use rules::moment::Moment;

statements! {
    WAITING = "SELECT count(*) FROM (SELECT 1 AS one FROM mails WHERE shown = 0 LIMIT $1) w";
    ADD = "INSERT INTO mails (id, kind, typed, user_id, address, tries, next_at) VALUES ($1, $2, $3, $4, $5, 0, $6)";
}

/// Somebody has forgotten the password of the account that they call so: what is done here is the same whatever they typed. `false`
/// if too much mail is waiting.
pub async fn ask_reset(store: &Store, typed: String, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            if !has_room(tx).await? {
                return Ok(false);
            }
            let (none, id) = (None::<i64>, ids.next(now));
            tx.execute(ADD, args![id, MailKind::Reset.word(), &typed, none, None::<&str>, now.0]).await?;
            Ok(true)
        })
    });
    write.await
}

/// Has somebody written to; `false` if too much mail is waiting.
pub(super) async fn add(
    tx: &mut Tx<'_>,
    ids: &Ids,
    (kind, user, address): (MailKind, UserId, &str),
    now: Moment,
) -> Result<bool> {
    if !has_room(tx).await? {
        return Ok(false);
    }
    let id = ids.next(now);
    tx.execute(ADD, args![id, kind.word(), None::<&str>, user, address, now.0]).await?;
    Ok(true)
}

async fn has_room(tx: &mut Tx<'_>) -> Result<bool> {
    let waiting = tx.query_one(WAITING, args![MAILS_WAITING], |row| row.int(0)).await?;
    Ok(waiting.unwrap_or_default() < MAILS_WAITING)
}
