//! Signed assertions that were used: each proves a client's identity once, on all nodes together.

use crate::engine::Rollback;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::ClientId;
use rules::moment::Moment;
use sha2::{Digest, Sha256};

/// An assertion of a client whose signature and claims were found good.
#[derive(Debug)]
pub struct SpentAssertion {
    pub client: ClientId,
    /// SHA-256 of the `jti`: a client may choose one of any length.
    jti_hash: [u8; 32],
    expires_at: Moment,
}

statements! {
    SPEND = "INSERT INTO spent_assertions (client_id, jti_hash, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
}

impl SpentAssertion {
    /// `expires_at` is when nobody would take the assertion any more.
    #[must_use]
    pub fn new(client: ClientId, jti: &str, expires_at: Moment) -> Self {
        Self { client, jti_hash: Sha256::digest(jti.as_bytes()).into(), expires_at }
    }
}

/// Marks an assertion as used; `false` if it was used before. Of two nodes that try at once, one waits for the other's commit.
pub async fn spend(store: &Store, assertion: SpentAssertion) -> Result<bool> {
    let write = store.db.run(Rollback::WithItsGroup, move |tx| {
        Box::pin(async move {
            let SpentAssertion { client, jti_hash, expires_at } = assertion;
            Ok(tx.execute(SPEND, args![client, jti_hash.as_slice(), expires_at.0]).await? == 1)
        })
    });
    write.await
}
