//! A stored resource: what its row says, and the bytes to splice.

use super::digest::{self, ContentRow, StandingRow};
use super::packing;
use crate::cache::{CommitEpoch, Entry, Rows};
use crate::error::{Error, Result};
use crate::sql::row::Row;
use crate::sql::touched::Touched;
use fhir::pieces::{self, Mark};
use fhir::types::{self, ResourceType};
use rules::ids::{OrganisationId, PatientId, RowId, TeamId, UserId, ViewerId};
use rules::labels::{Labels, Needs};
use rules::moment::Moment;
use rules::reach::{self, Item, Reach, Right, RightValidity, Source};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Resource {
    /// Our own number for the row.
    pub row: RowId,
    pub resource_type: ResourceType,
    pub id: String,
    pub version: i64,
    pub updated_at: Moment,
    pub needs: Needs,
    pub source: Source,
    /// The patient whose record it is part of; the first, where it is part of several.
    pub patient: Option<PatientId>,
    /// All of them, where there are several.
    several: Vec<PatientId>,
    /// That of a Binary is without its content; that of a deletion is empty.
    pub body: String,
    /// Whether this version says that the resource was deleted.
    pub is_deleted: bool,
    /// What stands for the content of a Binary that has some.
    pub content: Option<Mark>,
    /// By which right it was seen.
    pub right: Right,
    /// Through whose eyes, where it was through a team's or an organisation's.
    pub viewer: Option<ViewerId>,
    /// The labels of its patient that the caller holds, where that was asked with it.
    pub held: Option<Labels>,
}

impl Resource {
    /// The same as it is seen by another right, perhaps, or through other eyes.
    fn seen_by(self: Arc<Self>, right: Right, viewer: Option<ViewerId>) -> Arc<Self> {
        if (self.right, self.viewer) == (right, viewer) {
            return self;
        }
        Arc::new(Self { right, viewer, ..Self::clone(&self) })
    }

    /// The same as a caller sees it by what it says itself. What only a consent might open is not known from here.
    pub(crate) fn seen_from(self: Arc<Self>, reach: &Reach, now: Moment) -> Option<Arc<Self>> {
        // What waits to be read anew has no labels yet.
        // Nor is it told here who drafted something.
        if self.is_deleted || self.needs.0 < 0 || self.needs.is_draft() {
            return None;
        }
        let item = Item {
            patients: if self.several.is_empty() { self.patient.as_slice() } else { &self.several },
            needs: self.needs,
            source: self.source,
            is_directory: self.resource_type.is_public(),
            draft: None,
            participants: Vec::new(),
            of: self.resource_type.name(),
            // What a query opens is asked of the index.
            codes: Vec::new(),
        };
        // A glass comes after the consent that may be there.
        let is_certain = |right: &Right| right.validity() == RightValidity::WhileUnchanged;
        let right = reach::right(reach, &item, &[], now).filter(is_certain)?;
        let viewer = reach::viewer(reach, &item, &[], now);
        Some(self.seen_by(right, viewer))
    }

    /// The patient whose record it is part of, where it is part of no other's.
    #[must_use]
    pub fn only_patient(&self) -> Option<PatientId> {
        self.patient.filter(|_| self.several.is_empty())
    }

    /// The patients whose record it is part of.
    pub fn patients(&self) -> impl Iterator<Item = PatientId> + '_ {
        self.only_patient().into_iter().chain(self.several.iter().copied())
    }
}

impl Entry for Resource {
    fn weight(&self) -> usize {
        self.body.len() + 512
    }

    /// It rests on its own row alone; to whom it is shown is asked every time.
    fn rests_on(&self, _: &Touched) -> bool {
        false
    }
}

/// The columns of a resource `r` whose version, moment, compartments and body are those of `v`.
pub(crate) fn columns(r: &str, v: &str) -> String {
    columns_of(r, v, r, v)
}

/// The columns of a resource `r` that was found through the document `d`, in whose compartments it is.
pub(crate) fn columns_through(r: &str, d: &str) -> String {
    columns_of(r, r, d, d)
}

/// With the patients of the version `p` of the resource `o`.
fn columns_of(r: &str, v: &str, o: &str, p: &str) -> String {
    format!(
        "{r}.id, {r}.type, {r}.fhir_id, {v}.version, {v}.updated_at, {r}.needs, {r}.source_organisation_id,
            {r}.source_team_id, {r}.source_user_id, {r}.source_patient_id, {p}.patient_id, {v}.body,
            CASE WHEN {p}.patients > 1 THEN (SELECT string_agg(CAST(k.patient_id AS TEXT), ',') FROM compartments k
                WHERE k.resource_id = {o}.id AND k.version = {p}.version) END AS several,
            {v}.patient_id AS own_patient_id, {v}.patients AS own_patients, {v}.content_hash, {r}.standing_hash,
            {v}.deleted_at, {r}.label_chosen"
    )
}

