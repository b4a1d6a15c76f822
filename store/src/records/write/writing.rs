//! Resources of one source on their way into the database: each with its past, its index rows, its line of the ledger and what follows
//! for who sees it.

use super::audience;
use super::delay::DelayStep;
use super::draft::{Draft, Drafts};
use super::label::{self, Labelled};
use super::ledger_lines::{self, ResourceVersion};
use super::left_rows::SMALL_BODY;
use super::new_resource::{LabelWish, NewResource};
use super::outcome::{Outcome, Stored};
use super::predecessor::{self, Before, Demand, FIRST, StoredId, StoredIds, before, keep_version};
use super::staging;
use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::Event;
use crate::records::documents::contents;
use crate::records::index::index_rows::IndexSheet;
use crate::records::index::{index_rows, own_parameters, placement, tokens};
use crate::records::reach::sight;
use crate::records::read::reference;
use crate::records::stored::digest::{ContentRow, StandingRow};
use crate::records::stored::{origin, packing, resource_row};
use crate::version_clock::VersionMoment;
use fhir::pieces;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::calendar;
use rules::ids::{PatientId, RowId};
use rules::labels::{self, Needs};
use rules::reach::Source;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// How the index rows of what is there are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replacing {
    /// All anew, where nobody knows what differs.
    Whole,
    /// The same, but for large resources: what differs is to be found out first.
    WholeIfSmall,
}

/// The resources of one source on their way into the database.
pub(crate) struct Writing<'t, 'e> {
    tx: &'t mut Tx<'e>,
    ids: &'t Ids,
    source: Source,
    /// The source, as `meta.source` says it.
    origin: Arc<str>,
    moment: VersionMoment<'t>,
    /// The time of day as FHIR writes it, by which the drafts were written.
    updated: &'t str,
    /// The patients about whom something was stored.
    about: BTreeSet<PatientId>,
    /// The numbers of those who were named before: most resources that come together are about one patient.
    numbers: HashMap<String, PatientId>,
    drafts: &'t Drafts,
    replacing: Replacing,
    index: IndexSheet,
    there: StoredIds,
}

