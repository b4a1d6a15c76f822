//! What a caller is told in the service: as the patient, as a carer of the record that the session is about, or as a team.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::voices::api::ApiStop;
use rules::consent::notice::{NoticeKind, Recipient};
use rules::moment::Moment;
use rules::rest_errors::RestError;
use rules::scope::UserType;
use store::sharing::notices::{self, Notice, NoticeAuthor};
use views::elements::party::{Party, PartyType};
use views::kinds::notice::{self as shown, Notice as NoticeView};

/// Those since a moment, the newest first; all, or what nobody has seen.
pub(crate) async fn list(
    app: &App,
    caller: &Caller,
    since: Option<Moment>,
    is_unseen: bool,
) -> Result<Vec<NoticeView>, ApiStop> {
    let found = notices::of(&app.store, &recipients(caller), since, is_unseen).await.during("reading notices")?;
    Ok(found.iter().filter(|notice| is_for(caller, notice)).filter_map(view).collect())
}

/// Notes that a notice was seen; the first time counts.
pub(crate) async fn see(app: &App, caller: &Caller, id: &str) -> Result<NoticeView, ApiStop> {
    let missing = || RestError::NotFound("Notice");
    let number: i64 = id.parse().map_err(|_| missing())?;
    let found = notices::find(&app.store, number).await.during("reading a notice")?;
    let found = found.filter(|notice| recipients(caller).contains(&notice.recipient) && is_for(caller, notice));
    let found = found.ok_or_else(missing)?;
    if found.seen_at.is_some() {
        return Ok(view(&found).ok_or_else(missing)?);
    }
    notices::see(&app.store, number, caller.now()).await.during("noting that a notice was seen")?;
    let seen = notices::find(&app.store, number).await.during("reading a notice")?;
    Ok(seen.as_ref().and_then(view).ok_or_else(missing)?)
}

/// As whom the caller is told something.
fn recipients(caller: &Caller) -> Vec<Recipient> {
    let reach = caller.reach();
    let own = reach.own().map(Recipient::Patient);
    let teams = reach.teams().iter().map(|team| Recipient::Team(*team));
    own.into_iter().chain(caller.user().map(Recipient::User)).chain(teams).collect()
}

/// A session about one record is told of that record alone, and its user of being invited to another.
fn is_for(caller: &Caller, notice: &Notice) -> bool {
    match (caller.patient(), notice.recipient) {
        (Some(patient), Recipient::User(_)) => notice.patient == patient || notice.kind == NoticeKind::CarerInvited,
        _ => true,
    }
}

fn view(notice: &Notice) -> Option<NoticeView> {
    let by_team = || {
        let (id, name) = notice.by_team.clone()?;
        Some(Party { party_type: PartyType::Team, id, name: Some(name) })
    };
    Some(NoticeView {
        id: notice.id.to_string(),
        kind: shown::NoticeKind::named(notice.kind.word())?,
        when: when::rfc3339(notice.at),
        patient_id: Some(notice.patient.clone()),
        text: notice.text.clone(),
        by: notice.by_user.as_ref().map(|by| person(by, &notice.patient)).or_else(by_team),
        reason: notice.reason.clone(),
        seen: notice.seen_at.map(when::rfc3339),
    })
}

/// Somebody by whom a notice about a patient came.
fn person(by: &NoticeAuthor, patient: &str) -> Party {
    let party_type = match &by.patient {
        _ if by.user_type != UserType::Patient => PartyType::Professional,
        Some(own) if own == patient => PartyType::Patient,
        _ => PartyType::Carer,
    };
    let id = by.patient.clone().filter(|_| party_type != PartyType::Professional);
    Party { party_type, id: id.unwrap_or_else(|| by.user.0.to_string()), name: Some(by.name.clone()) }
}
