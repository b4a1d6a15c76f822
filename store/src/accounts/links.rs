//! Links that are sent to people: what one is made of. Neither this nor the key ring alone makes one.

use crate::access::people::{self, User};
use crate::access::salt::Salt;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::UserId;
use rules::limits::ACCOUNT_LINK_SECONDS;
use rules::mail::LinkPurpose;
use rules::moment::Moment;

/// What a link is made of.
#[derive(Clone, Debug)]
pub struct AccountLink {
    pub id: i64,
    pub salt: Salt,
    pub expires_at: Moment,
}

/// A link that somebody followed, as its row tells.
#[derive(Debug)]
pub struct FollowedLink {
    pub link: AccountLink,
    pub purpose: LinkPurpose,
    pub user: User,
    /// Where it was sent.
    pub address: String,
}

statements! {
    PUT = "INSERT INTO account_links (user_id, purpose, id, salt, address, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (user_id, purpose) DO UPDATE SET id = $3, salt = $4, address = $5, expires_at = $6";
    BY_ID = "SELECT salt, expires_at, purpose, user_id, address FROM account_links WHERE id = $1 AND expires_at > $2";
    USE = "DELETE FROM account_links WHERE id = $1 AND expires_at > $2";
    END = "DELETE FROM account_links WHERE user_id = $1";
    OVER = "DELETE FROM account_links WHERE id IN
        (SELECT id FROM account_links WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
}

/// Makes a link, which takes the place of the account's last one of this purpose.
pub(super) async fn renew(
    tx: &mut Tx<'_>,
    ids: &Ids,
    (user, purpose, address): (UserId, LinkPurpose, &str),
    salt: Salt,
    now: Moment,
) -> Result<AccountLink> {
    let link = AccountLink { id: ids.next(now), salt, expires_at: now.plus_seconds(ACCOUNT_LINK_SECONDS) };
    tx.execute(PUT, args![user, purpose.word(), link.id, link.salt.as_bytes(), address, link.expires_at.0]).await?;
    Ok(link)
}

/// The link of this number, if it can still be used. Whether it is the one that was sent, its salt tells.
pub async fn find(store: &Store, id: i64, now: Moment) -> Result<Option<FollowedLink>> {
    let row = |row: &dyn Row| {
        let link = AccountLink { id, salt: Salt::from_bytes(&row.bytes(0)?)?, expires_at: Moment(row.int(1)?) };
        Ok((link, row.word(2, LinkPurpose::named)?, row.id::<UserId>(3)?, row.text(4)?))
    };
    let Some((link, purpose, user, address)) = store.db.read_one(BY_ID, args![id, now.0], row).await? else {
        return Ok(None);
    };
    let user = people::numbered(store, user).await?;
    Ok(user.map(|user| FollowedLink { link, purpose, user, address }))
}

/// Uses a link up; `false` if it was used before, or is over, or another took its place.
pub(super) async fn spend(tx: &mut Tx<'_>, id: i64, now: Moment) -> Result<bool> {
    Ok(tx.execute(USE, args![id, now.0]).await? == 1)
}

/// Ends all links of an account.
pub(super) async fn end(tx: &mut Tx<'_>, user: UserId) -> Result<()> {
    tx.execute(END, args![user]).await.map(|_| ())
}

/// Forgets a batch of those that are over; gives the number.
pub(crate) async fn sweep(tx: &mut Tx<'_>, now: Moment, batch: i64) -> Result<u64> {
    tx.execute(OVER, args![now.0, batch]).await
}
