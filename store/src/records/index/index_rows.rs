//! The rows of the index, by the kind of their values: those of all resources of a transaction are put together, in the order of
//! their table, so that neighbours go to the same pages.

use super::own_rows::OwnIndex;
use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::{Arg, args};
use crate::sql::rows::RowPut;
use crate::sql::statement::{Statement, statements};
use fhir::extraction::further_row::source_row;
use fhir::extraction::index_row::{IndexCells, IndexRow};
use fhir::parameters::table;
use fhir::preparation::Preparation;
use rules::ids::{PatientId, RowId};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Rows that wait on a sheet before they are put, at most: they are held in memory.
const MOST: usize = 8_192;

statements! {
    FORGET_TOKENS = "DELETE FROM index_tokens WHERE resource_id = $1";
    FORGET_TEXTS = "DELETE FROM index_texts WHERE resource_id = $1";
    FORGET_REFERENCES = "DELETE FROM index_references WHERE resource_id = $1";
    FORGET_DATES = "DELETE FROM index_dates WHERE resource_id = $1";
    FORGET_AMOUNTS = "DELETE FROM index_amounts WHERE resource_id = $1";
    FORGET_URIS = "DELETE FROM index_uris WHERE resource_id = $1";
    FORGET_COURSES = "DELETE FROM index_courses WHERE resource_id = $1";
    PUT_TOKEN = "INSERT INTO index_tokens (resource_id, type, parameter, part, code, system)
        VALUES ($1, $2, $3, $4, $5, $6)";
    PUT_TOKENS = "INSERT INTO index_tokens (resource_id, type, parameter, part, code, system)
        SELECT CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            CAST(v.value ->> 3 AS BIGINT), v.value ->> 4, CAST(v.value ->> 5 AS BIGINT)
        FROM json_each($1, '$') v";
    PUT_TEXT = "INSERT INTO index_texts (resource_id, type, parameter, part, number, folded, whole, written)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    PUT_TEXTS = "INSERT INTO index_texts (resource_id, type, parameter, part, number, folded, whole, written)
        SELECT CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            CAST(v.value ->> 3 AS BIGINT), CAST(v.value ->> 4 AS BIGINT), v.value ->> 5, v.value ->> 6, v.value ->> 7
        FROM json_each($1, '$') v";
    PUT_REFERENCE = "INSERT INTO index_references (resource_id, type, parameter, part, target_type, target, version)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    PUT_REFERENCES = "INSERT INTO index_references (resource_id, type, parameter, part, target_type, target, version)
        SELECT CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            CAST(v.value ->> 3 AS BIGINT), CAST(v.value ->> 4 AS BIGINT), v.value ->> 5, v.value ->> 6
        FROM json_each($1, '$') v";
    PUT_DATE = "INSERT INTO index_dates (resource_id, type, parameter, part, low, high)
        VALUES ($1, $2, $3, $4, $5, $6)";
    PUT_DATES = "INSERT INTO index_dates (resource_id, type, parameter, part, low, high)
        SELECT CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            CAST(v.value ->> 3 AS BIGINT), CAST(v.value ->> 4 AS BIGINT), CAST(v.value ->> 5 AS BIGINT)
        FROM json_each($1, '$') v";
    PUT_AMOUNT = "INSERT INTO index_amounts (resource_id, type, parameter, part, number, low, high, system, code,
            unit, base, base_low, base_high)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    PUT_AMOUNTS = "INSERT INTO index_amounts (resource_id, type, parameter, part, number, low, high, system, code,
            unit, base, base_low, base_high)
        SELECT CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            CAST(v.value ->> 3 AS BIGINT), CAST(v.value ->> 4 AS BIGINT), CAST(v.value ->> 5 AS BIGINT),
            CAST(v.value ->> 6 AS BIGINT), CAST(v.value ->> 7 AS BIGINT), v.value ->> 8, v.value ->> 9,
            v.value ->> 10, CAST(v.value ->> 11 AS BIGINT), CAST(v.value ->> 12 AS BIGINT)
        FROM json_each($1, '$') v";
    PUT_URI = "INSERT INTO index_uris (resource_id, type, parameter, part, uri, version)
        VALUES ($1, $2, $3, $4, $5, $6)";
    PUT_URIS = "INSERT INTO index_uris (resource_id, type, parameter, part, uri, version)
        SELECT CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            CAST(v.value ->> 3 AS BIGINT), v.value ->> 4, v.value ->> 5
        FROM json_each($1, '$') v";
    PUT_COURSE = "INSERT INTO index_courses (resource_id, parameter, patient_id, code, moment, system)
        VALUES ($1, $2, $3, $4, $5, $6)";
    PUT_COURSES = "INSERT INTO index_courses (resource_id, parameter, patient_id, code, moment, system)
        SELECT CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            v.value ->> 3, CAST(v.value ->> 4 AS BIGINT), CAST(v.value ->> 5 AS BIGINT)
        FROM json_each($1, '$') v";
}

