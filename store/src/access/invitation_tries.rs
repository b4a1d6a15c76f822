//! Tries at what an invitee proves beside code and token: each is counted before anybody looks at it, so that none is free, and
//! all are forgotten when one was right.

use super::invitations::InvitationPair;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::{Statement, statements};
use crate::store::Store;
use rules::limits::{INVITATION_TRIES, PAPER_TRIES};
use rules::moment::Moment;

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteeProof {
    BirthDate,
    /// The further code, on paper.
    Paper,
}

statements! {
    COUNT = "UPDATE invitations SET tries = tries + 1
    WHERE code = $1 AND token_fingerprint = $2 AND expires_at > $3 AND tries < $4";
    FORGET = "UPDATE invitations SET tries = 0 WHERE code = $1 AND token_fingerprint = $2";
    COUNT_PAPER = "UPDATE invitations SET paper_tries = paper_tries + 1
    WHERE code = $1 AND token_fingerprint = $2 AND paper_expires_at > $3 AND paper_tries < $4";
    FORGET_PAPER = "UPDATE invitations SET paper_tries = 0 WHERE code = $1 AND token_fingerprint = $2";
}

/// Counts a try; `false` if there is none left, or what is tried is over.
pub async fn count(store: &Store, proof: InviteeProof, pair: InvitationPair, now: Moment) -> Result<bool> {
    let (statement, most) = match proof {
        InviteeProof::BirthDate => (COUNT, INVITATION_TRIES),
        InviteeProof::Paper => (COUNT_PAPER, PAPER_TRIES),
    };
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            let token: &[u8] = &pair.token.0;
            Ok(tx.execute(statement, args![&pair.code, token, now.0, most]).await? == 1)
        })
    });
    write.await
}

/// Forgets the tries of somebody who was right.
pub async fn forget(store: &Store, proof: InviteeProof, pair: InvitationPair) -> Result<()> {
    let statement: Statement<'static> = match proof {
        InviteeProof::BirthDate => FORGET,
        InviteeProof::Paper => FORGET_PAPER,
    };
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            let token: &[u8] = &pair.token.0;
            tx.execute(statement, args![&pair.code, token]).await.map(|_| ())
        })
    });
    write.await
}
