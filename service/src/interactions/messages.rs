//! Messages: sending them to those to whom the record is open or who take part already, changing and dropping drafts, who has read
//! which, and conversations.

use super::items::across;
use super::items::background::{ItemVersion, Listed, readers};
use super::items::creation;
use super::items::existing::{self, ExistingItem, Named};
use super::items::kind::ItemKind;
use super::items::list::{self, ListRequest};
use super::items::record::ItemRecord;
use super::items::removal;
use super::items::update;
use super::items::writing::WrittenItem;
use super::noted::Noted;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use fhir::reference;
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::consent::record::Grantee;
use rules::ids::{TeamId, UserId};
use rules::reach::may_act_as;
use rules::rest_errors::RestError;
use rules::rest_faults::{MOST_LISTED, ShapeFault, ValueFault};
use std::collections::BTreeSet;
use store::messages;
use store::reach::circle::{self, PatientCircle};
use store::{organisations, people};
use views::elements::party::{Party, PartyType};
use views::kinds::conversation::{self, Conversation};
use views::kinds::message::{Message, MessageStatus};
use views::list::ListQuery;
use views::order::ListKey;
use views::sent::Sent;
use views::view::{Shown, View};

const CONVERSATION: &str = "Conversation";
const NOT_OPEN: Denial = Denial::NoConsent(
    "no consent of this record lets a recipient read it; a conversation begins with those to whom the record is open",
);

/// A conversation that a message goes into: its id, and who takes part already.
struct Thread {
    id: String,
    parties: Vec<Party>,
}

/// Sends a message of this record, or drafts it.
pub(crate) async fn send(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    mut sent: Sent<Message>,
) -> Result<Vec<WrittenItem<Message>>, ApiStop> {
    let thread = thread(app, caller, record, &sent.view).await?;
    if sent.view.status != Some(MessageStatus::Draft) {
        must_be_open_to(app, caller, record, (&sent.view.recipients, &thread.parties)).await?;
    }
    sent.view.conversation_id = Some(thread.id);
    creation::create(app, caller, record, (&[sent], &[])).await
}

/// Changes a draft of the caller's own, and sends it where that is asked.
pub(crate) async fn change(
    app: &App,
    caller: &Caller,
    id: &str,
    mut sent: Sent<Message>,
) -> Result<WrittenItem<Message>, ApiStop> {
    let Some(draft) = own_draft(app, caller, id).await? else { return Err(RestError::Deleted(Message::KIND).into()) };
    let was: Option<Shown<Message>> = draft.background.show(ItemVersion::of(&draft.resource));
    let conversation = was.and_then(|was| was.view.conversation_id);
    sent.view.status = sent.view.status.or(Some(MessageStatus::Draft));
    sent.view.conversation_id = sent.view.conversation_id.or(conversation);
    let thread = thread(app, caller, &draft.record, &sent.view).await?;
    if sent.view.status != Some(MessageStatus::Draft) {
        must_be_open_to(app, caller, &draft.record, (&sent.view.recipients, &thread.parties)).await?;
    }
    sent.view.conversation_id = Some(thread.id);
    update::update(app, caller, id, &sent).await
}

/// Drops a draft of the caller's own.
pub(crate) async fn drop_draft(app: &App, caller: &Caller, id: &str) -> Result<(), ApiStop> {
    match own_draft(app, caller, id).await? {
        Some(_) => removal::delete::<Message>(app, caller, id).await,
        None => Ok(()),
    }
}

/// The caller's own draft of this id; none where it was deleted. What others wrote is not there to be changed.
async fn own_draft(app: &App, caller: &Caller, id: &str) -> Result<Option<Box<ExistingItem>>, ApiStop> {
    match existing::named::<Message>(app, caller, id).await? {
        Named::Deleted => Ok(None),
        Named::There(item) if !may_act_as(caller.reach(), item.resource.source) => {
            Err(RestError::NotFound(Message::KIND).into())
        }
        Named::There(item) if !item.resource.needs.is_draft() => Err(RestError::message_was_sent().into()),
        Named::There(item) => Ok(Some(item)),
    }
}

/// Notes that the caller has read a message, or has not, and shows it. Whoever sent it has no mark.
pub(crate) async fn read(app: &App, caller: &Caller, id: &str, is_read: bool) -> Result<Shown<Message>, ApiStop> {
    let ExistingItem { resource, mut background, .. } = existing::there::<Message>(app, caller, id).await?;
    let reader = readers(caller.reach()).first().copied();
    if let Some(reader) = reader.filter(|_| !may_act_as(caller.reach(), resource.source)) {
        let marked = messages::mark(&app.store, resource.row, reader, is_read, caller.now()).await;
        marked.during("noting who has read a message")?;
        background.learn::<Message>(app, caller, std::slice::from_ref(&resource)).await?;
    }
    let shown = background.show(ItemVersion::of(&resource)).ok_or(RestError::NotFound(Message::KIND))?;
    Noted::one(app, caller, resource);
    Ok(shown)
}

