//! The timeline of a code in a patient's record: a search for what a patient has of a code, the latest first, walks along an index that
//! is in its order, and ends where its page is full.

use super::clauses::Text;
use super::criteria::{Cell, Group, Leaf, groups};
use super::form::Form;
use super::sort::{Cursor, CursorKey};
use crate::records::index::shared_key;
use crate::sql::arg::{Arg, OwnedArg};
use fhir::extraction::timeline_rows::NO_DATE;
use fhir::parameters::code_timeline;
use fhir::search::controls::SortKey;
use fhir::search::query::{Clause, Condition, Query, Test};
use fhir::types::ResourceType;

/// The timeline that a query asks for.
#[derive(Debug)]
pub(crate) struct TimelineWalk {
    /// The clauses that it answers: whose, and of which code.
    clauses: [usize; 2],
    patient: String,
    parameter: i64,
    code: String,
    system: i64,
}

impl TimelineWalk {
    /// For a query of one patient and one code of one system that wants the latest first.
    pub(crate) fn of(query: &Query, sort: &[SortKey]) -> Option<Self> {
        let timeline = code_timeline::of(query.resource_type)?;
        let [key] = sort else { return None };
        if !key.descending || key.parameter.number != timeline.date.number {
            return None;
        }
        let (patient_key, parameter) = (shared_key::number(timeline.patient), shared_key::key(timeline.code));
        let (mut patient, mut code) = (None, None);
        for (at, clause) in query.clauses.iter().enumerate() {
            let Some((Leaf { key, form }, cells)) = only(clause) else { continue };
            match (form, &cells[..]) {
                (Form::Target, [Cell::Number(to), Cell::Text(id), Cell::Null])
                    if key == patient_key && *to == ResourceType::Patient.number() =>
                {
                    patient = Some((at, id.clone()));
                }
                (Form::Token, [Cell::Text(text), Cell::Number(system)]) if key == parameter => {
                    code = Some((at, text.clone(), *system));
                }
                _ => {}
            }
        }
        let ((whose, patient), (what, code, system)) = (patient?, code?);
        Some(Self { clauses: [whose, what], patient, parameter, code, system })
    }

    /// Whether it answers this clause of the query.
    pub(crate) fn answers(&self, clause: usize) -> bool {
        self.clauses.contains(&clause)
    }

    /// How many clauses it answers.
    pub(crate) const fn answered(&self) -> usize {
        self.clauses.len()
    }

    /// Whose, and what: the patient, the parameter, the code and its system.
    pub(crate) fn args(&self) -> [Arg<'_>; 4] {
        [Arg::Text(&self.patient), Arg::Int(self.parameter), Arg::Text(&self.code), Arg::Int(self.system)]
    }

    /// The condition on a row `w` of the index.
    pub(crate) fn condition(&self, text: &mut Text) -> String {
        let (patient, parameter) = (text.mark(OwnedArg::Text(self.patient.clone())), text.number(self.parameter));
        let (code, system) = (text.mark(OwnedArg::Text(self.code.clone())), text.number(self.system));
        let patient = text.reach.patient_number(&format!("CAST({patient} AS TEXT)"));
        format!("w.patient_id = {patient} AND w.parameter = {parameter} AND w.code = {code} AND w.system = {system}")
    }
}

/// The moment of a row `w` as the key of an order.
pub(crate) fn moment() -> String {
    format!("nullif(w.moment, {NO_DATE})")
}

/// That a row `w` comes behind the last of a page.
pub(crate) fn behind(text: &mut Text, last: &Cursor) -> String {
    format!("(w.moment, w.resource_id) < ({}, {})", text.number(moment_of(last)), text.number(last.row))
}

/// What a clause asks for, if it is one value in one place.
fn only(clause: &Clause) -> Option<(Leaf, Vec<Cell>)> {
    let Clause::Own(Condition { parameter, test: Test::Any(criteria) }) = clause else { return None };
    let mut groups = groups(parameter, criteria).into_iter();
    let (Group { leaves, rows }, None) = (groups.next()?, groups.next()) else { return None };
    let ([leaf], [cells]) = (&leaves[..], &rows[..]) else { return None };
    Some((*leaf, cells.clone()))
}

/// The moment of a place in the order of a timeline.
pub(crate) fn moment_of(place: &Cursor) -> i64 {
    match place.keys.first() {
        Some(Some(CursorKey::Number(moment))) => *moment,
        _ => NO_DATE,
    }
}
