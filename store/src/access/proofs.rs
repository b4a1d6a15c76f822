//! Proofs of keys that were used (RFC 9449, 11.1): each stands for one request, on all nodes together. The book of them is bounded: it has
//! shelves by their hashes, and each of them has room for so many.

use crate::engine::{Rollback, Tx};
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::bound_key::KeyThumbprint;
use rules::limits::{PROOF_KEPT_SECONDS, PROOF_SHELVES, PROOFS_PER_SHELF};
use rules::moment::Moment;
use sha2::{Digest, Sha256};

/// A proof whose signature and claims were found good.
#[derive(Debug)]
pub struct SpentProof {
    /// SHA-256 of key and `jti`: a client may choose a `jti` of any length.
    hash: [u8; 32],
    expires_at: Moment,
}

/// What came of using a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spending {
    Spent,
    /// It was used before.
    Replayed,
    /// Nothing was written down, because there is no room.
    Full,
}

statements! {
    SHELF = "SELECT count(*) FROM spent_proofs WHERE proof >= $1 AND proof <= $2";
    CLEAR = "DELETE FROM spent_proofs WHERE proof >= $1 AND proof <= $2 AND expires_at <= $3";
    SPEND = "INSERT INTO spent_proofs (proof, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
}

impl SpentProof {
    /// `expires_at` is when nobody would take the proof any more.
    #[must_use]
    pub fn new(key: &KeyThumbprint, jti: &str, expires_at: Moment) -> Self {
        let hash = Sha256::new().chain_update(key.as_str()).chain_update(jti).finalize().into();
        Self { hash, expires_at }
    }

    /// The first and the last hash of its shelf.
    fn shelf(&self) -> ([u8; 32], [u8; 32]) {
        let [first, second, ..] = self.hash;
        let whole = u16::from_be_bytes([first, second]);
        let width = (1 << 16) / PROOF_SHELVES;
        let begin = whole - whole % u16::try_from(width).unwrap_or(1);
        let end = begin + u16::try_from(width - 1).unwrap_or(0);
        let filled = |bytes: [u8; 2], fill| {
            let mut filled = [fill; 32];
            for (to, from) in filled.iter_mut().zip(bytes) {
                *to = from;
            }
            filled
        };
        (filled(begin.to_be_bytes(), 0), filled(end.to_be_bytes(), u8::MAX))
    }
}

/// Marks a proof as used. Of two nodes that try at once, one waits for the other's commit.
pub async fn spend(store: &Store, proof: SpentProof, now: Moment) -> Result<Spending> {
    let write = store.db.run(Rollback::WithItsGroup, move |tx| {
        Box::pin(async move {
            if !has_room(tx, &proof, now).await? {
                return Ok(Spending::Full);
            }
            let SpentProof { hash, expires_at } = proof;
            Ok(match tx.execute(SPEND, args![hash.as_slice(), expires_at.0]).await? {
                1 => Spending::Spent,
                _ => Spending::Replayed,
            })
        })
    });
    write.await
}

/// Whether there is room for a proof, where need be without those that nobody would take any more.
async fn has_room(tx: &mut Tx<'_>, proof: &SpentProof, now: Moment) -> Result<bool> {
    let (first, last) = proof.shelf();
    let (first, last) = (first.as_slice(), last.as_slice());
    for _ in 0..2 {
        let held: Vec<i64> = tx.query(SHELF, args![first, last], |row| row.int(0)).await?;
        if held.into_iter().all(|held| held < PROOFS_PER_SHELF) {
            return Ok(true);
        }
        if tx.execute(CLEAR, args![first, last, now.plus_seconds(-PROOF_KEPT_SECONDS).0]).await? == 0 {
            break;
        }
    }
    Ok(false)
}
