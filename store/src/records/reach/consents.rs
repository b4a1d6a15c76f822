//! Consents: what each patient has opened to whom, one row for each pair, and what of it is known when somebody changes one.

use crate::access::patients;
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::consent::basis::{Basis, BasisKind, Reason};
use rules::consent::record::{Consent, ConsentId, Grantee, Locker};
use rules::consent::standing::GivenConsent;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId};
use rules::labels::Labels;
use rules::moment::Moment;

/// The columns of a consent, and the organisation of the team that it is given to.
macro_rules! consents_where {
    ($condition:literal) => {
        concat!(
            "SELECT c.id, c.patient_id, c.grantee_kind, c.grantee_id, c.labels, c.discharged, c.locked_by, c.manages, c.basis,
                c.reason, c.reason_text, c.withdrawn, c.ends_at, c.accepted, c.made_at, c.changed_at, c.changed_by,
                t.organisation_id
            FROM consents c LEFT JOIN teams t ON c.grantee_kind = 'TEAM' AND t.id = c.grantee_id WHERE ",
            $condition
        )
    };
}
pub(crate) use consents_where;

statements! {
    OF_PATIENT = consents_where!("c.patient_id = $1 ORDER BY c.grantee_id");
    OF_PAIR = consents_where!("c.patient_id = $1 AND c.grantee_id = $2");
    BY_ID = consents_where!("c.id = $1");
    PUT = "INSERT INTO consents (id, patient_id, grantee_kind, grantee_id, labels, discharged, locked_by, manages, basis,
            reason, reason_text, withdrawn, ends_at, accepted, made_at, changed_at, changed_by)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16)
        ON CONFLICT (id) DO UPDATE SET labels = $5, discharged = $6, locked_by = $7, manages = $8, basis = $9, reason = $10,
            reason_text = $11, withdrawn = $12, ends_at = $13, accepted = $14, changed_at = $15, changed_by = $16";
}

/// A consent as it is stored.
#[derive(Clone, Debug)]
pub struct StoredConsent {
    pub given: GivenConsent,
    pub made_at: Moment,
    pub changed_at: Moment,
    /// The user who changed it last; `None`: a System Client or the operator.
    pub changed_by: Option<UserId>,
}

impl StoredConsent {
    #[must_use]
    pub const fn consent(&self) -> &Consent {
        &self.given.consent
    }
}

/// All that a patient has given.
pub async fn of_patient(store: &Store, patient: PatientId) -> Result<Vec<StoredConsent>> {
    store.db.page(OF_PATIENT, args![patient], consent_row).await
}

/// The same for a call that waits behind no list.
pub(crate) async fn point_read(store: &Store, patient: PatientId) -> Result<Vec<StoredConsent>> {
    store.db.read(OF_PATIENT, args![patient], consent_row).await
}

/// The consent of this id.
pub async fn find(store: &Store, id: ConsentId) -> Result<Option<StoredConsent>> {
    let id = id.to_string();
    store.db.read_one(BY_ID, args![&id], consent_row).await
}

/// All that a patient has given, as a transaction sees it.
pub(crate) async fn load(tx: &mut Tx<'_>, patient: PatientId) -> Result<Vec<StoredConsent>> {
    tx.query(OF_PATIENT, args![patient], consent_row).await
}

/// The consent of a pair. Others who would change one of this patient's wait until the transaction has ended.
pub(crate) async fn load_pair(tx: &mut Tx<'_>, patient: PatientId, grantee: Grantee) -> Result<Option<StoredConsent>> {
    patients::hold(tx, patient).await?;
    let found = tx.query_one(OF_PAIR, args![patient, number(grantee)], consent_row).await?;
    Ok(found.filter(|found| found.consent().grantee == grantee))
}

/// The consent of this id, as a transaction sees it.
pub(crate) async fn load_one(tx: &mut Tx<'_>, id: ConsentId) -> Result<Option<StoredConsent>> {
    let id = id.to_string();
    tx.query_one(BY_ID, args![&id], consent_row).await
}

