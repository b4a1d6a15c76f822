//! Who writes to whom in a record, and its conversations, in the words of a page.

use super::sharing_words;
use crate::app::App;
use crate::callers::caller::Caller;
use crate::formats::zone::Zone;
use crate::http::encoding;
use crate::interactions::consents::given;
use crate::interactions::items::record::ItemRecord;
use crate::views::record::{ConversationRow, DateText};
use crate::voices::page::PageStop;
use views::elements::party::{Party, PartyType};
use views::kinds::consent::{ActorType, ConsentStanding, ConsentView};
use views::kinds::conversation::Conversation;

/// Where the conversations of a patient are.
pub(super) const PATH: &str = "/record/messages";

/// Those to whom a record is open, or was, as messages name them.
#[derive(Debug)]
pub(super) struct Correspondents<'r> {
    record: &'r ItemRecord,
    /// Each with whether anything is open to them.
    known: Vec<(Party, bool)>,
}

impl<'r> Correspondents<'r> {
    pub(super) async fn of(app: &App, caller: &Caller, record: &'r ItemRecord) -> Result<Self, PageStop> {
        let consents = given::of_record(app, caller, record, None).await?;
        let known = consents.iter().filter_map(|consent| Some((party(consent)?, is_open(consent))));
        Ok(Self { record, known: known.collect() })
    }

    /// To whom a conversation can be begun.
    pub(super) fn open(&self) -> impl Iterator<Item = &Party> {
        self.known.iter().filter(|(_, is_open)| *is_open).map(|(party, _)| party)
    }

    pub(super) fn is_reader(&self, party: &Party) -> bool {
        party.party_type == PartyType::Patient && party.id == self.record.patient
    }

    /// The same with the name that is known.
    pub(super) fn named(&self, party: &Party) -> Party {
        let known = || self.known.iter().find(|(known, _)| known.is(party)).and_then(|(known, _)| known.name.clone());
        Party { name: party.name.clone().or_else(known), ..party.clone() }
    }

    fn name(&self, party: &Party) -> String {
        let otherwise = match party.party_type {
            _ if self.is_reader(party) => return "you".into(),
            PartyType::Patient => "the patient",
            PartyType::Professional => "a professional",
            PartyType::Carer => "a carer",
            PartyType::Team => "a team",
        };
        self.named(party).name.unwrap_or_else(|| otherwise.into())
    }

    /// Some of them in a sentence; the reader among them is `you`.
    pub(super) fn names<'p>(&self, parties: impl Iterator<Item = &'p Party>) -> String {
        let names: Vec<String> = parties.map(|party| self.name(party)).collect();
        match names.as_slice() {
            [] => "nobody that we know".into(),
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            [only, ..] => only.clone(),
        }
    }

    /// A conversation as a line of a list.
    pub(super) fn row(&self, one: &Conversation, zone: &Zone) -> ConversationRow {
        let others = one.participants.iter().filter(|party| !self.is_reader(party));
        ConversationRow {
            href: path(&one.conversation_id),
            subject: subject(one.subject.as_deref()),
            with: self.names(others),
            newest: one.newest.clone().map(|newest| DateText::new(newest.0, zone)),
            unread: one.unread,
        }
    }
}

/// Where a conversation is; FHIR lets its id be any text.
pub(super) fn path(id: &str) -> String {
    format!("{PATH}/{}", encoding::segment(id))
}

/// What a conversation is about.
pub(super) fn subject(said: Option<&str>) -> String {
    said.filter(|said| !said.trim().is_empty()).unwrap_or("Without a subject").to_owned()
}

/// To whom a consent is given, as messages name them: a carer by the consent.
fn party(consent: &ConsentView) -> Option<Party> {
    let (party_type, id) = match consent.actor_type {
        ActorType::Team => (PartyType::Team, consent.actor_id.clone()?),
        ActorType::Professional => (PartyType::Professional, consent.actor_id.clone()?),
        ActorType::Carer => (PartyType::Carer, consent.id.0.clone()),
    };
    Some(Party { party_type, id, name: consent.actor_name.0.clone() })
}

fn is_open(consent: &ConsentView) -> bool {
    consent.state.0 == Some(ConsentStanding::Active) && !sharing_words::granted(consent).is_empty()
}