/// Where `columns` has the version, the labels, the columns of the source, and behind all of them the right and whose eyes.
const VERSION: usize = 3;
const NEEDS: usize = 5;
const SOURCE: usize = 6;
const RIGHT: usize = SOURCE + 13;
const EYES: usize = RIGHT + 1;
/// Where what a statement reads besides begins.
pub(crate) const BEHIND: usize = EYES + 1;

/// A row as `resource` reads it. What was read and found whole before is not unpacked and hashed again, as long as the row is
/// of the same version and the same labels: that takes longer than to find it. `epoch` began before the row was read.
pub(crate) fn through(rows: &Rows, epoch: Option<CommitEpoch>, row: &dyn Row) -> Result<Arc<Resource>> {
    let id = row.id(0)?;
    match rows.look::<Resource>(id) {
        Ok(known) if known.version == row.int(VERSION)? && known.needs.0 == row.int(NEEDS)? => {
            return Ok(known.seen_by(right(row)?, viewer(row)?));
        }
        Ok(_) => rows.forget(id),
        Err(_) => {}
    }
    let found = resource(row)?;
    if let Some(epoch) = epoch {
        rows.remember(id, found.clone(), epoch);
    }
    Ok(found)
}

/// A row of `columns`, and behind them the right and whose eyes. A row that is not what was written is trouble, never an answer.
pub(crate) fn resource(row: &dyn Row) -> Result<Arc<Resource>> {
    let type_number = row.int(1)?;
    let mut found = Resource {
        row: row.id(0)?,
        resource_type: types::numbered(type_number)
            .ok_or_else(|| Error::Impossible(format!("a resource of the type {type_number}")))?,
        id: row.text(2)?,
        version: row.int(VERSION)?,
        updated_at: Moment(row.int(4)?),
        needs: Needs(row.int(NEEDS)?),
        source: source(row, SOURCE)?,
        patient: row.opt_id(SOURCE + 4)?,
        body: packing::unpack(row.text(SOURCE + 5)?),
        is_deleted: row.opt_int(SOURCE + 11)?.is_some(),
        content: None,
        several: several(row.opt_text(SOURCE + 6)?.as_deref().unwrap_or_default()),
        right: right(row)?,
        viewer: viewer(row)?,
        held: None,
    };
    let content = ContentRow {
        row: found.row,
        type_number,
        fhir_id: &found.id,
        version: found.version,
        updated_at: found.updated_at.0,
        patient: row.opt_id(SOURCE + 7)?,
        patients: row.int(SOURCE + 8)?,
        body: &found.body,
        is_deleted: found.is_deleted,
    };
    let is_label_chosen = row.flag(SOURCE + 12)?;
    let standing = StandingRow { row: found.row, needs: found.needs.0, source: found.source, is_label_chosen };
    let is_new = found.needs.0 < 0;
    // What waits to be read anew has other labels than those that it was hashed with.
    let agrees = digest::agrees(row, SOURCE + 9, content.hash(), is_new)?
        && (is_new || digest::agrees(row, SOURCE + 10, standing.hash(), false)?);
    if !agrees {
        return Err(digest::damaged(type_number, &found.id, found.version));
    }
    if found.resource_type == ResourceType::Binary {
        (found.body, found.content) = pieces::apart(&found.body);
    }
    Ok(Arc::new(found))
}

/// The same with the labels that the caller holds of its patient, which are behind all.
pub(crate) fn resource_with_held(row: &dyn Row) -> Result<Arc<Resource>> {
    let (mut found, held) = (resource(row)?, row.opt_int(BEHIND)?);
    if let Some(found) = Arc::get_mut(&mut found) {
        found.held = held.map(Labels);
    }
    Ok(found)
}

fn right(row: &dyn Row) -> Result<Right> {
    Right::numbered(row.int(RIGHT)?).ok_or_else(|| Error::Impossible("a right that there is not".into()))
}

/// Through whose eyes, where the right is through somebody's.
fn viewer(row: &dyn Row) -> Result<Option<ViewerId>> {
    if right(row)?.has_eyes() { row.opt_id(EYES) } else { Ok(None) }
}

/// Numbers of patients, with commas between them.
fn several(list: &str) -> Vec<PatientId> {
    list.split(',').filter_map(|number| number.parse().ok()).map(PatientId).collect()
}

/// A source whose four columns begin at `first`.
pub(crate) fn source(row: &dyn Row, first: usize) -> Result<Source> {
    let organisation: Option<OrganisationId> = row.opt_id(first)?;
    let team: Option<TeamId> = row.opt_id(first + 1)?;
    let user: Option<UserId> = row.opt_id(first + 2)?;
    let patient: Option<PatientId> = row.opt_id(first + 3)?;
    match (organisation, team, user, patient) {
        (Some(organisation), Some(team), None, None) => Ok(Source::Team(team, organisation)),
        (Some(organisation), None, None, None) => Ok(Source::Organisation(organisation)),
        (None, None, Some(user), None) => Ok(Source::Person(user)),
        (None, None, None, Some(patient)) => Ok(Source::Patient(patient)),
        _ => Err(Error::Impossible("a resource without a source, or with two".into())),
    }
}
