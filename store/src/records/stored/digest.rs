//! The hashes beside a stored resource: of its content, which goes into the past with it, and of its standing, the labels
//! and the source by which it is seen. They tell a bit that changed on disk, not somebody who changes both.

use crate::error::{Error, Result};
use crate::sql::row::Row;
use fhir::types;
use rules::ids::{OrganisationId, PatientId, RowId, TeamId, UserId};
use rules::reach::Source;
use sha2::{Digest, Sha256};

/// As much of a SHA-256 as chance will never hit.
const BYTES: usize = 16;

pub(crate) type StoredHash = [u8; BYTES];

/// What a resource or a version of it holds.
#[derive(Clone, Copy)]
pub(crate) struct ContentRow<'a> {
    pub row: RowId,
    pub type_number: i64,
    pub fhir_id: &'a str,
    pub version: i64,
    pub updated_at: i64,
    /// The patient that its own row names, and how many there are.
    pub patient: Option<PatientId>,
    pub patients: i64,
    /// Nothing, where the version says that the resource was deleted.
    pub body: &'a str,
    pub is_deleted: bool,
}

/// How a resource is seen.
#[derive(Clone, Copy)]
pub(crate) struct StandingRow {
    pub row: RowId,
    pub needs: i64,
    pub source: Source,
    /// Whether the patient chose the label.
    pub is_label_chosen: bool,
}

/// Of each value its length or its presence, and itself, so that no two rows read alike.
struct Hasher(Sha256);

impl Hasher {
    fn number(mut self, value: i64) -> Self {
        self.0.update(value.to_be_bytes());
        self
    }

    fn number_if_any(self, value: Option<i64>) -> Self {
        self.number(i64::from(value.is_some())).number(value.unwrap_or_default())
    }

    fn text(mut self, value: &str) -> Self {
        self.0.update(u64::try_from(value.len()).unwrap_or(u64::MAX).to_be_bytes());
        self.0.update(value);
        self
    }

    fn hash(self) -> StoredHash {
        let whole: [u8; 32] = self.0.finalize().into();
        let mut start = [0; BYTES];
        start.iter_mut().zip(whole).for_each(|(to, from)| *to = from);
        start
    }
}

impl ContentRow<'_> {
    pub(crate) fn hash(&self) -> StoredHash {
        let whole = Hasher(Sha256::new())
            .number(self.row.0)
            .number(self.type_number)
            .text(self.fhir_id)
            .number(self.version)
            .number(self.updated_at)
            .number_if_any(self.patient.map(|patient| patient.0))
            .number(self.patients)
            .text(self.body);
        // Only where it is so: the hashes of all that was stored before there were deletions stay what they are.
        if self.is_deleted { whole.number(1).hash() } else { whole.hash() }
    }
}

impl StandingRow {
    pub(crate) fn hash(&self) -> StoredHash {
        let (organisation, team, user, patient) = source_columns(self.source);
        let whole = Hasher(Sha256::new())
            .number(self.row.0)
            .number(self.needs)
            .number_if_any(organisation.map(|id| id.0))
            .number_if_any(team.map(|id| id.0))
            .number_if_any(user.map(|id| id.0))
            .number_if_any(patient.map(|id| id.0));
        // Only where it is so: the hashes of all that was stored before patients chose labels stay what they are.
        if self.is_label_chosen { whole.number(1).hash() } else { whole.hash() }
    }
}

/// Whether the hash in a column is this one. A resource that waits to be read anew has none yet.
pub(crate) fn agrees(row: &dyn Row, at: usize, hash: StoredHash, is_new: bool) -> Result<bool> {
    Ok(row.opt_bytes(at)?.map_or(is_new, |stored| stored == hash))
}

/// What is said of a version that is not what was written.
pub(crate) fn damaged(type_number: i64, fhir_id: &str, version: i64) -> Error {
    Error::Damaged(format!("version {version} of {}", name(type_number, fhir_id)))
}

/// A resource as trouble names it, also where its type is none.
pub(crate) fn name(type_number: i64, fhir_id: &str) -> String {
    match types::numbered(type_number) {
        Some(resource_type) => format!("{}/{fhir_id}", resource_type.name()),
        None => format!("(type {type_number})/{fhir_id}"),
    }
}

/// A source as its four columns have it.
pub(crate) const fn source_columns(
    source: Source,
) -> (Option<OrganisationId>, Option<TeamId>, Option<UserId>, Option<PatientId>) {
    match source {
        Source::Patient(patient) => (None, None, None, Some(patient)),
        Source::Person(user) => (None, None, Some(user), None),
        Source::Team(team, organisation) => (Some(organisation), Some(team), None, None),
        Source::Organisation(organisation) => (Some(organisation), None, None, None),
    }
}
