//! Patients by their identifiers, within a caller's reach, and what is known of each beside the resource.

use super::reach::condition::{Columns, ReachArgs, Scoped};
use super::stored::resource::{BEHIND, columns, resource};
use crate::error::Result;
use crate::sql::arg::Arg;
use crate::sql::row::Row;
use crate::sql::statement::quote;
use crate::store::Store;
use fhir::json::{Node, read};
use fhir::tokens::IDENTIFIER;
use fhir::types::ResourceType;
use rules::ids::{PatientId, ViewerId};
use rules::moment::Moment;
use rules::reach::{Reach, Right};
use std::sync::LazyLock;

/// Who an identifier leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// System and value, as they were asked for.
    pub identifier: (String, String),
    pub patient: PatientId,
    /// The date of birth, as the Patient says it.
    pub birth_date: Option<String>,
    pub deceased: bool,
    /// Whether there is an account.
    pub registered: bool,
    /// By which right the Patient is seen, and through whose eyes.
    pub right: Right,
    pub viewer: Option<ViewerId>,
}

/// Where a row has what is not of the resource.
const BESIDE: usize = BEHIND;

/// The first Patient in reach of each identifier of the list `$1` of systems and values. Each is looked up by itself, and its walk
/// ends at the first.
static IDENTITIES: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::identities::IDENTITIES", 1, |reach| {
        let (columns, patient) = (columns("r", "r"), ResourceType::Patient.number());
        let (right, viewer) = (reach.right(Columns::of("r")), reach.viewer(Columns::of("r")));
        let seen = reach.right(Columns::of("o"));
        format!(
            "SELECT * FROM (SELECT {columns}, {right} AS by_right, {viewer} AS by_viewer, (v.value ->> 0) AS asked_system,
                (v.value ->> 1) AS asked_value, coalesce(p.deceased, 0) AS is_deceased,
                CASE WHEN EXISTS (SELECT 1 FROM users u WHERE u.patient_id = r.patient_id) THEN 1 ELSE 0 END AS is_registered
             FROM json_each($1, '$') v JOIN resources r ON r.id = (
                SELECT t.resource_id FROM tokens t JOIN resources o ON o.id = t.resource_id
                WHERE t.type = {patient} AND t.value = (v.value ->> 1)
                    AND t.parameter_id = (SELECT w.id FROM words w WHERE w.word = '{IDENTIFIER}')
                    AND t.system_id = (SELECT w.id FROM words w WHERE w.word = (v.value ->> 0))
                    AND ({seen}) IS NOT NULL
                ORDER BY t.resource_id LIMIT 1)
             LEFT JOIN patients p ON p.id = r.patient_id) f WHERE f.by_right IS NOT NULL"
        )
    })
});

pub(crate) fn statements() -> Vec<String> {
    IDENTITIES.all().to_vec()
}

/// Who these identifiers, systems with values, lead to; those that lead to nobody in reach are not in it.
pub async fn find(
    store: &Store,
    reach: &Reach,
    identifiers: &[(String, String)],
    now: Moment,
) -> Result<Vec<Identity>> {
    let own = ReachArgs::of(reach, now);
    let mut rows = String::from("[");
    for (system, value) in identifiers {
        rows.push_str(if rows.len() > 1 { ",[" } else { "[" });
        quote(system, &mut rows);
        rows.push(',');
        quote(value, &mut rows);
        rows.push(']');
    }
    rows.push(']');
    let args = own.behind(&[Arg::Text(&rows)]);
    let found = store.db.page(IDENTITIES.statement(reach), &args, identity).await?;
    Ok(found.into_iter().flatten().collect())
}

fn identity(row: &dyn Row) -> Result<Option<Identity>> {
    let found = resource(row)?;
    let Some(patient) = found.patient else { return Ok(None) };
    let body = read(&found.body);
    let birth_date = body.as_ref().and_then(|body| body.get("birthDate")).and_then(Node::text);
    Ok(Some(Identity {
        identifier: (row.text(BESIDE)?, row.text(BESIDE + 1)?),
        patient,
        birth_date: birth_date.map(String::from),
        deceased: row.flag(BESIDE + 2)?,
        registered: row.flag(BESIDE + 3)?,
        right: found.right,
        viewer: found.viewer,
    }))
}