/// For each table its columns, in the order of a row's values.
const INTO_TOKENS: &str = "index_tokens (resource_id, type, parameter, part, code, system)";
const INTO_TEXTS: &str = "index_texts (resource_id, type, parameter, part, number, folded, whole, written)";
const INTO_REFERENCES: &str = "index_references (resource_id, type, parameter, part, target_type, target, version)";
const INTO_DATES: &str = "index_dates (resource_id, type, parameter, part, low, high)";
const INTO_AMOUNTS: &str = "index_amounts (resource_id, type, parameter, part, number, low, high, system, code, unit, base, base_low, base_high)";
const INTO_URIS: &str = "index_uris (resource_id, type, parameter, part, uri, version)";

const INTO_COURSES: &str = "index_courses (resource_id, parameter, patient_id, code, moment, system)";

/// For each table how the rows of a resource are forgotten.
const FORGET: [Statement<'static>; 7] =
    [FORGET_TOKENS, FORGET_TEXTS, FORGET_REFERENCES, FORGET_DATES, FORGET_AMOUNTS, FORGET_URIS, FORGET_COURSES];

/// Removes the index rows of a resource.
pub(crate) async fn forget(tx: &mut Tx<'_>, row: RowId) -> Result<()> {
    for forget_rows in FORGET {
        tx.post(forget_rows, args![row]).await?;
    }
    Ok(())
}

/// Index rows that are yet to be put, of resources that have none any more, or that keep their others.
#[derive(Debug, Default)]
pub(crate) struct IndexSheet {
    rows: Vec<SheetRow>,
    own: Arc<OwnIndex>,
}

/// A row, whose it is, and its number among the resource's own, which tells rows apart that say the same.
#[derive(Clone, Debug)]
pub(crate) struct SheetRow {
    resource: RowId,
    pub(super) number: i64,
    /// The patient whom a row of a timeline is about.
    patient: Option<PatientId>,
    row: IndexRow,
}

/// Those of the rows of a resource that are in a range, of this body as it is stored. Its patients are those that its content names,
/// in that order.
pub(crate) fn rows_of<'r>(
    own: &OwnIndex,
    (resource, some): (RowId, Range<usize>),
    (content, body): (&'r Preparation, &str),
    patients: &'r [PatientId],
    origin: &str,
) -> impl Iterator<Item = SheetRow> + use<'r> {
    let of = content.resource_type;
    let source = table::find(of, "_source").map(|parameter| source_row(of, parameter.number, origin));
    let own = own.rows(of, body, &content.base);
    let number_of = |id: &str| content.patients.iter().position(|one| one == id).and_then(|at| patients.get(at));
    let known = content.index.iter().map(Cow::Borrowed).chain(source.into_iter().chain(own).map(Cow::Owned));
    (0..).zip(known).skip(some.start).take(some.len()).filter_map(move |(number, row)| {
        let patient = match &row.cells {
            IndexCells::CodeTimeline { patient, .. } => Some(*number_of(patient)?),
            _ => None,
        };
        Some(SheetRow { resource, number, patient, row: row.into_owned() })
    })
}

impl IndexSheet {
    /// A sheet of a transaction, which has users' own parameters as that sees them.
    pub(crate) async fn of(tx: &mut Tx<'_>) -> Result<Self> {
        Ok(Self { rows: Vec::new(), own: OwnIndex::of(tx).await? })
    }

    /// Looks again at what is defined, which has changed with this transaction.
    pub(crate) async fn know_anew(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        self.own = OwnIndex::of(tx).await?;
        Ok(())
    }

    /// The numbers of users' own parameters that it has.
    pub(crate) fn own_numbers(&self) -> impl Iterator<Item = u32> {
        self.own.numbers()
    }

    /// Notes the rows of a resource, of this body as it is stored. Its patients are those that its content names, in that order.
    pub(crate) fn add(&mut self, resource: RowId, stored: (&Preparation, &str), patients: &[PatientId], origin: &str) {
        self.add_some((resource, 0..usize::MAX), stored, patients, origin);
    }

