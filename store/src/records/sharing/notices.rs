//! Notices: what somebody is told in the service, written with what they are told of.

use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use rules::consent::notice::{NoticeKind, Recipient};
use rules::ids::{OrganisationId, PatientId, TeamId, UserId};
use rules::moment::Moment;

statements! {
    ADD = "INSERT INTO notices (id, kind, recipient_kind, recipient_id, patient_id, at, text, by_user_id, by_team_id, reason)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    /// Those of the recipients `$1`, behind the number `$2`.
    OF_RECIPIENTS = "SELECT n.id, n.kind, n.recipient_kind, n.recipient_id, n.at, n.text, n.reason, n.seen_at, p.fhir_id,
            u.id, u.name, u.type, t.public_id, t.name
        FROM json_each($1) l JOIN notices n ON n.recipient_id = CAST(l.value AS BIGINT) AND n.id > $2
            JOIN patients p ON p.id = n.patient_id LEFT JOIN users u ON u.id = n.by_user_id
            LEFT JOIN teams t ON t.id = n.by_team_id
        ORDER BY n.id DESC LIMIT $3";
}

/// What somebody is told.
#[derive(Clone, Debug)]
pub struct NewNotice {
    pub kind: NoticeKind,
    pub recipient: Recipient,
    pub patient: PatientId,
    pub text: String,
    pub by: (Option<UserId>, Option<TeamId>),
    pub reason: Option<String>,
}

/// A notice as its recipient reads it.
#[derive(Clone, Debug)]
pub struct Notice {
    pub id: i64,
    pub kind: NoticeKind,
    pub recipient: Recipient,
    /// The FHIR id of the patient whom it is about.
    pub patient: String,
    pub at: Moment,
    pub text: String,
    pub reason: Option<String>,
    pub seen: bool,
    /// Name and type of the user by whom it came.
    pub by_user: Option<(UserId, String, String)>,
    /// Public id and name of the team.
    pub by_team: Option<(String, String)>,
}

/// Notices that one list has at the most.
const MOST: i64 = 1000;

pub(crate) async fn add(tx: &mut Tx<'_>, ids: &Ids, notice: &NewNotice, now: Moment) -> Result<()> {
    let NewNotice { kind, recipient, patient, text, by: (user, team), reason } = notice;
    let (word, number) = (recipient.word(), recipient.number());
    let id = ids.next(now);
    let arguments = args![id, kind.word(), word, number, *patient, now.0, text, *user, *team, reason.as_deref()];
    tx.execute(ADD, arguments).await.map(|_| ())
}

/// What these were told, the newest first; behind a moment, where one is given.
pub async fn of(store: &Store, recipients: &[Recipient], since: Option<Moment>) -> Result<Vec<Notice>> {
    let after = since.map_or(0, crate::ids::least);
    let numbers = list(recipients.iter().map(|recipient| recipient.number()));
    let found = store.db.page(OF_RECIPIENTS, args![&numbers, after, MOST], notice_row).await?;
    Ok(found.into_iter().filter(|notice| recipients.contains(&notice.recipient)).collect())
}

fn notice_row(row: &dyn Row) -> Result<Notice> {
    let number = row.int(3)?;
    let recipient = row.word(2, |word| Recipient::named(word, number))?;
    let by_user = match (row.opt_id(9)?, row.opt_text(10)?, row.opt_text(11)?) {
        (Some(user), Some(name), Some(user_type)) => Some((user, name, user_type)),
        _ => None,
    };
    Ok(Notice {
        id: row.int(0)?,
        kind: row.word(1, NoticeKind::named)?,
        recipient,
        patient: row.text(8)?,
        at: Moment(row.int(4)?),
        text: row.text(5)?,
        reason: row.opt_text(6)?,
        seen: row.opt_int(7)?.is_some(),
        by_user,
        by_team: row.opt_text(12)?.zip(row.opt_text(13)?),
    })
}

/// The recipients of what a patient's circle is told: the patient, and those carers.
pub(crate) fn circle(patient: PatientId, carers: impl IntoIterator<Item = UserId>) -> Vec<Recipient> {
    let carers = carers.into_iter().map(Recipient::User);
    std::iter::once(Recipient::Patient(patient)).chain(carers).collect()
}

/// The officers of an organisation.
pub(crate) const fn officers(organisation: OrganisationId) -> Recipient {
    Recipient::Officers(organisation)
}
