//! Initial access tokens (RFC 7591, 3): made by an operator, each for so many clients of somebody who is responsible for them, and until
//! a moment. Only a fingerprint of one is kept.

use super::client::{Client, Fingerprint};
use super::clients;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::ClientInvitationId;
use rules::moment::Moment;
use rules::scope::UserType;

/// What whoever has the token may register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientInvitation {
    /// Our own number for it; 0 before it is made.
    pub id: ClientInvitationId,
    /// Who is responsible for the clients, as people read it who are asked for access.
    pub owner: String,
    /// Who may sign in with them.
    pub user_types: Vec<UserType>,
    /// How many clients it is still good for.
    pub uses_left: i64,
    pub expires_at: Moment,
}

statements! {
    PUT = "INSERT INTO client_invitations (id, fingerprint, owner, user_types, uses_left, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6)";
    GOOD = "SELECT id, owner, user_types, uses_left, expires_at FROM client_invitations
    WHERE fingerprint = $1 AND uses_left > 0 AND expires_at > $2";
    ALL = "SELECT id, owner, user_types, uses_left, expires_at FROM client_invitations
    WHERE id > $1 AND uses_left > 0 AND expires_at > $2 ORDER BY id LIMIT $3";
    SPEND = "UPDATE client_invitations SET uses_left = uses_left - 1
    WHERE fingerprint = $1 AND uses_left > 0 AND expires_at > $2";
    REVOKE = "DELETE FROM client_invitations WHERE id = $1";
    OVER = "DELETE FROM client_invitations WHERE id IN
    (SELECT id FROM client_invitations WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
}

/// The most that are listed.
const LISTED: i64 = 1000;

/// Makes one, and gives its number.
pub async fn make(
    store: &Store,
    wanted: ClientInvitation,
    token: Fingerprint,
    now: Moment,
) -> Result<ClientInvitationId> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let id = ClientInvitationId(ids.next(now));
            let user_types = wanted.user_types.iter().map(|of| of.word()).collect::<Vec<_>>().join(" ");
            let fingerprint: &[u8] = &token.0;
            let row = args![id, fingerprint, &wanted.owner, &user_types, wanted.uses_left, wanted.expires_at.0];
            tx.execute(PUT, row).await?;
            note(tx, &ids, Event::ClientInvited, format!("{id} {}", wanted.owner), now);
            Ok(id)
        })
    });
    write.await
}

/// Those that can still be used.
pub async fn list(store: &Store, now: Moment) -> Result<Vec<ClientInvitation>> {
    store.db.page(ALL, args![0, now.0, LISTED], invitation).await
}

/// The one of this token, if it can still be used.
pub async fn find(store: &Store, token: &Fingerprint, now: Moment) -> Result<Option<ClientInvitation>> {
    let fingerprint: &[u8] = &token.0;
    store.db.read_one(GOOD, args![fingerprint, now.0], invitation).await
}

/// Takes one back; `false` if there is none of this number.
pub async fn revoke(store: &Store, id: ClientInvitationId, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let was_there = tx.execute(REVOKE, args![id]).await? == 1;
            if was_there {
                note(tx, &ids, Event::ClientInvitationRevoked, id.to_string(), now);
            }
            Ok(was_there)
        })
    });
    write.await
}

/// Registers a client with a token, which is thereby used once more; `None` if it cannot be.
pub async fn register(store: &Store, token: Fingerprint, client: Client, now: Moment) -> Result<Option<Client>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let fingerprint: &[u8] = &token.0;
            if tx.execute(SPEND, args![fingerprint, now.0]).await? == 0 {
                return Ok(None);
            }
            let client = Client { id: ids.next(now).into(), ..client };
            clients::put(tx, &ids, None, &client, now).await?;
            Ok(Some(client))
        })
    });
    write.await
}

/// Forgets a batch of those that are over; gives the number.
pub(crate) async fn sweep(tx: &mut Tx<'_>, now: Moment, batch: i64) -> Result<u64> {
    tx.execute(OVER, args![now.0, batch]).await
}

fn note(tx: &mut Tx<'_>, ids: &Ids, event: Event, detail: String, now: Moment) {
    tx.append(Outbox::Records, ids, &Line::new(now, event, None, About::default()).with_detail(detail));
}

fn invitation(row: &dyn Row) -> Result<ClientInvitation> {
    Ok(ClientInvitation {
        id: row.id(0)?,
        owner: row.text(1)?,
        user_types: row.text(2)?.split_whitespace().filter_map(UserType::named).collect(),
        uses_left: row.int(3)?,
        expires_at: Moment(row.int(4)?),
    })
}
