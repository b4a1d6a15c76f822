//! Sweeping: sessions whose code was never redeemed, sessions long over, used forms, assertions and proofs, old sign-ins, ended
//! tokens, exports that nobody can fetch any more, invitations of patients and of clients that are over, attachments that
//! nothing holds and what large writes left, in bounded batches.

use crate::access::client_invitations;
use crate::accounts::{links, mails};
use crate::error::Result;
use crate::ids;
use crate::records::documents::attachments;
use crate::records::write::staging;
pub use crate::sql::advisory_locks::SWEEPING;
use crate::sql::arg::args;
use crate::sql::statement::{Statement, list, statements};
use crate::store::Store;
use rules::ids::{PatientId, SessionId};
use rules::limits::{
    ASSERTION_KEPT_SECONDS, ENDED_TOKEN_KEPT_SECONDS, OVER_KEPT_SECONDS, PROOF_KEPT_SECONDS, SIGN_IN_LONGEST_SECONDS,
    UNREDEEMED_KEPT_SECONDS,
};
use rules::moment::Moment;

/// Rows of one kind that one sweep removes at the most: it shares the writer with people who wait.
pub const BATCH: i64 = 200;
/// Each of them is a write of its own.
const ATTACHMENTS: i64 = 50;

statements! {
    UNREDEEMED = "DELETE FROM sessions WHERE id IN
    (SELECT id FROM sessions WHERE generation = 0 AND granted_at <= $1 ORDER BY granted_at LIMIT $2) RETURNING id";
    EXPIRED = "DELETE FROM sessions WHERE id IN
    (SELECT id FROM sessions WHERE ends_at IS NOT NULL AND ends_at <= $1 ORDER BY ends_at LIMIT $2) RETURNING id";
    REVOKED = "DELETE FROM sessions WHERE id IN
    (SELECT id FROM sessions WHERE revoked_at IS NOT NULL AND revoked_at <= $1 ORDER BY revoked_at LIMIT $2) RETURNING id";
    FORMS = "DELETE FROM spent_forms WHERE id IN
    (SELECT id FROM spent_forms WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
    ASSERTIONS = "DELETE FROM spent_assertions WHERE (client_id, jti_hash) IN
    (SELECT client_id, jti_hash FROM spent_assertions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
    PROOFS = "DELETE FROM spent_proofs WHERE proof IN
    (SELECT proof FROM spent_proofs WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
    SIGN_INS = "DELETE FROM sign_ins WHERE id IN
    (SELECT id FROM sign_ins WHERE started_at <= $1 ORDER BY started_at LIMIT $2)";
    TOKENS = "DELETE FROM ended_tokens WHERE (client_id, token) IN
    (SELECT client_id, token FROM ended_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
    EXPORTS = "DELETE FROM exports WHERE id IN
    (SELECT id FROM exports WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
    /// In the order in which they are written, and as they are once nobody else is writing them.
    OLD_INVITATIONS = "SELECT patient_id FROM invitations WHERE patient_id IN
    (SELECT patient_id FROM invitations WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) ORDER BY patient_id";
    NOTICES = "DELETE FROM notices WHERE id IN (SELECT id FROM notices WHERE id < $1 ORDER BY id LIMIT $2)";
    INVITATIONS = "DELETE FROM invitations WHERE expires_at <= $1
    AND patient_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2))";
}

/// Those of them that load rows in order to decide about them.
pub(crate) const LOCKING: &[Statement<'static>] = &[OLD_INVITATIONS];

/// What one sweep removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    pub sessions: u64,
    pub forms: u64,
    pub assertions: u64,
    pub proofs: u64,
    pub sign_ins: u64,
    pub tokens: u64,
    pub exports: u64,
    pub invitations: u64,
    /// Those of which it is settled whether something holds them.
    pub attachments: u64,
    /// Whether a batch was full, so that another sweep will find more.
    pub more: bool,
}

/// Removes one batch of each kind; nothing, if another node is about it.
pub async fn sweep(store: &Store, now: Moment) -> Result<Swept> {
    let (ids, versions) = (store.ids.clone(), store.versions.clone());
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            let mut swept = Swept::default();
            if !tx.is_alone(SWEEPING).await? {
                return Ok(swept);
            }
            let over = now.plus_seconds(-OVER_KEPT_SECONDS).0;
            for (statement, before) in
                [(UNREDEEMED, now.plus_seconds(-UNREDEEMED_KEPT_SECONDS).0), (EXPIRED, over), (REVOKED, over)]
            {
                let gone: Vec<SessionId> = tx.query(statement, args![before, BATCH], |row| row.id(0)).await?;
                let removed = u64::try_from(gone.len()).unwrap_or(u64::MAX);
                gone.into_iter().for_each(|session| tx.touch_session(session));
                swept.sessions += removed;
                swept.more |= removed >= BATCH.unsigned_abs();
            }
            swept.forms = tx.execute(FORMS, args![now.0, BATCH]).await?;
            let unusable = now.plus_seconds(-ASSERTION_KEPT_SECONDS).0;
            swept.assertions = tx.execute(ASSERTIONS, args![unusable, BATCH]).await?;
            let unusable = now.plus_seconds(-PROOF_KEPT_SECONDS).0;
            swept.proofs = tx.execute(PROOFS, args![unusable, BATCH]).await?;
            swept.sign_ins = tx.execute(SIGN_INS, args![now.plus_seconds(-SIGN_IN_LONGEST_SECONDS).0, BATCH]).await?;
            swept.tokens = tx.execute(TOKENS, args![now.plus_seconds(-ENDED_TOKEN_KEPT_SECONDS).0, BATCH]).await?;
            swept.exports = tx.execute(EXPORTS, args![now.0, BATCH]).await?;
            let over: Vec<PatientId> = tx.lock(OLD_INVITATIONS, args![now.0, BATCH], |row| row.id(0)).await?;
            let over = list(over.into_iter().map(|patient| patient.0));
            swept.invitations = tx.execute(INVITATIONS, args![now.0, &over]).await?;
            swept.attachments = attachments::settle(tx, (&ids, &versions), now, ATTACHMENTS).await?;
            let Swept { forms, assertions, proofs, sign_ins, tokens, exports, invitations, .. } = swept;
            let links = links::sweep(tx, now, BATCH).await?;
            let mails = mails::sweep(tx, now, BATCH).await?;
            let tokens_of_clients = client_invitations::sweep(tx, now, BATCH).await?;
            let all =
                [forms, assertions, proofs, sign_ins, tokens, exports, invitations, links, mails, tokens_of_clients];
            let is_full = all.into_iter().any(|removed| removed >= BATCH.unsigned_abs())
                || swept.attachments >= ATTACHMENTS.unsigned_abs();
            swept.more |= staging::sweep(tx, now).await? || is_full;
            Ok(swept)
        })
    });
    write.await
}

/// Removes a batch of the notices of before a moment, the oldest first; tells whether another will find more.
pub async fn sweep_notices(store: &Store, before: Moment) -> Result<bool> {
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            if !tx.is_alone(SWEEPING).await? {
                return Ok(false);
            }
            Ok(tx.execute(NOTICES, args![ids::least(before), BATCH]).await? >= BATCH.unsigned_abs())
        })
    });
    write.await
}
