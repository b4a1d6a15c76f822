//! Invitations: a pair of code and token by which a patient makes their account. There is one for each patient at the most, and it
//! ends with the next one, with the account, with time, and with too many wrong dates of birth.

use super::clients::Fingerprint;
use super::invited_accounts;
use super::patients;
use super::people::{self, PasswordHash, User};
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, list, statements};
use crate::store::Store;
use rules::ids::{OrganisationId, PatientId, UserId};
use rules::invitations::{FurtherProof, is_open, is_paper_open};
use rules::limits::INVITATION_SECONDS;
use rules::moment::Moment;
use rules::scope::UserType;
use std::collections::HashSet;

/// A pair, as it is stored of it.
#[derive(Clone, Debug)]
pub struct InvitationPair {
    pub code: String,
    pub token: Fingerprint,
}

/// An invitation, and what is known of the patient beside it.
#[derive(Clone, Debug)]
pub struct Invitation {
    pub patient: PatientId,
    /// The id of the Patient resource.
    pub patient_id: String,
    pub pair: InvitationPair,
    pub organisation: OrganisationId,
    pub organisation_name: String,
    /// What else must be proved.
    pub further_proof: FurtherProof,
    paper: Option<Paper>,
    expires_at: Moment,
    tries: i64,
    deceased: bool,
    registered: bool,
    /// Whether the patient is registered with a team of the organisation.
    is_ours: bool,
}

/// The further code, as it is stored of it.
#[derive(Clone, Debug)]
struct Paper {
    code: Fingerprint,
    expires_at: Moment,
    tries: i64,
}

impl Invitation {
    /// Whether it can be redeemed now, by whoever knows the rest.
    #[must_use]
    pub const fn stands(&self, now: Moment) -> bool {
        is_open(self.expires_at, self.tries, now) && !self.deceased && !self.registered && self.is_ours
    }

    /// The further code that was printed, if one was.
    #[must_use]
    pub fn paper_code(&self) -> Option<&Fingerprint> {
        self.paper.as_ref().map(|paper| &paper.code)
    }

    /// Whether all is proved that is asked for beside the date of birth.
    fn is_proved(&self, given: Option<&Fingerprint>, now: Moment) -> bool {
        let fits = |paper: &Paper| {
            is_paper_open(paper.expires_at, paper.tries, now) && given.is_some_and(|given| *given == paper.code)
        };
        self.further_proof == FurtherProof::None || self.paper.as_ref().is_some_and(fits)
    }
}

/// The account that somebody makes of an invitation.
#[derive(Clone, Debug)]
pub struct NewAccount {
    pub username: String,
    pub password_hash: PasswordHash,
    pub name: String,
    /// The further code that they have, where one is asked for.
    pub paper: Option<Fingerprint>,
}

/// What became of an invitation that somebody wanted to redeem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationRedemption {
    Made(UserId),
    /// Somebody has this user name; the invitation stays.
    NameTaken,
    /// It asks for a further code, and this is not it.
    NotProved,
    /// It does not stand any more.
    Over,
}

statements! {
    HOLD = "SELECT id FROM patients WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) ORDER BY id";
    WITHOUT_ACCOUNT = "SELECT p.id FROM patients p WHERE p.id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))
    AND p.deceased = 0 AND NOT EXISTS (SELECT 1 FROM users u WHERE u.patient_id = p.id)
    AND EXISTS (SELECT 1 FROM registrations g JOIN teams t ON t.id = g.team_id
        WHERE g.patient_id = p.id AND t.organisation_id = $2)";
    PUT = "INSERT INTO invitations (patient_id, code, token_fingerprint, organisation_id, expires_at, tries)
    VALUES ($1, $2, $3, $4, $5, 0)
    ON CONFLICT (patient_id) DO UPDATE SET code = $2, token_fingerprint = $3, organisation_id = $4, expires_at = $5, tries = 0,
        paper_fingerprint = NULL, paper_expires_at = NULL, paper_tries = NULL";
    FIND = "SELECT i.patient_id, p.fhir_id, i.code, i.token_fingerprint, i.organisation_id, o.name, i.expires_at, i.tries,
        p.deceased, CASE WHEN EXISTS (SELECT 1 FROM users u WHERE u.patient_id = i.patient_id) THEN 1 ELSE 0 END,
        CASE WHEN EXISTS (SELECT 1 FROM registrations g JOIN teams t ON t.id = g.team_id
            WHERE g.patient_id = i.patient_id AND t.organisation_id = i.organisation_id) THEN 1 ELSE 0 END,
        o.invitation_proof, i.paper_fingerprint, i.paper_expires_at, i.paper_tries
    FROM invitations i JOIN patients p ON p.id = i.patient_id JOIN organisations o ON o.id = i.organisation_id
    WHERE i.code = $1";
    /// Nothing is written where somebody has the name, and whoever is about to have it is waited for.
    CLAIM_NAME = "INSERT INTO users (id, username, password_hash, type, name) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING";
    REMOVE = "DELETE FROM invitations WHERE patient_id = $1";
}

