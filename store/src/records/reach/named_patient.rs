//! A patient whom a question names: whether the caller has anything to do with them is asked first, and in as many steps for one who
//! is out of reach as for one who does not exist. Only then is their record looked at.

use super::condition::{ReachCondition, ReachKind};

impl ReachCondition {
    /// The number of the patient whose FHIR id is `id`, null where they are out of reach: for a patient, anybody else; for a viewer,
    /// whoever no row of sight is about, be it one without labels. Whoever made something about a patient has such a row.
    pub(crate) fn patient_number(&self, id: &str) -> String {
        match self.kind {
            ReachKind::Own => self.own_patient(id, "p.id"),
            ReachKind::Viewer | ReachKind::Viewers => format!("(SELECT s.patient_id {})", self.in_sight_of_any(id)),
        }
    }

    /// The FHIR id `id` itself, null where it is that of a patient who is out of reach.
    pub(crate) fn patient_id(&self, id: &str) -> String {
        match self.kind {
            ReachKind::Own => self.own_patient(id, "p.fhir_id"),
            ReachKind::Viewer | ReachKind::Viewers => {
                format!("CASE WHEN EXISTS (SELECT 1 {}) THEN {id} END", self.in_sight_of_any(id))
            }
        }
    }

    fn own_patient(&self, id: &str, column: &str) -> String {
        format!("(SELECT CASE WHEN p.fhir_id = {id} THEN {column} END FROM patients p WHERE p.id = {})", self.mark(0))
    }

    /// Sight is asked though there be no such patient: of nobody's number.
    fn in_sight_of_any(&self, id: &str) -> String {
        let number = format!("coalesce((SELECT p.id FROM patients p WHERE p.fhir_id = {id}), -1)");
        format!("FROM sight s WHERE s.patient_id = {number} AND {} LIMIT 1", self.is_viewer("s.viewer_id"))
    }
}
