//! For whom a resource is besides its labels, as it is stored beside it: who takes part in a conversation, and who drafted.

use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::records::sharing::notices::{self, NewNotice};
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list_of_texts, statements};
use fhir::audience::Audience;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::consent::item::{Author, Participant};
use rules::consent::notice::{self, NoticeKind, Recipient};
use rules::ids::{PatientId, RowId, TeamId, UserId};
use rules::moment::Moment;
use rules::reach::Source;

statements! {
    FORGET = "DELETE FROM participants WHERE resource_id = $1";
    PUT = "INSERT INTO participants (resource_id, viewer_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    FORGET_CONVERSATION = "DELETE FROM conversations WHERE resource_id = $1";
    PUT_CONVERSATION = "INSERT INTO conversations (conversation_id, resource_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    TEAMS = "SELECT t.id FROM json_each($1) v JOIN teams t ON t.public_id = v.value ORDER BY t.id";
    /// A carer is named by the consent that makes them one.
    CARERS = "SELECT c.grantee_id FROM json_each($1) v JOIN consents c ON c.id = v.value
        WHERE c.grantee_kind = 'CARER' ORDER BY c.grantee_id";
    TEAMS_OF_USER = "SELECT m.team_id FROM memberships m WHERE m.user_id = $1 ORDER BY m.team_id";
    CLINICIAN = "SELECT u.id FROM users u WHERE u.id = $1 AND u.type = 'CLINICIAN'";
    FORGET_AUTHOR = "DELETE FROM drafters WHERE resource_id = $1";
    PUT_AUTHOR = "INSERT INTO drafters (resource_id, user_id) VALUES ($1, $2)
        ON CONFLICT (resource_id) DO UPDATE SET user_id = $2";
}

/// No id of a conversation is longer that anybody asks by.
const CONVERSATION_BYTES: usize = 200;

/// Writes down for whom a resource is that a source stores. `was_draft` says whether what was there before is a draft; nothing where
/// nothing was there.
pub(crate) async fn put(
    tx: &mut Tx<'_>,
    row: RowId,
    content: &Preparation,
    source: Source,
    was_draft: Option<bool>,
) -> Result<()> {
    if content.audience.is_draft && was_draft != Some(true) {
        author(tx, row, source, was_draft.is_some()).await?;
    }
    message(tx, row, content, was_draft.is_some()).await
}

/// Notes who drafts, where that is not told by the source: only a draft's first version says it, because nobody else changes one.
async fn author(tx: &mut Tx<'_>, row: RowId, source: Source, is_known: bool) -> Result<()> {
    let user = tx.notebook().author().and_then(|author| author.user);
    match (source, Author::of(source, user)) {
        (Source::Team(..), Author::Person(user)) => tx.post(PUT_AUTHOR, args![row, user]).await,
        _ if is_known => tx.post(FORGET_AUTHOR, args![row]).await,
        _ => Ok(()),
    }
}

/// Notes of which conversation a message is, and who takes part in what was sent: in a draft nobody does yet.
pub(crate) async fn message(tx: &mut Tx<'_>, row: RowId, content: &Preparation, is_known: bool) -> Result<()> {
    if content.resource_type != ResourceType::Communication {
        return Ok(());
    }
    if is_known {
        tx.post(FORGET, args![row]).await?;
        tx.post(FORGET_CONVERSATION, args![row]).await?;
    }
    let conversation = content.audience.conversation.as_ref().unwrap_or(&content.id);
    if conversation.len() <= CONVERSATION_BYTES {
        tx.post(PUT_CONVERSATION, args![conversation, row]).await?;
    }
    if content.audience.is_draft {
        return Ok(());
    }
    for participant in viewers(tx, &content.audience).await? {
        tx.post(PUT, args![row, number(participant)]).await?;
    }
    Ok(())
}

/// The numbers of those who are named. A patient sees their conversations by the right `self`; whose professional has a team takes part
/// as that team.
async fn viewers(tx: &mut Tx<'_>, audience: &Audience) -> Result<Vec<Participant>> {
    let named = |of: ResourceType| {
        let ids = audience.participants.iter().filter(move |(named, _)| *named == of);
        ids.map(|(_, id)| id.as_str()).collect::<Vec<&str>>()
    };
    let (teams, carers) = (named(ResourceType::Organization), named(ResourceType::RelatedPerson));
    let team = |row: &dyn Row| row.id(0).map(Participant::Team);
    let mut all: Vec<Participant> = Vec::new();
    if !teams.is_empty() {
        all.extend(tx.query(TEAMS, args![&list_of_texts(teams)], team).await?);
    }
    if !carers.is_empty() {
        let person = |row: &dyn Row| row.id(0).map(Participant::Person);
        all.extend(tx.query(CARERS, args![&list_of_texts(carers)], person).await?);
    }
    for id in named(ResourceType::Practitioner) {
        let Ok(user) = id.parse().map(UserId) else { continue };
        let Some(user) = tx.query_one(CLINICIAN, args![user], |row| row.id(0)).await? else { continue };
        let teams = tx.query(TEAMS_OF_USER, args![user], team).await?;
        if teams.is_empty() { all.push(Participant::Person(user)) } else { all.extend(teams) }
    }
    Ok(all)
}

/// Tells all for whom a message is that it was sent; not whoever sent it. It is in the records of those.
pub(crate) async fn tell(
    tx: &mut Tx<'_>,
    ids: &Ids,
    content: &Preparation,
    (source, of): (Source, &[PatientId]),
    now: Moment,
) -> Result<()> {
    let Some(about) = of.first().copied() else { return Ok(()) };
    let by = tx.notebook().author().and_then(|author| author.user);
    let named = |patient: &PatientId| {
        let id = of.iter().position(|one| one == patient).and_then(|at| content.patients.get(at));
        let mut named = content.audience.participants.iter();
        named.any(|(kind, named)| *kind == ResourceType::Patient && Some(named) == id)
    };
    let told = of.iter().copied().filter(named).filter(|patient| source != Source::Patient(*patient));
    let mut recipients: Vec<Recipient> = told.map(Recipient::Patient).collect();
    for participant in viewers(tx, &content.audience).await? {
        match participant {
            Participant::Team(team) if !matches!(source, Source::Team(own, _) if own == team) => {
                recipients.push(Recipient::Team(team));
            }
            Participant::Person(user) if source != Source::Person(user) => recipients.push(Recipient::User(user)),
            _ => {}
        }
    }
    // Neither the dead nor their carers are told of anything.
    if patients::load_state(tx, about).await?.is_some_and(|state| state.deceased) {
        recipients.retain(|recipient| matches!(recipient, Recipient::Team(_)));
    }
    let team = match source {
        Source::Team(team, _) => Some(team),
        _ => None,
    };
    let mut done: Vec<Recipient> = Vec::new();
    for recipient in recipients {
        if done.contains(&recipient) {
            continue;
        }
        done.push(recipient);
        let (kind, text) = (NoticeKind::Message, notice::OF_MESSAGE.to_owned());
        let notice = NewNotice { kind, recipient, patient: about, text, by: (by, team), reason: None };
        notices::add(tx, ids, &notice, now).await?;
    }
    Ok(())
}

/// The number of whoever takes part, as rows have it.
const fn number(participant: Participant) -> i64 {
    match participant {
        Participant::Patient(PatientId(number))
        | Participant::Person(UserId(number))
        | Participant::Team(TeamId(number)) => number,
    }
}
