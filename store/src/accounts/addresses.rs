//! The e-mail address of an account: what somebody has confirmed by a link that was sent there. Nothing else is written to.

use super::{links, queue};
use crate::access::people;
use crate::engine::Tx;
use crate::error::Result;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::UserId;
use rules::mail::MailKind;
use rules::moment::Moment;

/// What became of an address that was to be confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    Done,
    /// Another account has it.
    Taken,
    /// The link was used before, or is over.
    Over,
}

statements! {
    OF_USER = "SELECT address FROM addresses WHERE user_id = $1";
    OWNER = "SELECT user_id FROM addresses WHERE address = $1";
    PUT = "INSERT INTO addresses (user_id, address, confirmed_at) VALUES ($1, $2, $3)
        ON CONFLICT (user_id) DO UPDATE SET address = $2, confirmed_at = $3";
    REMOVE = "DELETE FROM addresses WHERE user_id = $1";
}

/// The address that a user has confirmed.
pub async fn of_user(store: &Store, user: UserId) -> Result<Option<String>> {
    store.db.read_one(OF_USER, args![user], |row| row.text(0)).await
}

pub(super) async fn load(tx: &mut Tx<'_>, user: UserId) -> Result<Option<String>> {
    tx.query_one(OF_USER, args![user], |row| row.text(0)).await
}

/// Whose address it is.
pub(super) async fn owner(tx: &mut Tx<'_>, address: &str) -> Result<Option<UserId>> {
    tx.query_one(OWNER, args![&address.to_lowercase()], |row| row.id(0)).await
}

/// Forgets the address of a user; gives it.
pub(super) async fn remove(tx: &mut Tx<'_>, user: UserId) -> Result<Option<String>> {
    let address = load(tx, user).await?;
    tx.execute(REMOVE, args![user]).await?;
    Ok(address)
}

/// Has a link sent to an address that a user says is theirs; `false` if too much mail is waiting.
pub async fn ask(store: &Store, user: UserId, address: String, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.db.write(move |tx| {
        Box::pin(async move { queue::add(tx, &ids, (MailKind::Confirm, user, &address.to_lowercase()), now).await })
    });
    write.await
}

/// Takes the word of an operator, or of a sandbox, for it that an address is this user's.
pub async fn declare(store: &Store, username: String, address: String, now: Moment) -> Result<()> {
    let write = store.write(move |tx| {
        Box::pin(async move {
            if let Some(user) = people::load(tx, &username).await? {
                tx.execute(PUT, args![user.id, &address.to_lowercase(), now.0]).await?;
            }
            Ok(())
        })
    });
    write.await
}

/// The user of this link has the address to which it was sent; the address that they had before is told.
pub async fn confirm(store: &Store, link: i64, (user, address): (UserId, String), now: Moment) -> Result<Confirmation> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            if !links::spend(tx, link, now).await? {
                return Ok(Confirmation::Over);
            }
            if owner(tx, &address).await?.is_some_and(|owner| owner != user) {
                return Ok(Confirmation::Taken);
            }
            let before = load(tx, user).await?;
            tx.execute(PUT, args![user, &address, now.0]).await?;
            if let Some(before) = before.filter(|before| *before != address) {
                queue::add(tx, &ids, (MailKind::AddressChanged, user, &before), now).await?;
            }
            let about = About { user: Some(user), ..About::default() };
            tx.append(Outbox::Records, &ids, &Line::new(now, Event::UserChanged, None, about).with_detail("email"));
            Ok(Confirmation::Done)
        })
    });
    write.await
}
