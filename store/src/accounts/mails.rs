//! Mail whose turn it is: whoever sends one has it for a while to themselves, and finds out then to whom it goes and by which link.

use super::addresses;
use super::links::{self, AccountLink};
use crate::access::people;
use crate::access::salt::Salt;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, statements};
use crate::store::Store;
use rules::ids::UserId;
use rules::limits::{LIST_LINES, MAIL_KEPT_SECONDS, MAIL_TRIES};
use rules::mail::{MailKind, wait_after};
use rules::moment::Moment;

/// A mail to be sent now.
#[derive(Clone, Debug)]
pub struct OutgoingMail {
    pub id: i64,
    pub kind: MailKind,
    pub address: String,
    pub link: Option<AccountLink>,
    /// How often it was tried, this time included.
    pub tries: i64,
}

/// What there is to send.
#[derive(Clone, Debug)]
pub enum MailTurn {
    Nothing,
    /// One was let go: there is nobody to write to, or it could not be sent for too long.
    LetGo,
    Send(OutgoingMail),
}

/// A mail that a sandbox would have sent.
#[derive(Clone, Debug)]
pub struct ShownMail {
    pub kind: MailKind,
    pub address: String,
    pub at: Moment,
    /// What its link was made of, if that is still good.
    pub link: Option<AccountLink>,
}

struct WaitingMail {
    id: i64,
    kind: MailKind,
    typed: Option<String>,
    about: Option<(UserId, String)>,
    tries: i64,
}

statements! {
    IS_DUE = "SELECT 1 FROM mails WHERE shown = 0 AND next_at <= $1 LIMIT 1";
    NEXT = "SELECT id, kind, typed, user_id, address, tries FROM mails
        WHERE shown = 0 AND next_at <= $1 ORDER BY next_at LIMIT 1";
    TRY = "UPDATE mails SET tries = $2, next_at = $3 WHERE id = $1";
    DROP = "DELETE FROM mails WHERE id = $1";
    SHOW = "UPDATE mails SET shown = 1, typed = NULL, next_at = $2, address = $3, link_id = $4 WHERE id = $1";
    SHOWN = "SELECT m.kind, m.address, m.next_at, l.id, l.salt, l.expires_at
        FROM mails m LEFT JOIN account_links l ON l.id = m.link_id
        WHERE m.shown = 1 ORDER BY m.next_at DESC, m.id DESC LIMIT $1";
    OLD = "DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE id < $1 ORDER BY id LIMIT $2)";
}

/// Those of them that load a row in order to decide about it.
pub(crate) const LOCKING: &[Statement<'static>] = &[NEXT];

/// Whether a mail is waiting for its turn.
pub async fn is_due(store: &Store, now: Moment) -> Result<bool> {
    Ok(store.db.read_one(IS_DUE, args![now.0], |row| row.int(0)).await?.is_some())
}

/// Takes the next mail whose turn it is. Nobody else has it until its next turn, and that it was tried is known before it is; a link
/// that it brings is made now, of this salt.
pub async fn take(store: &Store, salt: Salt, now: Moment) -> Result<MailTurn> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let Some(mail) = tx.lock_free(NEXT, args![now.0], waiting).await?.into_iter().next() else {
                return Ok(MailTurn::Nothing);
            };
            let is_over = mail.tries >= MAIL_TRIES || mail.id < ids::least(now.plus_seconds(-MAIL_KEPT_SECONDS));
            let to = if is_over { None } else { recipient(tx, &mail).await? };
            let Some((user, address)) = to else {
                tx.execute(DROP, args![mail.id]).await?;
                return Ok(MailTurn::LetGo);
            };
            let tries = mail.tries + 1;
            tx.execute(TRY, args![mail.id, tries, now.plus_seconds(wait_after(tries)).0]).await?;
            let link = match mail.kind.link() {
                Some(purpose) => Some(links::renew(tx, &ids, (user, purpose, &address), salt, now).await?),
                None => None,
            };
            Ok(MailTurn::Send(OutgoingMail { id: mail.id, kind: mail.kind, address, link, tries }))
        })
    });
    write.await
}

/// To whom it goes, and where: whoever asks for a new password is written to where they confirmed that it is theirs.
async fn recipient(tx: &mut Tx<'_>, mail: &WaitingMail) -> Result<Option<(UserId, String)>> {
    let Some(typed) = &mail.typed else { return Ok(mail.about.clone()) };
    let user = match addresses::owner(tx, typed).await? {
        Some(user) => people::load_numbered(tx, user).await?,
        None => people::load(tx, typed).await?,
    };
    let Some(user) = user.filter(|user| !user.is_shut_out()) else { return Ok(None) };
    Ok(addresses::load(tx, user.id).await?.map(|address| (user.id, address)))
}

/// It was sent.
pub async fn sent(store: &Store, id: i64) -> Result<()> {
    store.db.write(move |tx| Box::pin(async move { tx.execute(DROP, args![id]).await.map(|_| ()) })).await
}

/// It would have been sent: a sandbox shows it.
pub async fn show(store: &Store, mail: OutgoingMail, now: Moment) -> Result<()> {
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            let link = mail.link.map(|link| link.id);
            tx.execute(SHOW, args![mail.id, now.0, &mail.address, link]).await.map(|_| ())
        })
    });
    write.await
}

/// What a sandbox would have sent, the newest first.
pub async fn shown(store: &Store) -> Result<Vec<ShownMail>> {
    let most = i64::try_from(LIST_LINES).unwrap_or(i64::MAX);
    let mail = |row: &dyn Row| {
        let link = match row.opt_int(3)? {
            Some(id) => {
                Some(AccountLink { id, salt: Salt::from_bytes(&row.bytes(4)?)?, expires_at: Moment(row.int(5)?) })
            }
            None => None,
        };
        Ok(ShownMail { kind: row.word(0, MailKind::named)?, address: row.text(1)?, at: Moment(row.int(2)?), link })
    };
    store.db.page(SHOWN, args![most], mail).await
}

/// Lets a batch of what is too old go, sent or not; gives the number.
pub(crate) async fn sweep(tx: &mut Tx<'_>, now: Moment, batch: i64) -> Result<u64> {
    // Whoever tries lets go of them first, and says so.
    let before = now.plus_seconds(-2 * MAIL_KEPT_SECONDS);
    tx.execute(OLD, args![ids::least(before), batch]).await
}

fn waiting(row: &dyn Row) -> Result<WaitingMail> {
    let about = row.opt_id(3)?.zip(row.opt_text(4)?);
    Ok(WaitingMail {
        id: row.int(0)?,
        kind: row.word(1, MailKind::named)?,
        typed: row.opt_text(2)?,
        about,
        tries: row.int(5)?,
    })
}
