//! Lines of releases that kept the ledger as a table beside the sessions: added to the ledger as it is now, oldest first, and
//! removed from there.

use crate::engine::Tx;
use crate::error::Result;
use crate::lines::encoding;
use crate::lines::event::Event;
use crate::lines::line::{About, Line};
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::moment::Moment;
use rules::reach::Right;

/// Lines of one step.
const MOST: i64 = 2000;

statements! {
    /// A patient is told of there by their public name.
    NEXT = "SELECT l.id, l.at, l.event, l.session_id, l.client_id, l.user_id, l.team_id, l.organisation_id, p.id,
        l.times, l.by_right, l.detail
    FROM ledger l LEFT JOIN patients p ON p.fhir_id = l.patient_id
    WHERE l.id > $1 ORDER BY l.id LIMIT $2";
    ANY = "SELECT 1 FROM ledger WHERE id <= $1 LIMIT 1";
    REMOVE = "DELETE FROM ledger WHERE id <= $1";
}

/// Writes the next lines behind `after` to `to`, and tells the last of them; nothing, if there is none.
pub(super) async fn take(tx: &mut Tx<'_>, after: i64, to: &mut Vec<u8>) -> Result<Option<i64>> {
    let found = tx.query(NEXT, args![after, MOST], older).await?;
    found.iter().for_each(|(_, line)| encoding::write(line, to));
    Ok(found.last().map(|(id, _)| *id))
}

/// Removes what was added, up to the id `until`.
pub(super) async fn remove(store: &Store, until: i64) -> Result<()> {
    if store.db.read_one(ANY, args![until], |row| row.int(0)).await?.is_none() {
        return Ok(());
    }
    store.db.write(move |tx| Box::pin(async move { tx.post(REMOVE, args![until]).await })).await
}

fn older(row: &dyn Row) -> Result<(i64, Line)> {
    let line = Line {
        at: Moment(row.int(1)?),
        event: row.word(2, Event::named)?,
        session: row.opt_id(3)?,
        about: About {
            client: row.opt_id(4)?,
            user: row.opt_id(5)?,
            team: row.opt_id(6)?,
            organisation: row.opt_id(7)?,
            patient: row.opt_id(8)?,
        },
        times: row.int(9)?,
        right: row.opt_text(10)?.as_deref().and_then(Right::named),
        detail: row.opt_text(11)?.map(Into::into),
        operator: None,
    };
    Ok((row.int(0)?, line))
}
