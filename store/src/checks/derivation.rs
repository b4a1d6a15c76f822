//! Sight of every patient, as it is written down, against what follows from registrations and makers by the rules.

use super::examination::Examination;
use super::fault::Fault;
use super::span::Span;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::PatientId;
use rules::labels::Labels;
use rules::moment::Moment;
use rules::sight::{self, Facts, Sight};
use std::collections::BTreeMap;

/// Patients that are looked at together.
const PATIENTS: i64 = 500;

statements! {
    COUNT = "SELECT count(*) FROM patients";
    NEXT = "SELECT id, fhir_id FROM patients WHERE id > $1 ORDER BY id LIMIT $2";
    NAMES = "SELECT id, fhir_id FROM patients WHERE id > $1 AND id <= $2";
    REGISTRATIONS = "SELECT g.patient_id, g.team_id, t.organisation_id
        FROM registrations g JOIN teams t ON t.id = g.team_id WHERE g.patient_id > $1 AND g.patient_id <= $2";
    MAKERS = "SELECT patient_id, viewer_id FROM makers WHERE patient_id > $1 AND patient_id <= $2";
    SIGHT = "SELECT patient_id, viewer_id, labels, ends_at FROM sight WHERE patient_id > $1 AND patient_id <= $2";
}

/// What is known and written down of one patient.
#[derive(Default)]
struct PatientFacts {
    name: Option<String>,
    facts: Facts,
    sight: Vec<Sight>,
}

pub(super) async fn examine(examination: &mut Examination<'_>, store: &Store) -> Result<()> {
    examination.all =
        store.db.page(COUNT, &[], |row| row.int(0)).await?.first().map_or(0, |count| count.unsigned_abs());
    let mut after = i64::MIN;
    while after < i64::MAX {
        let next: Vec<i64> = store.db.page(NEXT, args![after, PATIENTS], |row| row.int(0)).await?;
        let is_last = i64::try_from(next.len()).is_ok_and(|rows| rows < PATIENTS);
        let until = next.last().copied().filter(|_| !is_last).unwrap_or(i64::MAX);
        for (patient, _) in faults(store, Span { after, until }).await? {
            // Sight that was written while it was read is right at the second look.
            for (_, fault) in faults(store, Span::of(patient.0)).await? {
                examination.tell(&fault);
            }
        }
        examination.advance(u64::try_from(next.len()).unwrap_or_default());
        after = until;
    }
    Ok(())
}

async fn faults(store: &Store, span: Span) -> Result<Vec<(PatientId, Fault)>> {
    let args = args![span.after, span.until];
    let mut known: BTreeMap<PatientId, PatientFacts> = BTreeMap::new();
    for (patient, name) in store.db.page(NAMES, args, |row| Ok((row.id(0)?, row.text(1)?))).await? {
        known.entry(patient).or_default().name = Some(name);
    }
    let registration = |row: &dyn Row| Ok((row.id(0)?, (row.id(1)?, row.id(2)?)));
    for (patient, registration) in store.db.page(REGISTRATIONS, args, registration).await? {
        known.entry(patient).or_default().facts.registrations.push(registration);
    }
    for (patient, maker) in store.db.page(MAKERS, args, |row| Ok((row.id(0)?, row.id(1)?))).await? {
        known.entry(patient).or_default().facts.makers.push(maker);
    }
    for sight in store.db.page(SIGHT, args, written).await? {
        known.entry(sight.patient).or_default().sight.push(sight);
    }
    Ok(known.into_iter().filter_map(|(patient, facts)| Some((patient, fault(patient, facts)?))).collect())
}

fn fault(patient: PatientId, known: PatientFacts) -> Option<Fault> {
    let Some(name) = known.name else {
        return Some(Fault::new(format!("patient {patient}"), "somebody is said to see a patient that is not there"));
    };
    let by_viewer = |mut sight: Vec<Sight>| {
        sight.sort_by_key(|row| row.viewer);
        sight
    };
    let differs = by_viewer(sight::of(patient, &known.facts)) != by_viewer(known.sight);
    let problem = "who sees the record is not what follows from its registrations and from who wrote about it";
    differs.then(|| Fault::new(format!("patient {name}"), problem))
}

fn written(row: &dyn Row) -> Result<Sight> {
    Ok(Sight {
        patient: row.id(0)?,
        viewer: row.id(1)?,
        labels: Labels(row.int(2)?),
        ends_at: row.opt_int(3)?.map(Moment),
    })
}
