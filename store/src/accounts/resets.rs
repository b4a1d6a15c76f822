//! A password that somebody forgot: another one, by a link that was sent to them.

use super::{addresses, links, queue};
use crate::access::endings::{self, Renewal};
use crate::access::patients;
use crate::access::people::{self, PasswordHash};
use crate::error::Result;
use crate::records::sharing::notices::{self, NewNotice};
use crate::store::Store;
use rules::consent::notice::{NoticeKind, OF_RESET, Recipient};
use rules::ids::UserId;
use rules::lifecycle::Revoked;
use rules::mail::MailKind;
use rules::moment::Moment;

/// Gives the user of a link a new password, as a change of it does: all their browsers are signed out, and where there is a reason
/// to, the access of their apps ends. They are told. `None` if the link is over, or nobody may come in by the account.
pub async fn reset(
    store: &Store,
    (link, user): (i64, UserId),
    password_hash: PasswordHash,
    end_access: Option<Revoked>,
    now: Moment,
) -> Result<Option<Renewal>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let before = people::load_numbered(tx, user).await?.filter(|user| !user.is_shut_out());
            let Some(before) = before else { return Ok(None) };
            if !links::spend(tx, link, now).await? {
                return Ok(None);
            }
            let patient = match &before.patient_id {
                Some(patient) => Some(patients::number(tx, &ids, patient, now).await?),
                None => None,
            };
            if let Some(patient) = patient {
                let (kind, recipient) = (NoticeKind::Account, Recipient::User(before.id));
                let text = OF_RESET.to_owned();
                let notice = NewNotice { kind, recipient, patient, text, by: (None, None), reason: None };
                notices::add(tx, &ids, &notice, now).await?;
            }
            if let Some(address) = addresses::load(tx, before.id).await? {
                queue::add(tx, &ids, (MailKind::PasswordChanged, before.id, &address), now).await?;
            }
            endings::renew_in(tx, &ids, before, password_hash, end_access, now).await.map(Some)
        })
    });
    let Some(begun) = write.await? else { return Ok(None) };
    endings::finish(store, begun, now).await.map(Some)
}
