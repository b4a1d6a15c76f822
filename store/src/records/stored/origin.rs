//! What `meta.source` says of a source that a row has by its number.

use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::sql::arg::args;
use crate::sql::statement::{Statement, statements};
use crate::store::Store;
use rules::origin::SourceName;
use rules::reach::Source;

statements! {
    ORGANISATION = "SELECT public_id FROM organisations WHERE id = $1";
    TEAM = "SELECT public_id FROM teams WHERE id = $1";
    PATIENT = "SELECT fhir_id FROM patients WHERE id = $1";
}

/// The URI of a source; its public id never changes.
pub(crate) async fn uri(tx: &mut Tx<'_>, source: Source) -> Result<String> {
    let name = match look_up(source) {
        Some((statement, id)) => tx.query_one(statement, args![id], |row| row.text(0)).await?,
        None => None,
    };
    written(source, name.as_deref()).ok_or_else(|| Error::Impossible("a source that is not there".into()))
}

/// The same before a transaction; nothing where the source is not there yet.
pub(crate) async fn known(store: &Store, source: Source) -> Result<Option<String>> {
    let name = match look_up(source) {
        Some((statement, id)) => store.db.read_one(statement, args![id], |row| row.text(0)).await?,
        None => None,
    };
    Ok(written(source, name.as_deref()))
}

/// How the name of a source is looked up, if it has one.
const fn look_up(source: Source) -> Option<(Statement<'static>, i64)> {
    match source {
        Source::Organisation(organisation) => Some((ORGANISATION, organisation.0)),
        Source::Team(team, _) => Some((TEAM, team.0)),
        Source::Patient(patient) => Some((PATIENT, patient.0)),
        Source::Person(_) => None,
    }
}

fn written(source: Source, name: Option<&str>) -> Option<String> {
    Some(match source {
        Source::Organisation(_) => SourceName::Organisation(name?).uri(),
        Source::Team(..) => SourceName::Team(name?).uri(),
        Source::Patient(_) => SourceName::Patient(name?).uri(),
        Source::Person(user) => SourceName::Person(user).uri(),
    })
}
