//! What the ledger says of a resource that was written: what became of which version of it, who is its source, and whom it
//! is about. Who wrote it is said by the store's handle (`Store::by`).

use crate::engine::Tx;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::records::read::reference;
use crate::sql::outbox::Outbox;
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::moment::Moment;
use rules::reach::Source;

/// One version of a resource, as the ledger names it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResourceVersion<'v> {
    pub resource_type: ResourceType,
    pub id: &'v str,
    pub version: i64,
    pub source: Source,
    /// In whose records it is; for a deletion, in whose it was.
    pub patients: &'v [PatientId],
}

/// Notes that a version was written: `Created`, `Updated` or `Deleted`. There is a line for each patient, so that each
/// finds it, and one where there is none.
pub(crate) fn note(tx: &mut Tx<'_>, ids: &Ids, event: Event, written: &ResourceVersion<'_>, now: Moment) {
    let (mut about, mut detail) = (About::default(), reference(written.resource_type, written.id));
    match written.source {
        Source::Team(team, _) => about.team = Some(team),
        Source::Organisation(organisation) => about.organisation = Some(organisation),
        Source::Person(user) => about.user = Some(user),
        Source::Patient(_) => {}
    }
    if written.version > 1 {
        detail = format!("{detail}/_history/{}", written.version);
    }
    let mut line = Line::new(now, event, None, about).with_detail(detail);
    for patient in written.patients {
        line.about.patient = Some(*patient);
        tx.append(Outbox::Records, ids, &line);
    }
    if written.patients.is_empty() {
        tx.append(Outbox::Records, ids, &line);
    }
}
