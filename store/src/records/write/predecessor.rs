//! What is there before a write: locked, held to what the writer demands, and kept as a past version.

use crate::engine::Tx;
use crate::error::Result;
use crate::records::stored::{packing, resource};
use crate::sql::arg::{Arg, args};
use crate::sql::row::Row;
use crate::sql::rows;
use crate::sql::statement::{Statement, statements};
use crate::store::Store;
use fhir::audience;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::consent::label_right::StoredLabel;
use rules::ids::{PatientId, RowId};
use rules::labels::{Label, Needs};
use rules::moment::Moment;
use rules::reach::Source;
use std::collections::HashMap;

/// The version of what is new.
pub(crate) const FIRST: i64 = 1;

/// What must be there for a write to be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Demand {
    #[default]
    Nothing,
    /// Any version, as long as the resource is there.
    Present,
    Version(i64),
}

impl Demand {
    /// Whether a resource of this version will do; `None` where there is none, or where it is deleted.
    pub(crate) fn is_met(self, version: Option<i64>) -> bool {
        match self {
            Self::Nothing => true,
            Self::Present => version.is_some(),
            Self::Version(demanded) => version == Some(demanded),
        }
    }
}

statements! {
    BEFORE = "SELECT r.id, r.version, r.updated_at, r.body, r.deleted_at, r.source_organisation_id, r.source_team_id,
            r.source_user_id, r.source_patient_id, r.patient_id, r.patients, r.needs, r.type, r.label_chosen
        FROM resources r WHERE r.type = $1 AND r.fhir_id = $2";
    /// In whose records a version is that is in several.
    SEVERAL = "SELECT patient_id FROM compartments WHERE resource_id = $1 AND version = $2 ORDER BY patient_id";
    /// Those of many that are there. Nothing is decided on this: it only tells for whom nobody need ask.
    THERE = "SELECT r.type, r.fhir_id, r.version, r.id, r.deleted_at FROM json_each($1, '$') v
        JOIN resources r ON r.type = CAST(v.value ->> 0 AS BIGINT) AND r.fhir_id = v.value ->> 1";
    /// What is about to be replaced goes into the past, with its hash: one that was damaged stays known as such.
    KEEP_VERSION = "INSERT INTO versions (resource_id, version, updated_at, patient_id, patients, body, content_hash,
            deleted_at, type, draft)
        SELECT r.id, r.version, r.updated_at, r.patient_id, r.patients, r.body, r.content_hash, r.deleted_at, r.type,
            CASE WHEN r.needs >= 0 AND (r.needs & 32) <> 0 THEN 1 ELSE 0 END
        FROM resources r WHERE r.id = $1";
}

/// The bit of a draft, as the statement has it.
const _: () = assert!(Needs::DRAFT_BIT == 32, "KEEP_VERSION names it");

