//! Links that reset a second factor: made by an operator, good once and for a day, and only with the password.

use super::{note, take_away, tell};
use crate::access::clients::Fingerprint;
use crate::access::endings;
use crate::access::people::{self, END_SIGN_INS, PasswordHash};
use crate::error::Result;
use crate::ledger::Event;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::factors::FactorChange;
use rules::ids::UserId;
use rules::lifecycle::Revoked;
use rules::limits::FACTOR_LINK_SECONDS;
use rules::moment::Moment;

statements! {
    PUT = "INSERT INTO factor_links (user_id, fingerprint, expires_at) VALUES ($1, $2, $3)
        ON CONFLICT (user_id) DO UPDATE SET fingerprint = $2, expires_at = $3";
    SPEND = "DELETE FROM factor_links WHERE user_id = $1 AND fingerprint = $2 AND expires_at > $3";
}

/// Gives a user a link in place of the last, signs all their browsers out and ends the access of their apps, of which it gives the
/// number; `None` if there is no user of that name.
pub async fn make(store: &Store, username: String, link: Fingerprint, now: Moment) -> Result<Option<u64>> {
    let (ids, name) = (store.ids.clone(), username.clone());
    let write = store.write(move |tx| {
        Box::pin(async move {
            let Some(user) = people::load(tx, &name).await? else { return Ok(false) };
            let fingerprint: &[u8] = &link.0;
            tx.execute(PUT, args![user.id, fingerprint, now.plus_seconds(FACTOR_LINK_SECONDS).0]).await?;
            note(tx, &ids, user.id, Event::FactorLinkMade, now);
            tell(tx, &ids, user.id, FactorChange::LinkMade, now).await?;
            Ok(true)
        })
    });
    if !write.await? {
        return Ok(None);
    }
    endings::end_all(store, username, Revoked::ByOperator, now).await
}

/// Uses a link up, by which the factors of its user are taken away and every browser signed out; false if it is not one that is
/// good, or the user has another password than the one that was `known`.
pub async fn redeem(store: &Store, user: UserId, known: PasswordHash, link: Fingerprint, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let found = people::load_numbered(tx, user).await?;
            let fingerprint: &[u8] = &link.0;
            if found.is_none_or(|user| user.password_hash != known)
                || tx.execute(SPEND, args![user, fingerprint, now.0]).await? == 0
            {
                return Ok(false);
            }
            take_away(tx, &ids, user, now).await?;
            tx.execute(END_SIGN_INS, args![user, now.0]).await?;
            tell(tx, &ids, user, FactorChange::LinkUsed, now).await?;
            Ok(true)
        })
    });
    write.await
}
