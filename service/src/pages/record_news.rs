//! What comes first of a patient's own record: appointments to come, letters that were not opened, messages that were not read.

use super::conversation_words::Correspondents;
use super::record_sections::RecordSection;
use super::record_words::RecordPlace;
use super::refusals;
use crate::app::App;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::interactions::messages;
use crate::views::record::{RecordEntry, RecordNews};
use crate::voices::page::PageStop;
use views::kinds::appointment::{Appointment, AppointmentStatus};
use views::kinds::document::{Document, DocumentStatus};
use views::kinds::message::{Message, MessageStatus};
use views::list::ListQuery;
use views::view::{self, View};

/// How many of each are shown.
const FEW: usize = 5;
/// Among how many appointments to come the next ones are: the list begins with the last.
const MOST_TO_COME: usize = 1000;

pub(super) async fn of(app: &App, caller: &Caller, place: RecordPlace<'_>) -> Result<RecordNews, PageStop> {
    let from = when::rfc3339(caller.now());
    let query = query::<Appointment>(&[("from", &from), ("limit", &MOST_TO_COME.to_string())])?;
    let to_come = RecordSection::Appointments.some::<Appointment>((app, caller), place, &query).await?;
    let appointments = to_come.into_iter().rev().filter(|(shown, _)| shown.view.status == AppointmentStatus::Active);
    let unread = query_of::<Document>(DocumentStatus::Unread.word())?;
    let letters = RecordSection::Letters.some::<Document>((app, caller), place, &unread).await?;
    let unread = query_of::<Message>(MessageStatus::Unread.word())?;
    let (conversations, _) =
        messages::conversations(app, caller, place.record, (unread, None)).await.map_err(refusals::unread)?;
    let conversations = match conversations.is_empty() {
        true => Vec::new(),
        false => {
            let known = Correspondents::of(app, caller, place.record).await?;
            conversations.iter().map(|one| known.row(one, &app.settings.time_zone)).collect()
        }
    };
    Ok(RecordNews {
        appointments: appointments.map(|(_, entry)| entry).take(FEW).collect::<Vec<RecordEntry>>(),
        letters: letters.into_iter().map(|(_, entry)| entry).collect(),
        conversations,
    })
}

/// The newest few of this status.
fn query_of<K: View>(status: &str) -> Result<ListQuery, PageStop> {
    query::<K>(&[("status", status), ("limit", &FEW.to_string())])
}

fn query<K: View>(pairs: &[(&str, &str)]) -> Result<ListQuery, PageStop> {
    let pairs: Vec<(String, String)> = pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    view::list_query::<K>(&pairs, &[]).map_err(|error| refusals::unread(error.into()))
}