    /// Notes those of its rows that are in this range.
    pub(crate) fn add_some(
        &mut self,
        some: (RowId, Range<usize>),
        stored: (&Preparation, &str),
        patients: &[PatientId],
        origin: &str,
    ) {
        self.rows.extend(rows_of(&self.own, some, stored, patients, origin));
    }

    /// Notes rows of a resource whose others are there, and stay.
    pub(super) fn add_rows(&mut self, rows: impl Iterator<Item = SheetRow>) {
        self.rows.extend(rows);
    }

    /// Notes rows of users' own parameters alone.
    pub(crate) fn add_own(&mut self, resource: RowId, rows: Vec<IndexRow>) {
        let patient = None;
        self.rows.extend((0..).zip(rows).map(|(number, row)| SheetRow { resource, number, patient, row }));
    }

    /// Puts what waits, where it is much.
    pub(crate) async fn put_if_full(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        if self.rows.len() < MOST { Ok(()) } else { self.put(tx).await }
    }

    /// Puts all that waits.
    pub(crate) async fn put(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_unstable_by(|one, other| one.key().cmp(&other.key()));
        for same_table in rows.chunk_by(|one, other| one.put().one.name == other.put().one.name) {
            let Some(first) = same_table.first() else { continue };
            let cells: Vec<Vec<Arg<'_>>> = same_table.iter().map(SheetRow::cells).collect();
            tx.put_rows(first.put(), &cells).await?;
        }
        Ok(())
    }
}

impl SheetRow {
    /// The number of its table, in the order in which the tables are put.
    pub(super) const fn table(&self) -> usize {
        match self.row.cells {
            IndexCells::Token { .. } => 0,
            IndexCells::Text { .. } => 1,
            IndexCells::Reference { .. } => 2,
            IndexCells::Date { .. } => 3,
            IndexCells::Amount { .. } => 4,
            IndexCells::Uri { .. } => 5,
            IndexCells::CodeTimeline { .. } => 6,
        }
    }

    /// The order of the rows within the tables, which are one after the other.
    fn key(&self) -> (usize, i64, i64, &IndexCells, RowId) {
        (self.table(), self.row.type_number, self.row.parameter, &self.row.cells, self.resource)
    }

    /// How rows of its table are put.
    const fn put(&self) -> RowPut {
        match self.row.cells {
            IndexCells::Token { .. } => RowPut { into: Some(INTO_TOKENS), one: PUT_TOKEN, many: PUT_TOKENS },
            IndexCells::Text { .. } => RowPut { into: Some(INTO_TEXTS), one: PUT_TEXT, many: PUT_TEXTS },
            IndexCells::Reference { .. } => {
                RowPut { into: Some(INTO_REFERENCES), one: PUT_REFERENCE, many: PUT_REFERENCES }
            }
            IndexCells::Date { .. } => RowPut { into: Some(INTO_DATES), one: PUT_DATE, many: PUT_DATES },
            IndexCells::Amount { .. } => RowPut { into: Some(INTO_AMOUNTS), one: PUT_AMOUNT, many: PUT_AMOUNTS },
            IndexCells::Uri { .. } => RowPut { into: Some(INTO_URIS), one: PUT_URI, many: PUT_URIS },
            IndexCells::CodeTimeline { .. } => RowPut { into: Some(INTO_COURSES), one: PUT_COURSE, many: PUT_COURSES },
        }
    }

    /// Its values, in the order of the columns.
    pub(super) fn cells(&self) -> Vec<Arg<'_>> {
        let IndexRow { type_number, parameter, part, cells } = &self.row;
        let own: &[Arg<'_>] = match cells {
            IndexCells::Token { code, system } => args![code, *system],
            IndexCells::Text { folded, whole, written } => args![self.number, folded, whole.as_ref(), written],
            IndexCells::Reference { target_type, target, version } => args![*target_type, target, version],
            IndexCells::Date { low, high } => args![*low, *high],
            IndexCells::Amount { low, high, system, code, unit, base } => {
                let base = base.as_ref();
                args![
                    self.number,
                    *low,
                    *high,
                    *system,
                    code,
                    unit,
                    base.map(|base| &base.code),
                    base.map(|base| base.low),
                    base.map(|base| base.high),
                ]
            }
            IndexCells::Uri { uri, version } => args![uri, version],
            IndexCells::CodeTimeline { code, moment, system, .. } => {
                return args![self.resource, *parameter, self.patient, code, *moment, *system].to_vec();
            }
        };
        let whose: &[Arg<'_>] = args![self.resource, *type_number, *parameter, *part];
        [whose, own].concat()
    }
}
