//! What is attested of a session to its own client (OpenID Connect): who granted it, when, and what comes back as it was sent.

use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::clients::SigningAlgorithm;
use rules::factors::FactorMeans;
use rules::ids::{SessionId, UserId};
use rules::moment::Moment;
use rules::openid::{self, ID_TOKEN_ALGORITHMS};

#[derive(Debug)]
pub struct Attestation {
    pub user: UserId,
    /// The user's name.
    pub name: String,
    /// The id of the user's own Patient.
    pub patient: Option<String>,
    /// The Client ID.
    pub client: String,
    /// The sector that the operator has put the client in.
    pub sector: Option<String>,
    pub algorithm: SigningAlgorithm,
    /// The SMART scopes that were granted.
    pub scopes: String,
    /// When the user proved who they are.
    pub authenticated_at: Moment,
    /// By what they showed a second factor, if they did.
    pub factor: Option<FactorMeans>,
    pub nonce: Option<String>,
}

statements! {
    FIND = "SELECT s.user_id, u.name, p.fhir_id, c.client_id, c.sector, c.id_token_algorithm, s.smart_scopes,
            coalesce(s.authenticated_at, s.granted_at), s.nonce, s.factor
        FROM sessions s JOIN users u ON u.id = s.user_id JOIN clients c ON c.id = s.client_id
            LEFT JOIN patients p ON p.id = u.patient_id
        WHERE s.id = $1";
}

/// What is attested of a session; `None` of a team's, which nobody granted for themselves.
pub async fn find(store: &Store, session: SessionId) -> Result<Option<Attestation>> {
    store.db.read_one(FIND, args![session], attestation).await
}

fn attestation(row: &dyn Row) -> Result<Attestation> {
    let [usual, ..] = ID_TOKEN_ALGORITHMS;
    Ok(Attestation {
        user: row.id(0)?,
        name: row.text(1)?,
        patient: row.opt_text(2)?,
        client: row.text(3)?,
        sector: row.opt_text(4)?,
        algorithm: row.opt_word(5, openid::id_token_algorithm)?.unwrap_or(usual),
        scopes: row.opt_text(6)?.unwrap_or_default(),
        authenticated_at: Moment(row.int(7)?),
        nonce: row.opt_text(8)?,
        factor: row.opt_word(9, FactorMeans::named)?,
    })
}