/// Writes a consent, new or changed, with its line of the ledger; who sees the patient then is derived by whoever has written all.
pub(crate) async fn put(
    tx: &mut Tx<'_>,
    ids: &Ids,
    consent: &Consent,
    (event, by): (Event, Option<UserId>),
    now: Moment,
) -> Result<()> {
    let (id, basis) = (consent.id.to_string(), consent.basis.as_ref());
    let locked_by = consent.locked.map(|locker| match locker {
        Locker::Team(team) => team.0,
        Locker::Officer => 0,
    });
    let arguments = args![
        &id,
        consent.patient,
        consent.grantee.word(),
        number(consent.grantee),
        consent.labels.0,
        consent.discharged,
        locked_by,
        consent.manages,
        basis.map(|basis| basis.kind.code()),
        basis.map(|basis| basis.reason.code()),
        basis.and_then(|basis| basis.text.as_deref()),
        consent.withdrawn,
        consent.ends_at.map(|end| end.0),
        consent.accepted,
        now.0,
        by
    ];
    tx.execute(PUT, arguments).await?;
    tx.touch(|touched| touched.sight.push(consent.patient));
    let (team, user) = match consent.grantee {
        Grantee::Team(team) => (Some(team), by),
        Grantee::Professional(user) | Grantee::Carer(user) => (None, by.or(Some(user))),
    };
    let about = About { patient: Some(consent.patient), team, user, ..About::default() };
    tx.append(Outbox::Records, ids, &Line::new(now, event, None, about).with_detail(detail(consent)));
    Ok(())
}

/// The id of a new consent: a UUID made of one of our own numbers, so that no other process makes the same.
pub(crate) fn new_id(ids: &Ids, now: Moment) -> ConsentId {
    const LOW_BITS: u32 = 15;
    let number = u128::from(ids.next(now).unsigned_abs());
    let (high, low) = (number >> LOW_BITS, number & ((1 << LOW_BITS) - 1));
    let (version, variant) = (0x4 << 76, 0x8 << 60);
    ConsentId((high << 80) | version | variant | low)
}

/// What the ledger says of a consent: its id, whose it is, the labels, the state and the basis.
fn detail(consent: &Consent) -> String {
    let labels = consent.labels.each().map(rules::labels::Label::code).collect::<Vec<_>>().join(" ");
    let state = match consent {
        Consent { discharged: true, .. } => "discharged",
        Consent { accepted: false, .. } => "pending",
        _ => "active",
    };
    let basis = consent.basis.as_ref().map_or("", |basis| basis.kind.code());
    let (locked, manages) = (flag(consent.locked.is_some(), "locked"), flag(consent.manages, "manages"));
    let words = [consent.grantee.word(), &format!("[{labels}]"), state, basis, locked, manages];
    let words = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    format!("Consent/{} {words}", consent.id)
}

const fn flag(is: bool, word: &'static str) -> &'static str {
    if is { word } else { "" }
}

/// The number of a grantee, as rows have it.
const fn number(grantee: Grantee) -> i64 {
    match grantee {
        Grantee::Team(TeamId(number)) => number,
        Grantee::Professional(UserId(number)) | Grantee::Carer(UserId(number)) => number,
    }
}

pub(crate) fn consent_row(row: &dyn Row) -> Result<StoredConsent> {
    let (kind, grantee) = (row.text(2)?, row.int(3)?);
    let grantee = Grantee::named(&kind, grantee).ok_or_else(|| damaged("grantee_kind", &kind))?;
    let text = row.text(0)?;
    let id = text.parse().map_err(|_| damaged("id", &text))?;
    let basis = match (row.opt_word(8, BasisKind::named)?, row.opt_word(9, Reason::named)?) {
        (Some(kind), Some(reason)) => Some(Basis { kind, reason, text: row.opt_text(10)? }),
        _ => None,
    };
    let locked = row.opt_int(6)?.map(|team| match team {
        0 => Locker::Officer,
        team => Locker::Team(TeamId(team)),
    });
    let consent = Consent {
        id,
        patient: row.id(1)?,
        grantee,
        labels: Labels(row.int(4)?),
        discharged: row.flag(5)?,
        locked,
        manages: row.flag(7)?,
        basis,
        withdrawn: row.flag(11)?,
        ends_at: row.opt_int(12)?.map(Moment),
        accepted: row.flag(13)?,
    };
    let organisation: Option<OrganisationId> = row.opt_id(17)?;
    Ok(StoredConsent {
        given: GivenConsent { consent, organisation },
        made_at: Moment(row.int(14)?),
        changed_at: Moment(row.int(15)?),
        changed_by: row.opt_id(16)?,
    })
}

fn damaged(column: &str, value: &str) -> Error {
    Error::Impossible(format!("a consent has the {column} {value:?}"))
}