/// Those of them that load rows in order to decide about them.
pub(crate) const LOCKING: &[Statement<'static>] = &[HOLD];

/// Invites patients, each by a pair of its own, all or none of them; and tells until when, and whom it invited: who has died, has
/// made an account by now, or is not registered with a team of the organisation, is not among them.
pub async fn invite(
    store: &Store,
    organisation: OrganisationId,
    mut pairs: Vec<(PatientId, InvitationPair)>,
    now: Moment,
) -> Result<(Moment, HashSet<PatientId>)> {
    if pairs.is_empty() {
        return Ok((now.plus_seconds(INVITATION_SECONDS), HashSet::new()));
    }
    store.room()?;
    // Everybody who writes several goes by the patients' numbers, so that nobody waits in a circle.
    pairs.sort_unstable_by_key(|(patient, _)| *patient);
    let (ids, ends) = (store.ids.clone(), now.plus_seconds(INVITATION_SECONDS));
    let write = store.write(move |tx| {
        Box::pin(async move {
            let patients = list(pairs.iter().map(|(patient, _)| patient.0));
            // Whoever redeems an invitation of one of them waits, or is waited for: then the account is seen below.
            tx.lock(HOLD, args![&patients], |_| Ok(())).await?;
            let invited = tx.query(WITHOUT_ACCOUNT, args![&patients, organisation], |row| row.id(0)).await?;
            let invited: HashSet<PatientId> = invited.into_iter().collect();
            for (patient, pair) in pairs.iter().filter(|(patient, _)| invited.contains(patient)) {
                let token: &[u8] = &pair.token.0;
                tx.post(PUT, args![*patient, &pair.code, token, organisation, ends.0]).await?;
                let about = About { organisation: Some(organisation), patient: Some(*patient), ..About::default() };
                tx.append(Outbox::Records, &ids, &Line::new(now, Event::Invited, None, about));
            }
            Ok((ends, invited))
        })
    });
    write.await
}

/// The invitation of this code, whether or not it stands.
pub async fn find(store: &Store, code: &str) -> Result<Option<Invitation>> {
    store.db.read_one(FIND, args![code], invitation).await
}

/// Makes the account of the patient whom this pair invites, and ends the invitation; of two who do so at once, one does.
pub async fn redeem(
    store: &Store,
    patient: PatientId,
    pair: InvitationPair,
    account: NewAccount,
    now: Moment,
) -> Result<InvitationRedemption> {
    store.room()?;
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            patients::hold(tx, patient).await?;
            let found = tx.query_one(FIND, args![&pair.code], invitation).await?;
            let standing =
                found.filter(|found| found.patient == patient && found.pair.token == pair.token && found.stands(now));
            match standing {
                Some(standing) if !standing.is_proved(account.paper.as_ref(), now) => {
                    Ok(InvitationRedemption::NotProved)
                }
                Some(standing) => make(tx, &ids, standing, account, now).await,
                None => Ok(InvitationRedemption::Over),
            }
        })
    });
    write.await
}

async fn make(
    tx: &mut Tx<'_>,
    ids: &Ids,
    standing: Invitation,
    account: NewAccount,
    now: Moment,
) -> Result<InvitationRedemption> {
    let user = User {
        id: UserId(ids.next(now)),
        username: account.username.to_lowercase(),
        password_hash: account.password_hash,
        user_type: UserType::Patient,
        name: account.name,
        patient_id: Some(standing.patient_id),
        frozen_at: None,
        deceased: false,
        record_frozen: false,
        organisation: None,
    };
    let word = user.user_type.word();
    let claim = args![user.id, &user.username, &user.password_hash.0, word, &user.name];
    if tx.execute(CLAIM_NAME, claim).await? == 0 {
        return Ok(InvitationRedemption::NameTaken);
    }
    people::put(tx, ids, None, &user, now).await?;
    tx.execute(REMOVE, args![standing.patient]).await?;
    invited_accounts::note(tx, user.id, standing.patient, standing.organisation, now).await?;
    let about = About {
        user: Some(user.id),
        organisation: Some(standing.organisation),
        patient: Some(standing.patient),
        ..About::default()
    };
    tx.append(Outbox::Records, ids, &Line::new(now, Event::InvitationRedeemed, None, about));
    Ok(InvitationRedemption::Made(user.id))
}

fn invitation(row: &dyn Row) -> Result<Invitation> {
    let token = fingerprint(row.bytes(3)?)?;
    let paper = match (row.opt_bytes(12)?, row.opt_int(13)?) {
        (Some(code), Some(expires_at)) => {
            let tries = row.opt_int(14)?.unwrap_or_default();
            Some(Paper { code: fingerprint(code)?, expires_at: Moment(expires_at), tries })
        }
        _ => None,
    };
    Ok(Invitation {
        patient: row.id(0)?,
        patient_id: row.text(1)?,
        pair: InvitationPair { code: row.text(2)?, token },
        organisation: row.id(4)?,
        organisation_name: row.text(5)?,
        expires_at: Moment(row.int(6)?),
        tries: row.int(7)?,
        deceased: row.flag(8)?,
        registered: row.flag(9)?,
        is_ours: row.flag(10)?,
        further_proof: row.opt_word(11, FurtherProof::named)?.unwrap_or_default(),
        paper,
    })
}

fn fingerprint(bytes: Vec<u8>) -> Result<Fingerprint> {
    let fingerprint = bytes.try_into().map(Fingerprint);
    fingerprint.map_err(|_| Error::Impossible("a fingerprint that is not 32 bytes".into()))
}
