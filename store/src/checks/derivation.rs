//! Sight of every patient, as it is written down, against what follows from consents, makers and states by the rules.

use super::examination::Examination;
use super::fault::Fault;
use super::span::Span;
use crate::access::patients;
use crate::error::Result;
use crate::records::reach::consents::{consent_row, consents_where};
use crate::records::reach::sight::{maker_row, standing_row};
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::consent::eyes::Eyes;
use rules::consent::standing::{self, GivenConsent, Standing};
use rules::consent::state::PatientState;
use rules::ids::PatientId;
use std::collections::BTreeMap;

/// Patients that are looked at together.
const PATIENTS: i64 = 500;

statements! {
    COUNT = "SELECT count(*) FROM patients";
    NEXT = "SELECT id, fhir_id FROM patients WHERE id > $1 ORDER BY id LIMIT $2";
    NAMES = "SELECT id, fhir_id FROM patients WHERE id > $1 AND id <= $2";
    STATES = "SELECT id, frozen_at, sharing_disabled_at, deceased FROM patients WHERE id > $1 AND id <= $2";
    CONSENTS = consents_where!("c.patient_id > $1 AND c.patient_id <= $2");
    MAKERS = "SELECT m.patient_id, m.viewer_id, t.id, o.id, u.type FROM makers m LEFT JOIN teams t ON t.id = m.viewer_id
            LEFT JOIN organisations o ON o.id = m.viewer_id LEFT JOIN users u ON u.id = m.viewer_id
        WHERE m.patient_id > $1 AND m.patient_id <= $2";
    SIGHT = "SELECT patient_id, viewer_id, labels, ends_at, stays FROM sight WHERE patient_id > $1 AND patient_id <= $2";
}

/// What is known and written down of one patient.
#[derive(Default)]
struct PatientFacts {
    name: Option<String>,
    state: Option<PatientState>,
    given: Vec<GivenConsent>,
    makers: Vec<Eyes>,
    sight: Vec<Standing>,
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
    for state in store.db.page(STATES, args, patients::state_row).await? {
        known.entry(state.id).or_default().state = Some(state);
    }
    for stored in store.db.page(CONSENTS, args, consent_row).await? {
        known.entry(stored.consent().patient).or_default().given.push(stored.given);
    }
    for (patient, maker) in store.db.page(MAKERS, args, maker_row).await? {
        known.entry(patient).or_default().makers.extend(maker);
    }
    for row in store.db.page(SIGHT, args, standing_row).await? {
        known.entry(row.sight.patient).or_default().sight.push(row);
    }
    Ok(known.into_iter().filter_map(|(patient, facts)| Some((patient, fault(patient, facts)?))).collect())
}

fn fault(patient: PatientId, known: PatientFacts) -> Option<Fault> {
    let Some(name) = known.name else {
        return Some(Fault::new(format!("patient {patient}"), "somebody is said to see a patient that is not there"));
    };
    let state = known.state.unwrap_or(PatientState::normal(patient));
    let mut written = known.sight;
    written.sort_by_key(|row| row.sight.viewer);
    let differs = standing::of(&state, &known.given, &known.makers) != written;
    let problem = "who sees the record is not what follows from its consents, its states and who wrote about it";
    differs.then(|| Fault::new(format!("patient {name}"), problem))
}