/// Those of them that load a row in order to decide about it.
pub(crate) const LOCKING: &[Statement<'static>] = &[BEFORE];

/// What is there before a write, locked until the transaction has ended.
pub(crate) struct Before {
    pub row: RowId,
    pub version: i64,
    pub updated_at: Moment,
    pub body: String,
    pub is_deleted: bool,
    pub source: Source,
    /// The patient in whose record it is, the first of several, and how many they are.
    pub patient: Option<PatientId>,
    pub patients: i64,
    pub needs: Needs,
    /// Whether the patient chose its label.
    pub is_label_chosen: bool,
    is_message: bool,
}

impl Before {
    pub(crate) fn label(&self) -> StoredLabel {
        StoredLabel { label: Label::of_needs(self.needs), is_patients_choice: self.is_label_chosen }
    }

    /// Whether it is a message that was sent: that stays as it is, but for its labels.
    pub(crate) fn was_sent(&self) -> bool {
        self.is_message && !self.is_deleted && !self.needs.is_draft()
    }

    /// Whether this would say something else in the place of a message that was sent.
    pub(crate) fn is_unsaid_by(&self, new: &Preparation) -> bool {
        self.was_sent() && !audience::differ_in_meta_alone(&self.body, &new.body.joined(self.version, "", ""))
    }

    /// The version that a demand of a deletion is held to.
    pub(crate) fn live(&self) -> Option<i64> {
        (!self.is_deleted).then_some(self.version)
    }

    /// Whether the next version may be stored upon this demand. Who names the version by which it was deleted knows that it
    /// was, and stores it again.
    pub(crate) fn meets(&self, demand: Demand) -> bool {
        match demand {
            Demand::Version(demanded) => demanded == self.version,
            Demand::Nothing | Demand::Present => demand.is_met(self.live()),
        }
    }
}

pub(crate) async fn before(tx: &mut Tx<'_>, type_number: i64, fhir_id: &str) -> Result<Option<Before>> {
    let before = |row: &dyn Row| {
        Ok(Before {
            row: row.id(0)?,
            version: row.int(1)?,
            updated_at: Moment(row.int(2)?),
            body: packing::unpack(row.text(3)?),
            is_deleted: row.opt_int(4)?.is_some(),
            source: resource::source(row, 5)?,
            patient: row.opt_id(9)?,
            patients: row.int(10)?,
            needs: Needs(row.int(11)?),
            is_message: row.int(12)? == ResourceType::Communication.number(),
            is_label_chosen: row.flag(13)?,
        })
    };
    tx.lock_one(BEFORE, args![type_number, fhir_id], before).await
}

/// All patients in whose records it is.
pub(crate) async fn patients(tx: &mut Tx<'_>, before: &Before) -> Result<Vec<PatientId>> {
    match before.patients {
        0 | 1 => Ok(before.patient.into_iter().collect()),
        _ => tx.query(SEVERAL, args![before.row, before.version], |row| row.id(0)).await,
    }
}

/// A resource that is there, by its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoredId {
    pub row: RowId,
    pub version: i64,
    pub is_deleted: bool,
}

/// Where many resources come together: which of them are there, and in which version. For the others nobody need ask one by one.
#[derive(Clone, Debug)]
pub(crate) struct StoredIds(Option<HashMap<(i64, String), StoredId>>);

impl StoredIds {
    /// Each is asked for by itself.
    pub(crate) const UNKNOWN: Self = Self(None);

    pub(crate) async fn of(tx: &mut Tx<'_>, contents: &[&Preparation]) -> Result<Self> {
        let mut there = HashMap::new();
        for list in name_lists(contents)? {
            there.extend(tx.query(THERE, args![&list], found).await?);
        }
        Ok(Self(Some(there)))
    }

    /// The same before a transaction.
    pub(crate) async fn read(store: &Store, contents: &[&Preparation]) -> Result<Self> {
        let mut there = HashMap::new();
        for list in name_lists(contents)? {
            there.extend(store.db.page(THERE, args![&list], found).await?);
        }
        Ok(Self(Some(there)))
    }

    /// Whether it may be there. Of a Binary nobody knows: a document that it was sent with did not name it.
    pub(crate) fn may_hold(&self, content: &Preparation) -> bool {
        content.resource_type == ResourceType::Binary
            || self.0.as_ref().is_none_or(|there| there.contains_key(&name(content)))
    }

    /// What is there of it, as far as is known.
    pub(crate) fn get(&self, content: &Preparation) -> Option<StoredId> {
        self.0.as_ref().and_then(|there| there.get(&name(content))).copied()
    }

    pub(crate) const fn is_known(&self) -> bool {
        self.0.is_some()
    }

    /// Notes that it is there now.
    pub(crate) fn add(&mut self, content: &Preparation, stored: StoredId) {
        if let Some(there) = &mut self.0 {
            there.insert(name(content), stored);
        }
    }
}

fn name(content: &Preparation) -> (i64, String) {
    (content.resource_type.number(), content.id.clone())
}

fn found(row: &dyn Row) -> Result<((i64, String), StoredId)> {
    let stored = StoredId { row: row.id(3)?, version: row.int(2)?, is_deleted: row.opt_int(4)?.is_some() };
    Ok(((row.int(0)?, row.text(1)?), stored))
}

/// The names of resources as lists to ask with.
fn name_lists(contents: &[&Preparation]) -> Result<Vec<String>> {
    let names: Vec<Vec<Arg<'_>>> =
        contents.iter().map(|content| args![content.resource_type.number(), &content.id].to_vec()).collect();
    rows::lists(&names)
}

/// Has what is about to be replaced become a past version.
pub(crate) async fn keep_version(tx: &mut Tx<'_>, row: RowId) -> Result<()> {
    tx.touch(|touched| touched.rows.push(row));
    tx.post(KEEP_VERSION, args![row]).await
}
