//! A patient whom a question names: whether the caller has anything to do with them is asked first, and in as many steps for one who
//! is out of reach as for one who does not exist. Only then is their record looked at.

use super::condition::{ReachCondition, ReachKind};

impl ReachCondition {
    /// The number of the patient whose FHIR id is `id`, null where they are out of reach: for a patient, anybody else; for a viewer,
    /// whoever no row of sight is about, be it one without labels. Whoever made something about a patient has such a row.
    pub(crate) fn patient_number(&self, id: &str) -> String {
        match self.kind {
            ReachKind::Own => self.own_patient(id, "p.id"),
            _ => format!("(SELECT s.patient_id {})", self.in_sight_of_any(id)),
        }
    }

    /// The FHIR id `id` itself, null where it is that of a patient who is out of reach.
    pub(crate) fn patient_id(&self, id: &str) -> String {
        match self.kind {
            ReachKind::Own => self.own_patient(id, "p.fhir_id"),
            _ => format!("CASE WHEN EXISTS (SELECT 1 {}) THEN {id} END", self.in_sight_of_any(id)),
        }
    }

    fn own_patient(&self, id: &str, column: &str) -> String {
        format!("(SELECT CASE WHEN p.fhir_id = {id} THEN {column} END FROM patients p WHERE p.id = {})", self.mark(0))
    }

    /// Sight is asked though there be no such patient: of nobody's number. A carer's is of one patient, and whoever has broken a
    /// glass may have no sight of its patient at all.
    fn in_sight_of_any(&self, id: &str) -> String {
        let number = format!("coalesce((SELECT p.id FROM patients p WHERE p.fhir_id = {id}), -1)");
        let (is_viewer, lasts) = (self.is_viewer("s.viewer_id"), self.lasts());
        let (from, is_viewer) = match self.kind {
            // One look for each viewer: a walk through all rows of the patient would tell how many there are. The list has a name of
            // its own, because `id` may be taken from a list named `v`.
            ReachKind::Viewers => (
                format!("json_each({}) viewers CROSS JOIN sight s", self.mark(0)),
                "s.viewer_id = CAST(viewers.value AS BIGINT)".to_owned(),
            ),
            _ => ("sight s".to_owned(), is_viewer),
        };
        let sight = format!(
            "SELECT s.patient_id FROM {from} WHERE s.patient_id = {number} AND {is_viewer} AND ({lasts} OR s.stays = 1)"
        );
        match self.kind {
            ReachKind::Carer => format!("FROM ({sight} AND s.patient_id = {}) s LIMIT 1", self.mark(2)),
            ReachKind::Glass => {
                let broken = format!(
                    "SELECT p.id AS patient_id FROM patients p WHERE p.fhir_id = {id} AND p.id = {}",
                    self.mark(2)
                );
                format!("FROM ({sight} UNION ALL {broken}) s LIMIT 1")
            }
            _ => format!("FROM ({sight}) s LIMIT 1"),
        }
    }
}
