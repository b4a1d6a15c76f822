//! Closing an account, because its user wants to. The record is not the account's: it stays, and with whom it is shared.

use super::{addresses, links, queue};
use crate::access::invited_accounts;
use crate::access::people::{self, PasswordHash};
use crate::error::Result;
use crate::ledger::{About, Event, Line};
use crate::sql::outbox::Outbox;
use crate::store::Store;
use rules::ids::UserId;
use rules::lifecycle::Revoked;
use rules::mail::MailKind;
use rules::moment::Moment;

/// Closes the account of a user whose password was `known`, with all its sessions, in one transaction; gives the number of the
/// sessions of apps. `None`: there is no such user, or with another password by now.
pub async fn close(store: &Store, user: UserId, known: PasswordHash, now: Moment) -> Result<Option<u64>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let found = people::load_numbered(tx, user).await?.filter(|user| user.password_hash == known);
            let Some(user) = found else { return Ok(None) };
            let about = About { user: Some(user.id), ..About::default() };
            let line = Line::new(now, Event::AccountEnded, None, about).with_detail(user.username.clone());
            tx.append(Outbox::Records, &ids, &line);
            if let Some(address) = addresses::remove(tx, user.id).await? {
                queue::add(tx, &ids, (MailKind::Closed, user.id, &address), now).await?;
            }
            links::end(tx, user.id).await?;
            invited_accounts::close(tx, &ids, &user, Revoked::ByPatient, now).await.map(Some)
        })
    });
    write.await
}
