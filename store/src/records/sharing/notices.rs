//! Notices: what somebody is told in the service, written with what they are told of.

use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::consent::notice::{NoticeKind, Recipient};
use rules::ids::{OrganisationId, PatientId, TeamId, UserId};
use rules::moment::Moment;
use rules::scope::UserType;

/// The columns of a notice, and the names of those by whom it came.
macro_rules! notices_where {
    ($condition:literal) => {
        concat!(
            "SELECT n.id, n.kind, n.recipient_kind, n.recipient_id, n.at, n.text, n.reason, n.seen_at, p.fhir_id,
                u.id, u.name, u.type, o.fhir_id, t.public_id, t.name
            FROM notices n LEFT JOIN patients p ON p.id = n.patient_id LEFT JOIN users u ON u.id = n.by_user_id
                LEFT JOIN patients o ON o.id = u.patient_id LEFT JOIN teams t ON t.id = n.by_team_id
            WHERE ",
            $condition
        )
    };
}

statements! {
    ADD = "INSERT INTO notices (id, kind, recipient_kind, recipient_id, patient_id, at, text, by_user_id, by_team_id, reason)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    /// Those of a recipient from the number `$2` on, all or those that nobody has seen.
    OF_RECIPIENT = notices_where!(
        "n.recipient_id = $1 AND n.id >= $2 AND ($3 = 0 OR n.seen_at IS NULL) ORDER BY n.id DESC LIMIT $4"
    );
    BY_ID = notices_where!("n.id = $1");
    SEE = "UPDATE notices SET seen_at = $2 WHERE id = $1 AND seen_at IS NULL";
    /// Among the newest `$3`, which are those of a list.
    UNSEEN = "SELECT count(*) FROM (SELECT n.recipient_kind, n.seen_at FROM notices n WHERE n.recipient_id = $1
            ORDER BY n.id DESC LIMIT $3) f
        WHERE f.recipient_kind = $2 AND f.seen_at IS NULL";
    SEE_ALL = "UPDATE notices SET seen_at = $5
        WHERE id IN (SELECT n.id FROM notices n WHERE n.recipient_id = $1 AND n.id <= $3 ORDER BY n.id DESC LIMIT $4)
            AND recipient_kind = $2 AND seen_at IS NULL";
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
    /// The FHIR id of the patient whom it is about; none, where it is about the account of whoever is told.
    pub patient: Option<String>,
    pub at: Moment,
    pub text: String,
    pub reason: Option<String>,
    /// When it was seen.
    pub seen_at: Option<Moment>,
    /// The user by whom it came.
    pub by_user: Option<NoticeAuthor>,
    /// Public id and name of the team.
    pub by_team: Option<(String, String)>,
}

/// A user by whom a notice came.
#[derive(Clone, Debug)]
pub struct NoticeAuthor {
    pub user: UserId,
    pub name: String,
    pub user_type: UserType,
    /// The FHIR id of their own Patient.
    pub patient: Option<String>,
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

/// What these were told, the newest first: since a moment, where one is given, and all or what nobody has seen.
pub async fn of(
    store: &Store,
    recipients: &[Recipient],
    since: Option<Moment>,
    is_unseen: bool,
) -> Result<Vec<Notice>> {
    let first = since.map_or(0, crate::ids::least);
    let mut all: Vec<Notice> = Vec::new();
    for recipient in recipients {
        let arguments = args![recipient.number(), first, is_unseen, MOST];
        let found = store.db.page(OF_RECIPIENT, arguments, notice_row).await?;
        all.extend(found.into_iter().filter(|notice| notice.recipient == *recipient));
    }
    all.sort_by_key(|notice| std::cmp::Reverse(notice.id));
    all.truncate(usize::try_from(MOST).unwrap_or(usize::MAX));
    Ok(all)
}

/// How many of what these were told nobody has seen, of as many as a list has.
pub async fn unseen(store: &Store, recipients: &[Recipient]) -> Result<i64> {
    let mut count = 0;
    for recipient in recipients {
        let arguments = args![recipient.number(), recipient.word(), MOST];
        count += store.db.read_one(UNSEEN, arguments, |row| row.int(0)).await?.unwrap_or_default();
    }
    Ok(count)
}

/// The notice of this number.
pub async fn find(store: &Store, id: i64) -> Result<Option<Notice>> {
    store.db.read_one(BY_ID, args![id], notice_row).await
}

/// Notes that a notice was seen. The first time counts.
pub async fn see(store: &Store, id: i64, now: Moment) -> Result<()> {
    store.write(move |tx| Box::pin(async move { tx.post(SEE, args![id, now.0]).await })).await
}

/// The same of all that a list of what these were told has from the notice of this number on: so many rows and no more, because
/// everybody waits for a write.
pub async fn see_all(store: &Store, recipients: &[Recipient], newest: i64, now: Moment) -> Result<()> {
    let recipients = recipients.to_vec();
    let write = store.write(move |tx| {
        Box::pin(async move {
            for recipient in recipients {
                tx.execute(SEE_ALL, args![recipient.number(), recipient.word(), newest, MOST, now.0]).await?;
            }
            Ok(())
        })
    });
    write.await
}

fn notice_row(row: &dyn Row) -> Result<Notice> {
    let number = row.int(3)?;
    let recipient = row.word(2, |word| Recipient::named(word, number))?;
    let by_user = match (row.opt_id(9)?, row.opt_text(10)?, row.opt_word(11, UserType::named)?) {
        (Some(user), Some(name), Some(user_type)) => {
            Some(NoticeAuthor { user, name, user_type, patient: row.opt_text(12)? })
        }
        _ => None,
    };
    Ok(Notice {
        id: row.int(0)?,
        kind: row.word(1, NoticeKind::named)?,
        recipient,
        patient: row.opt_text(8)?,
        at: Moment(row.int(4)?),
        text: row.text(5)?,
        reason: row.opt_text(6)?,
        seen_at: row.opt_int(7)?.map(Moment),
        by_user,
        by_team: row.opt_text(13)?.zip(row.opt_text(14)?),
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
