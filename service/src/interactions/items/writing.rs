//! Writing items, all that one request has or none: each is prepared and permitted as a write of FHIR is, and they are stored in one
//! transaction.

use super::background::{ItemBackground, ItemVersion};
use super::kind::{Attaching, ItemKind};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::interactions::write::authority::BundleContext;
use crate::interactions::write::{execution, request, submission};
use crate::preparation::base;
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use fhir::json::{self, Node};
use fhir::types::{self, ResourceType};
use rules::answers::Refusal;
use rules::consent::label_right::NOT_HELD;
use rules::consent::record::Grantee;
use rules::ids::RowId;
use rules::moment::Moment;
use rules::reach::Source;
use rules::rest_errors::RestError;
use std::sync::Arc;
use store::WriteMark;
use store::organisations;
use store::people;
use store::reach::circle;
use store::stored::resource::Resource;
use store::write::precondition::Precondition;
use store::write::resource_write::{Demand, NewResource, Stored};
use store::write::transaction::{Act, Effect, Hindrance, Plan, PlanOutcome};
use views::elements::attachment::StoredAttachment;
use views::elements::party::{Party, PartyType};
use views::facts::{Facts, WriteFacts};
use views::view::Shown;

/// One item on its way into the store.
#[derive(Debug)]
pub(crate) struct ItemWrite {
    pub resource: Node<'static>,
    /// What it is the next version of.
    pub before: Option<Arc<Resource>>,
    /// What is new with it and of its source: Binaries, and the documents that hold what is attached to it.
    pub beside: Vec<BesideItem>,
}

/// What is stored beside an item.
#[derive(Debug)]
pub(crate) enum BesideItem {
    Content(Box<NewResource>),
    /// A document of this id.
    Document(String, Node<'static>),
}

impl BesideItem {
    fn name(&self) -> (ResourceType, String) {
        match self {
            Self::Content(new) => (new.content.resource_type, new.content.id.clone()),
            Self::Document(id, _) => (ResourceType::DocumentReference, id.clone()),
        }
    }
}

/// An item that was written.
#[derive(Debug)]
pub(crate) struct WrittenItem<K> {
    pub is_new: bool,
    pub shown: Shown<K>,
}

/// What became of a write.
pub(crate) enum Written<K> {
    Done(Vec<WrittenItem<K>>),
    /// Others changed what it rests on; it is to be made anew on what is there now.
    Moved,
    /// Others have made this version meanwhile.
    OtherVersion(i64),
}

/// What is known of every write of a request.
#[derive(Debug)]
pub(crate) struct WriteSetting {
    pub base: String,
    now: Moment,
    now_text: String,
    author: Option<Party>,
    /// What is known of the attachments that are named.
    pub attachments: Vec<StoredAttachment>,
}

impl WriteSetting {
    pub async fn of(app: &App, caller: &Caller) -> Result<Self, ApiStop> {
        let (now, base) = (caller.now(), base(&app.settings.base_url));
        let (now_text, author) = (when::rfc3339(now), author(app, caller).await?);
        Ok(Self { base, now, now_text, author, attachments: Vec::new() })
    }

