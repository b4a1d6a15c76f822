//! What `meta.source` says of a source that a row has by its number.

use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::sql::arg::{Arg, args};
use crate::sql::statement::{Statement, statements};
use rules::origin::SourceName;
use rules::reach::Source;

statements! {
    ORGANISATION = "SELECT public_id FROM organisations WHERE id = $1";
    TEAM = "SELECT public_id FROM teams WHERE id = $1";
    PATIENT = "SELECT fhir_id FROM patients WHERE id = $1";
}

/// The URI of a source; its public id never changes.
pub(crate) async fn uri(tx: &mut Tx<'_>, source: Source) -> Result<String> {
    Ok(match source {
        Source::Organisation(organisation) => {
            SourceName::Organisation(&name(tx, ORGANISATION, args![organisation]).await?).uri()
        }
        Source::Team(team, _) => SourceName::Team(&name(tx, TEAM, args![team]).await?).uri(),
        Source::Patient(patient) => SourceName::Patient(&name(tx, PATIENT, args![patient]).await?).uri(),
        Source::Person(user) => SourceName::Person(user).uri(),
    })
}

async fn name(tx: &mut Tx<'_>, statement: Statement<'static>, args: &[Arg<'_>]) -> Result<String> {
    let named = tx.query_one(statement, args, |row| row.text(0)).await?;
    named.ok_or_else(|| Error::Impossible("a source that is not there".into()))
}