/// The conversations of a record in which a message is that the filters take, each as it is in all, behind one of them; and the last
/// where there is more.
pub(crate) async fn conversations(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    (mut query, after): (ListQuery, Option<&ListKey>),
) -> Result<(Vec<Conversation>, Option<ListKey>), ApiStop> {
    let limit = query.limit.take();
    query.after = None;
    let all = messages_of(app, caller, record, &ListQuery::default()).await?;
    let named =
        |message: &Shown<Message>| message.view.conversation_id.clone().unwrap_or_else(|| message.item.id.clone());
    let taken: Option<BTreeSet<String>> = match query == ListQuery::default() {
        true => None,
        false => Some(messages_of(app, caller, record, &query).await?.iter().map(named).collect()),
    };
    let mut told = conversation::conversations(all.iter().map(|one| (one.item.id.as_str(), &one.view)));
    told.retain(|one| taken.as_ref().is_none_or(|taken| taken.contains(&one.conversation_id)));
    told.retain(|one| after.is_none_or(|after| place(one) > *after));
    let is_more = limit.is_some_and(|limit| told.len() > limit);
    told.truncate(limit.unwrap_or(usize::MAX));
    let next = told.last().filter(|_| is_more).map(place);
    Ok((told, next))
}

async fn messages_of(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    query: &ListQuery,
) -> Result<Vec<Shown<Message>>, ApiStop> {
    let request = ListRequest { record, query, after: None, criteria: Message::criteria() };
    Ok(list::list::<Message>(app, caller, request, |_| true).await?.items)
}

fn place(one: &Conversation) -> ListKey {
    ListKey::new(one.newest.as_ref().map(|date| date.0.as_str()), &one.conversation_id)
}

/// The messages of a conversation that the caller sees, the oldest first, behind one of them; and the last where there is more.
pub(crate) async fn conversation(
    app: &App,
    caller: &Caller,
    id: &str,
    (limit, after): (Option<usize>, Option<&ListKey>),
) -> Result<(Vec<Shown<Message>>, Option<ListKey>), ApiStop> {
    let mut listed = in_conversation(app, caller, id).await?;
    if let Some(after) = after {
        match listed.iter().position(|one| one.key.id == after.id) {
            Some(at) => drop(listed.drain(..=at)),
            None => listed.retain(|one| one.key.date > after.date),
        }
    }
    let is_more = limit.is_some_and(|limit| listed.len() > limit);
    listed.truncate(limit.unwrap_or(MOST_LISTED));
    let next = listed.last().filter(|_| is_more).map(|last| last.key.clone());
    Ok((noted(app, caller, listed), next))
}

/// The newest messages of a conversation up to one of them, the oldest first, and whether there are earlier ones. Where it is opened,
/// the caller has read them by that; each is shown as it was before.
pub(crate) async fn open_conversation(
    app: &App,
    caller: &Caller,
    id: &str,
    (limit, before, is_opened): (usize, Option<&str>, bool),
) -> Result<(Vec<Shown<Message>>, bool), ApiStop> {
    let mut listed = in_conversation(app, caller, id).await?;
    if let Some(at) = before.and_then(|before| listed.iter().position(|one| one.key.id == before)) {
        listed.truncate(at);
    }
    let earlier = listed.len().saturating_sub(limit);
    drop(listed.drain(..earlier));
    if let Some(reader) = readers(caller.reach()).first().copied().filter(|_| is_opened) {
        for one in listed.iter().filter(|one| one.shown.view.status == Some(MessageStatus::Unread)) {
            let marked = messages::mark(&app.store, one.resource.row, reader, true, caller.now()).await;
            marked.during("noting who has read a message")?;
        }
    }
    Ok((noted(app, caller, listed), earlier > 0))
}

/// All messages of a conversation that the caller sees, the oldest first.
async fn in_conversation(app: &App, caller: &Caller, id: &str) -> Result<Vec<Listed<Message>>, ApiStop> {
    let most = i64::try_from(MOST_LISTED).unwrap_or(i64::MAX).saturating_add(1);
    let found = messages::of_conversation(&app.store, caller.reach(), id, most, caller.now()).await;
    let found = found.during("reading a conversation")?;
    if found.is_empty() {
        return Err(RestError::NotFound(CONVERSATION).into());
    }
    if found.len() > MOST_LISTED {
        return Err(RestError::BadRequest(ShapeFault::TooManyItems.words()).into());
    }
    let mut listed = across::shown::<Message>(app, caller, found).await?;
    listed.sort_by_key(|one| (one.key.date, one.resource.row));
    Ok(listed)
}

fn noted(app: &App, caller: &Caller, listed: Vec<Listed<Message>>) -> Vec<Shown<Message>> {
    Noted::all(app, caller, listed.iter().map(|one| one.resource.clone()).collect());
    listed.into_iter().map(|one| one.shown).collect()
}

