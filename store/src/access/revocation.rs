//! What a client ends by itself: the session of a token that it holds, or a System Client's one token.

use super::sessions::{self, Presented};
use crate::engine::Rollback;
use crate::error::Result;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::ClientId;
use rules::lifecycle::{self, Revoked, Ruling};
use rules::moment::Moment;

statements! {
    END_TOKEN = "INSERT INTO ended_tokens (client_id, token, expires_at) VALUES ($1, $2, $3)
    ON CONFLICT (client_id, token) DO NOTHING";
}

/// A System Client's access token, as it is known among the ended.
#[derive(Clone, Copy, Debug)]
pub struct SystemToken {
    pub client: ClientId,
    /// The random number inside it.
    pub number: i64,
    pub expires_at: Moment,
}

/// Ends the session of a refresh or access token, for a client that is who it says. `None`: no genuine token.
pub fn end_session(
    store: &Store,
    client: ClientId,
    token: Presented,
    now: Moment,
) -> impl Future<Output = Result<Option<Ruling>>> + Send + use<> {
    let ids = store.ids.clone();
    store.db.run(Rollback::WithItsGroup, move |tx| {
        Box::pin(async move {
            let Some(loaded) = sessions::load(tx, &token).await? else { return Ok(None) };
            let ruling = lifecycle::revoke(&loaded.session, loaded.client == client, now);
            match ruling {
                Ruling::Revoke(why) => {
                    sessions::end(tx, &ids, token.session, &loaded.about, why, now).await?;
                }
                _ if loaded.session.online_until.is_some() => {}
                _ => tx.keep_at_hand(token.session.0, loaded),
            }
            Ok(Some(ruling))
        })
    })
}

/// Ends one token of a System Client; `false` if it was ended before.
pub async fn end_token(store: &Store, token: SystemToken, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.db.run(Rollback::WithItsGroup, move |tx| {
        Box::pin(async move {
            let ended = tx.execute(END_TOKEN, args![token.client, token.number, token.expires_at.0]).await? == 1;
            if ended {
                tx.touch(|touched| touched.tokens.push((token.client, token.number)));
                let about = About { client: Some(token.client), ..Default::default() };
                let line = Line::new(now, Event::Revoked, None, about).with_detail(Revoked::ByClient.word());
                tx.append(Outbox::Sessions, &ids, &line);
            }
            Ok(ended)
        })
    });
    write.await
}