impl<'t, 'e> Writing<'t, 'e> {
    pub(crate) async fn of(
        tx: &'t mut Tx<'e>,
        ids: &'t Ids,
        source: Source,
        (moment, updated): (VersionMoment<'t>, &'t str),
        (origin, drafts, replacing): (Option<Arc<str>>, &'t Drafts, Replacing),
    ) -> Result<Self> {
        let origin = match origin {
            Some(origin) => origin,
            None => origin::uri(tx, source).await?.into(),
        };
        let (about, numbers, index) = (BTreeSet::new(), HashMap::new(), IndexSheet::of(tx).await?);
        let there = StoredIds::UNKNOWN;
        Ok(Self { tx, ids, source, origin, moment, updated, about, numbers, drafts, replacing, index, there })
    }

    /// The same, knowing which of the resources are there.
    pub(crate) fn among(self, there: StoredIds) -> Self {
        Self { there, ..self }
    }

    /// Stores a resource with the Binaries that it was sent with, or nothing of it. If there is a draft, it is of this resource.
    pub(crate) async fn put_whole(
        &mut self,
        new: &NewResource,
        demand: Demand,
        draft: Option<&Draft>,
    ) -> Result<Stored> {
        let attachments = &new.content.attachments;
        if !attachments.is_empty() {
            let before = self.before(&new.content).await?;
            if let Some(obstacle) = self.obstacle(before.as_ref(), (&new.content, new.label), demand) {
                return Ok(self.refused(obstacle, &new.content, before));
            }
        }
        if let Some(obstacle) = self.put_attachments(attachments).await? {
            return Ok(obstacle);
        }
        let before = self.before(&new.content).await?;
        if let Some(obstacle) = self.obstacle(before.as_ref(), (&new.content, new.label), demand) {
            return Ok(self.refused(obstacle, &new.content, before));
        }
        let labelled = Labelled::over(new, before.as_ref())?;
        // A draft was written with the label that it gets as something new.
        let draft = draft.filter(|draft| draft.staged.is_some() || matches!(labelled.content, Cow::Borrowed(_)));
        self.put(labelled, before, draft).await
    }

    async fn before(&mut self, content: &Preparation) -> Result<Option<Before>> {
        if !self.there.may_hold(content) {
            return Ok(None);
        }
        before(self.tx, content.resource_type.number(), &content.id).await
    }

    /// Why what is there must not be replaced.
    fn obstacle(
        &self,
        before: Option<&Before>,
        (content, wish): (&Preparation, Option<LabelWish>),
        demand: Demand,
    ) -> Option<Outcome> {
        if before.is_some_and(|before| !before.source.is(&self.source)) {
            return Some(Outcome::OtherSource);
        }
        let is_met = before.map_or_else(|| demand.is_met(None), |before| before.meets(demand));
        if !is_met {
            return Some(Outcome::OtherVersion);
        }
        if before.is_some_and(|before| before.is_unsaid_by(content)) {
            return Some(Outcome::Sent);
        }
        (!label::may_be_set(wish, before)).then_some(Outcome::LabelNotHeld)
    }

    /// What is told of a write that was not made.
    fn refused(&self, outcome: Outcome, content: &Preparation, before: Option<Before>) -> Stored {
        let (version, updated_at, body) = match before {
            Some(Before { version, updated_at, body, .. }) => (version, updated_at, shown(content, body)),
            None => (0, self.moment.at, String::new()),
        };
        Stored { outcome, version, updated_at, is_new: false, body }
    }

    /// Stores the Binaries that a document was sent with. One that another source has already stands in its way.
    async fn put_attachments(&mut self, attachments: &[Preparation]) -> Result<Option<Stored>> {
        for content in attachments {
            let needs = labels::needs(content.resource_type.name(), std::iter::empty()).unwrap_or(Needs::ALL);
            let before = self.before(content).await?;
            if let Some(obstacle) = self.obstacle(before.as_ref(), (content, None), Demand::Nothing) {
                return Ok(Some(self.refused(obstacle, content, before)));
            }
            self.put(Labelled::as_prepared(content, needs), before, None).await?;
        }
        Ok(None)
    }

    async fn put(&mut self, labelled: Labelled<'_>, before: Option<Before>, draft: Option<&Draft>) -> Result<Stored> {
        let Labelled { needs, is_chosen: is_label_chosen, changed: label_change, is_alone, .. } = labelled;
        let (content, is_release) = (&*labelled.content, labelled.is_release);
        let made_by = before.as_ref().map_or(self.source, |before| before.source);
        let rests_on = (before.as_ref(), is_release);
        let delay = DelayStep::of(self.tx, content, made_by, rests_on, self.moment.wall).await?;
        let needs = needs.of_held_back(delay.holds_item_back());
        let is_new = before.as_ref().is_none_or(|before| before.is_deleted);
        let was_draft = before.as_ref().map(|before| !before.is_deleted && before.needs.is_draft());
        let moment = self.moment.after(before.as_ref().map(|before| before.updated_at));
        let (staged, mut former) = (draft.and_then(|draft| draft.staged), Vec::new());
        // Whether its index rows, and whether its tokens, are as they are to be.
        let (mut is_found, mut has_tokens) = (staged.is_some(), staged.is_some());
        // A row keeps the source that it came from: a team may belong to another organisation by now.
        let (id, version, source): (RowId, i64, Source) = match before {
            None => (staged.unwrap_or_else(|| RowId(self.ids.next(moment))), FIRST, self.source),
            Some(_) if staged.is_some() => return Err(staging::moved()),
            Some(before)
                if !is_release && before.is_label_chosen == is_label_chosen && content.body.is_of(&before.body) =>
            {
                return Ok(self.refused(Outcome::Unchanged, content, Some(before)));
            }
            Some(before) => {
                former = predecessor::patients(self.tx, &before).await?;
                keep_version(self.tx, before.row).await?;
                let foreseen = draft.and_then(|draft| draft.change.as_ref());
                match foreseen.filter(|foreseen| foreseen.fits(&before)) {
                    Some(foreseen) => {
                        foreseen.change.make(self.tx, &mut self.index)?;
                        (is_found, has_tokens) = (true, !foreseen.has_other_tokens);
                    }
                    // What was to be changed is not there any more, or is so much that it has to be found out first.
                    None if self.replacing == Replacing::WholeIfSmall
                        && (foreseen.is_some() || before.body.len() > SMALL_BODY) =>
                    {
                        return Err(staging::moved());
                    }
                    None => {
                        // It may be the second of its id in this transaction.
                        self.index.put(self.tx).await?;
                        index_rows::forget(self.tx, before.row).await?;
                    }
                }
                if !has_tokens {
                    tokens::forget(self.tx, before.row).await?;
                }
                (before.row, before.version + 1, before.source)
            }
        };
        let is_on_time = moment == self.moment.wall;
        let draft = draft.filter(|draft| draft.version == version && is_on_time);
        let updated = if is_on_time { Cow::Borrowed(self.updated) } else { Cow::Owned(calendar::instant(moment)) };
        let joined = || content.body.joined(version, &updated, &self.origin);
        let body = draft.map_or_else(joined, |draft| draft.body.clone());
        let mut patients = Vec::with_capacity(content.patients.len());
        for patient in &content.patients {
            patients.push(self.number(patient).await?);
        }
        let row = ContentRow {
            row: id,
            type_number: content.resource_type.number(),
            fhir_id: &content.id,
            version,
            updated_at: moment.0,
            patient: patients.first().copied(),
            patients: placement::count(&patients),
            body: &body,
            is_deleted: false,
        };
        let standing = StandingRow { row: id, needs: needs.0, source, is_label_chosen };
        let packed = draft.map_or_else(|| packing::pack(&body), |draft| Cow::Borrowed(draft.packed()));
        resource_row::put(self.tx, &row, &standing, &packed).await?;
        delay.put(self.tx, self.ids, id, (&patients, source), self.moment.wall).await?;
        if let Some(bytes) = &content.content {
            contents::put(self.tx, self.ids, (id, version), bytes, self.moment.wall).await?;
        }
        self.there.add(content, StoredId { row: id, version, is_deleted: false });
        self.tx.touch(|touched| {
            touched.note_resource(row.type_number, reference(content.resource_type, &content.id));
        });
        placement::put(self.tx, id, version, content, &patients).await?;
        audience::put(self.tx, id, content, source, was_draft).await?;
        let is_sent = content.resource_type == ResourceType::Communication && !content.audience.is_draft;
        if is_sent && (is_new || was_draft == Some(true)) {
            let about = (source, patients.as_slice());
            audience::tell(self.tx, self.ids, content, about, self.moment.wall).await?;
        }
        if content.resource_type == ResourceType::SearchParameter {
            own_parameters::define(self.tx, id, Some(&body)).await?;
            self.index.know_anew(self.tx).await?;
        }
        if !has_tokens {
            tokens::put(self.tx, id, content.resource_type, &content.tokens).await?;
        }
        if !is_found {
            self.index.add(id, (content, &body), &patients, &self.origin);
        }
        self.index.put_if_full(self.tx).await?;
        let (resource_type, id) = (content.resource_type, content.id.as_str());
        // What its author alone sees is no line of anybody's log.
        let told = if content.audience.is_draft { &[] } else { &*patients };
        let written = ResourceVersion { resource_type, id, version, source, patients: told };
        if let Some(labels) = label_change {
            ledger_lines::note_label(self.tx, self.ids, labels, &written, self.moment.wall);
        }
        if !is_alone {
            let event = if is_new { Event::Created } else { Event::Updated };
            ledger_lines::note(self.tx, self.ids, event, &written, self.moment.wall);
        }
        former.retain(|patient| !patients.contains(patient));
        if !former.is_empty() && was_draft != Some(true) {
            let left = ResourceVersion { patients: &former, ..written };
            ledger_lines::note(self.tx, self.ids, Event::TakenOut, &left, self.moment.wall);
        }
        self.about.extend(patients);
        let body = shown(content, body);
        Ok(Stored { outcome: Outcome::Version(version), version, updated_at: moment, is_new, body })
    }

    async fn number(&mut self, patient: &str) -> Result<PatientId> {
        if let Some(number) = self.drafts.known(patient).or_else(|| self.numbers.get(patient).copied()) {
            return Ok(number);
        }
        let reserved = self.drafts.reserved(patient);
        let number = match reserved {
            Some(reserved) => patients::number_as(self.tx, reserved, patient).await?,
            None => patients::number(self.tx, self.ids, patient, self.moment.wall).await?,
        };
        if reserved.is_some_and(|reserved| reserved != number) {
            return Err(staging::moved());
        }
        self.numbers.insert(patient.to_owned(), number);
        Ok(number)
    }

    /// Puts what waited for the others, and notes whom the source has to do with now. In one order for all writers: in the
    /// order of each one's own, two that write about the same patients would wait for each other.
    pub(crate) async fn finish(mut self) -> Result<()> {
        self.index.put(self.tx).await?;
        for patient in self.about {
            sight::made(self.tx, patient, self.source.makers()).await?;
        }
        Ok(())
    }
}

/// A stored body as an answer tells it.
fn shown(content: &Preparation, body: String) -> String {
    match content.resource_type {
        ResourceType::Binary => pieces::apart(&body).0,
        _ => body,
    }
}
