//! What somebody is told in the service: as the patient, as a carer of the record that the session is about, as a team, or as a
//! privacy officer.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use crate::callers::notice_reader::NoticeReader;
use crate::formats::when;
use crate::voices::api::ApiStop;
use rules::moment::Moment;
use rules::rest_errors::RestError;
use rules::scope::UserType;
use store::sharing::notices::{self, Notice, NoticeAuthor};
use views::elements::party::{Party, PartyType};
use views::kinds::notice::{self as shown, Notice as NoticeView};

/// Those since a moment, the newest first; all, or what nobody has seen.
pub(crate) async fn list(
    app: &App,
    reader: &NoticeReader,
    since: Option<Moment>,
    is_unseen: bool,
) -> Result<Vec<NoticeView>, Trouble> {
    let found = notices::of(&app.store, reader.recipients(), since, is_unseen).await.during("reading notices")?;
    Ok(found.iter().filter(|notice| reader.is_told(notice)).filter_map(view).collect())
}

/// Notes that a notice was seen; the first time counts.
pub(crate) async fn see(app: &App, caller: &Caller, id: &str) -> Result<NoticeView, ApiStop> {
    let missing = || RestError::NotFound("Notice");
    let number: i64 = id.parse().map_err(|_| missing())?;
    let reader = NoticeReader::of_caller(caller);
    let found = notices::find(&app.store, number).await.during("reading a notice")?;
    let found = found.filter(|notice| reader.is_told(notice));
    let found = found.ok_or_else(missing)?;
    if found.seen_at.is_some() {
        return Ok(view(&found).ok_or_else(missing)?);
    }
    notices::see(&app.store, number, caller.now()).await.during("noting that a notice was seen")?;
    let seen = notices::find(&app.store, number).await.during("reading a notice")?;
    Ok(seen.as_ref().and_then(view).ok_or_else(missing)?)
}

/// Notes that what somebody was told until now was seen, up to and including the notice that was the newest on their page.
pub(crate) async fn see_all(app: &App, reader: &NoticeReader, newest: i64, now: Moment) -> Result<(), Trouble> {
    notices::see_all(&app.store, reader.recipients(), newest, now).await.during("noting that notices were seen")
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
        patient_id: notice.patient.clone(),
        text: notice.text.clone(),
        by: notice.by_user.as_ref().map(|by| person(by, notice.patient.as_deref())).or_else(by_team),
        reason: notice.reason.clone(),
        seen: notice.seen_at.map(when::rfc3339),
    })
}

/// Somebody by whom a notice about a patient came.
fn person(by: &NoticeAuthor, patient: Option<&str>) -> Party {
    let party_type = match &by.patient {
        _ if by.user_type != UserType::Patient => PartyType::Professional,
        Some(own) if Some(own.as_str()) == patient => PartyType::Patient,
        _ => PartyType::Carer,
    };
    let id = by.patient.clone().filter(|_| party_type != PartyType::Professional);
    Party { party_type, id: id.unwrap_or_else(|| by.user.0.to_string()), name: Some(by.name.clone()) }
}