    /// The same of an item of which this is shown.
    pub fn facts<'f>(&'f self, shown: Facts<'f>) -> WriteFacts<'f> {
        WriteFacts {
            base: &self.base,
            patient_id: shown.patient_id,
            now: self.now,
            now_text: &self.now_text,
            author: self.author.clone(),
            attachments: &self.attachments,
            shown,
        }
    }
}

/// Who writes: the patient, the carer, the professional without a team, or the team, where it is one.
async fn author(app: &App, caller: &Caller) -> Result<Option<Party>, ApiStop> {
    let reach = caller.reach();
    if let (Some(_), Some(id)) = (reach.own(), caller.patient()) {
        return Ok(Some(Party { party_type: PartyType::Patient, id: id.to_owned(), name: None }));
    }
    if let Some(person) = reach.person() {
        let found = people::numbered(&app.store, person).await.during("looking a user up")?;
        let name = found.map(|user| user.name);
        let Some(patient) = reach.record() else {
            return Ok(Some(Party { party_type: PartyType::Professional, id: person.0.to_string(), name }));
        };
        let circle = circle::of(&app.store, patient).await.during("looking at who sees a patient")?;
        let as_carer = circle.consents.iter().find(|one| one.consent().grantee == Grantee::Carer(person));
        let id = as_carer.map(|one| one.consent().id.to_string());
        return Ok(id.map(|id| Party { party_type: PartyType::Carer, id, name }));
    }
    let [only] = caller.reach().teams() else { return Ok(None) };
    let team = organisations::team(&app.store, *only).await.during("looking a team up")?;
    Ok(team.map(|team| Party { party_type: PartyType::Team, id: team.public_id, name: Some(team.name) }))
}

/// Writes items in one transaction, if what was looked for before, `since`, is still found.
pub(crate) async fn write<K: ItemKind>(
    app: &App,
    caller: &Caller,
    writes: Vec<ItemWrite>,
    (preconditions, since): (Vec<Precondition>, Option<WriteMark>),
    background: &mut ItemBackground,
) -> Result<Written<K>, ApiStop> {
    let (mut acts, mut company) = (Vec::new(), BundleContext::default());
    let mut held = app.prepared.claim(caller.taker());
    let mut before: Vec<(Source, Option<RowId>)> = Vec::new();
    company.made.extend(writes.iter().flat_map(|write| write.beside.iter().map(BesideItem::name)));
    let mut with_them = Vec::new();
    for write in writes {
        let act = act::<K>(app, caller, &write, &mut company).await?;
        held.grow(act.held_bytes())?;
        if let Act::Put { source, .. } = &act {
            let source = *source;
            background.learn_source(app, source).await?;
            before.push((source, write.before.as_ref().map(|before| before.row)));
            for beside in write.beside {
                let act = act_beside(app, caller, (beside, source), &mut company).await?;
                held.grow(act.held_bytes())?;
                with_them.push(act);
            }
        }
        acts.push(act);
    }
    // Behind the items, in whose order is answered.
    acts.extend(with_them);
    let preconditions = preconditions.into_iter().chain(company.preconditions).collect();
    match execution::make(app, caller, Plan { preconditions, since, acts }).await? {
        PlanOutcome::Done(effects) => {
            let stored: Vec<Stored> = effects.into_iter().filter_map(stored).take(before.len()).collect();
            if K::ATTACHING == Attaching::Documents {
                let bodies: Vec<&str> = stored.iter().map(|one| one.body.as_str()).collect();
                background.learn_named::<K>(app, caller, &bodies).await?;
            }
            shown(&stored, before, background).map(Written::Done)
        }
        PlanOutcome::Moved => Ok(Written::Moved),
        PlanOutcome::TooLarge => Err(request::too_large().into()),
        PlanOutcome::Stopped(_, Hindrance::OtherVersion(version)) => Ok(Written::OtherVersion(version)),
        PlanOutcome::Stopped(_, Hindrance::Sent) => Err(RestError::message_was_sent().into()),
        PlanOutcome::Stopped(_, Hindrance::LabelNotHeld) => Err(Refusal::Denied(NOT_HELD).into()),
        PlanOutcome::Stopped(_, Hindrance::NotThere | Hindrance::OtherSource) => {
            Err(RestError::NotFound(K::KIND).into())
        }
    }
}

/// What is stored beside an item of this source.
async fn act_beside(
    app: &App,
    caller: &Caller,
    (beside, source): (BesideItem, Source),
    company: &mut BundleContext,
) -> Result<Act, ApiStop> {
    let new = match beside {
        BesideItem::Content(new) => *new,
        BesideItem::Document(id, document) => {
            let text: Arc<str> = json::print(&document).into();
            submission::prepare((app, caller), text, ResourceType::DocumentReference, (&id, false)).await?
        }
    };
    execution::put(app, caller, new, (Some(source), Demand::Nothing), company).await
}

async fn act<K: ItemKind>(
    app: &App,
    caller: &Caller,
    write: &ItemWrite,
    company: &mut BundleContext,
) -> Result<Act, ApiStop> {
    let named = write.resource.get("resourceType").and_then(Node::text).and_then(types::named);
    let of: ResourceType = named.or_else(|| K::TYPES.first().copied()).ok_or(Refusal::Trouble)?;
    let text: Arc<str> = json::print(&write.resource).into();
    let (new, source, demand) = match &write.before {
        Some(before) => {
            let new = submission::prepare((app, caller), text, of, (&before.id, true)).await?;
            (new, Some(before.source), Demand::Version(before.version))
        }
        None => {
            let id = dice::resource_id(caller.now())?;
            (submission::prepare((app, caller), text, of, (&id, false)).await?, None, Demand::Nothing)
        }
    };
    execution::put(app, caller, new, (source, demand), company).await
}

/// What was stored, as its writer is shown it.
fn shown<K: ItemKind>(
    stored: &[Stored],
    before: Vec<(Source, Option<RowId>)>,
    background: &ItemBackground,
) -> Result<Vec<WrittenItem<K>>, ApiStop> {
    stored.iter().zip(before).map(|(stored, (source, row))| one(stored, (source, row), background)).collect()
}

fn stored(effect: Effect) -> Option<Stored> {
    match effect {
        Effect::Stored(stored) => Some(stored),
        Effect::Deleted(_) => None,
    }
}

fn one<K: ItemKind>(
    stored: &Stored,
    (source, row): (Source, Option<RowId>),
    background: &ItemBackground,
) -> Result<WrittenItem<K>, ApiStop> {
    let of = ItemVersion { row, source, version: stored.version, updated_at: stored.updated_at, body: &stored.body };
    let shown = background.show(of).ok_or(RestError::NotFound(K::KIND))?;
    Ok(WrittenItem { is_new: stored.is_new, shown })
}