/// The conversation that a message goes into: that of the message that it answers, the one that it names, or a new one.
async fn thread(app: &App, caller: &Caller, record: &ItemRecord, message: &Message) -> Result<Thread, ApiStop> {
    let id = match (&message.in_reply_to, &message.conversation_id) {
        (Some(answered), named) => {
            let id = answered_conversation(app, caller, record, answered).await?;
            if named.as_ref().is_some_and(|named| *named != id) {
                let why = ValueFault::NotOneOf(&id).words();
                return Err(RestError::Unprocessable(format!("conversationId: {why}")).into());
            }
            id
        }
        (None, Some(named)) if !reference::is_id(named) => {
            return Err(RestError::Unprocessable(format!("conversationId: {}", ValueFault::NoId.words())).into());
        }
        (None, Some(named)) => named.clone(),
        (None, None) => return Ok(Thread { id: dice::resource_id(caller.now())?, parties: Vec::new() }),
    };
    let most = i64::try_from(MOST_LISTED).unwrap_or(i64::MAX);
    let found = messages::of_conversation(&app.store, caller.reach(), &id, most, caller.now()).await;
    let mut found = found.during("reading a conversation")?;
    found.retain(|one| !one.needs.is_draft() && one.patients().any(|patient| patient == record.number));
    let mut parties = Vec::new();
    for Listed { shown, .. } in across::shown::<Message>(app, caller, found).await? {
        parties.extend(shown.view.sender.0.into_iter().chain(shown.view.recipients));
    }
    Ok(Thread { id, parties })
}

/// The conversation of a message that is answered: one that was sent, of the same record.
async fn answered_conversation(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    answered: &str,
) -> Result<String, ApiStop> {
    let item = existing::there::<Message>(app, caller, answered).await?;
    let shown: Option<Shown<Message>> = item.background.show(ItemVersion::of(&item.resource));
    match shown.filter(|_| item.record.number == record.number && !item.resource.needs.is_draft()) {
        Some(shown) => Ok(shown.view.conversation_id.unwrap_or(shown.item.id)),
        None => Err(RestError::NotFound(Message::KIND).into()),
    }
}

/// Refuses to begin with somebody to whom the record is not open. Who takes part already is answered, whatever became of the consent.
async fn must_be_open_to(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    (recipients, known): (&[Party], &[Party]),
) -> Result<(), ApiStop> {
    let circle = circle::of(&app.store, record.number).await.during("looking at who sees a patient")?;
    for party in recipients.iter().filter(|party| !known.iter().any(|known| known.is(party))) {
        let is_open = match party.party_type {
            PartyType::Patient => caller.reach().own().is_none() && party.id == record.patient,
            PartyType::Carer => circle.consents.iter().any(|one| {
                let consent = one.consent();
                consent.grantee.is_carer()
                    && consent.id.to_string() == party.id
                    && holds(&circle, consent.grantee, caller)
            }),
            PartyType::Team => match organisations::find_team(&app.store, &party.id).await {
                Ok(team) => team.is_some_and(|team| is_open_to_team(&circle, team.id, caller)),
                Err(error) => return Err(error.into()),
            },
            PartyType::Professional => is_open_to_professional(app, caller, &circle, &party.id).await?,
        };
        if !is_open {
            return Err(Refusal::Denied(NOT_OPEN).into());
        }
    }
    Ok(())
}

/// One without a team by the own consent, one of teams by theirs.
async fn is_open_to_professional(
    app: &App,
    caller: &Caller,
    circle: &PatientCircle,
    id: &str,
) -> Result<bool, ApiStop> {
    let Ok(number) = id.parse() else { return Ok(false) };
    let found = people::numbered(&app.store, UserId(number)).await.during("looking a user up")?;
    let Some(user) = found else { return Ok(false) };
    let teams = organisations::teams_of_user(&app.store, user.id).await.during("listing the teams of a user")?;
    Ok(match teams.is_empty() {
        true => holds(circle, Grantee::Professional(user.id), caller),
        false => teams.iter().any(|team| is_open_to_team(circle, team.id, caller)),
    })
}

fn is_open_to_team(circle: &PatientCircle, team: TeamId, caller: &Caller) -> bool {
    caller.reach().teams().contains(&team) || holds(circle, Grantee::Team(team), caller)
}

/// Whether somebody holds a label of the record.
fn holds(circle: &PatientCircle, grantee: Grantee, caller: &Caller) -> bool {
    let consents = circle.consents.iter().map(|one| one.consent());
    let mut own = consents.filter(|consent| consent.grantee == grantee);
    own.any(|consent| {
        let lasts = consent.ends_at.is_none_or(|end| !caller.now().is_past(end));
        consent.accepted && !consent.discharged && !consent.labels.is_none() && lasts && !circle.state.sharing_disabled
    })
}
