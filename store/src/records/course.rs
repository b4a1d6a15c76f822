//! The course of a code in a patient's record: a search for what a patient has of a code, the latest first, walks along an index that
//! is in its order, and ends where its page is full.

use super::clauses::Text;
use super::criteria::{Cell, Group, Leaf, groups};
use super::form::Form;
use super::keeping;
use super::sorting::{Cursor, CursorKey};
use crate::sql::arg::{Arg, OwnedArg};
use fhir::extraction::course_rows::NO_DATE;
use fhir::parameters::course;
use fhir::search::controls::SortKey;
use fhir::search::query::{Clause, Condition, Query, Test};
use fhir::types::ResourceType;

/// The course that a query asks for.
#[derive(Debug)]
pub(super) struct CourseWalk {
    /// The clauses that it answers: whose, and of which code.
    clauses: [usize; 2],
    patient: String,
    parameter: i64,
    code: String,
    system: i64,
}

impl CourseWalk {
    /// For a query of one patient and one code of one system that wants the latest first.
    pub(super) fn of(query: &Query, sort: &[SortKey]) -> Option<Self> {
        let course = course::of(query.resource_type)?;
        let [key] = sort else { return None };
        if !key.descending || key.parameter.number != course.date.number {
            return None;
        }
        let (patient_key, parameter) = (keeping::number(course.patient), keeping::key(course.code));
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
    pub(super) fn answers(&self, clause: usize) -> bool {
        self.clauses.contains(&clause)
    }

    /// How many clauses it answers.
    pub(super) const fn answered(&self) -> usize {
        self.clauses.len()
    }

    /// Whose, and what: the patient, the parameter, the code and its system.
    pub(super) fn args(&self) -> [Arg<'_>; 4] {
        [Arg::Text(&self.patient), Arg::Int(self.parameter), Arg::Text(&self.code), Arg::Int(self.system)]
    }

    /// The condition on a row `w` of the index.
    pub(super) fn condition(&self, text: &mut Text) -> String {
        let (patient, parameter) = (text.mark(OwnedArg::Text(self.patient.clone())), text.number(self.parameter));
        let (code, system) = (text.mark(OwnedArg::Text(self.code.clone())), text.number(self.system));
        format!(
            "w.patient_id = (SELECT p.id FROM patients p WHERE p.fhir_id = {patient}) AND w.parameter = {parameter} \
             AND w.code = {code} AND w.system = {system}"
        )
    }
}

/// The moment of a row `w` as the key of an order.
pub(super) fn moment() -> String {
    format!("nullif(w.moment, {NO_DATE})")
}

/// That a row `w` comes behind the last of a page.
pub(super) fn behind(text: &mut Text, last: &Cursor) -> String {
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

/// The moment of a place in the order of a course.
pub(super) fn moment_of(place: &Cursor) -> i64 {
    match place.keys.first() {
        Some(Some(CursorKey::Number(moment))) => *moment,
        _ => NO_DATE,
    }
}
