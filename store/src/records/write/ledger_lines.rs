//! What the ledger says of a resource that was written: what became of which version of it, who is its source, and whom it
//! is about. Who wrote it is said by the store's handle (`Store::by`).

use crate::engine::Tx;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::records::read::reference;
use crate::sql::outbox::Outbox;
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::labels::Label;
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
    let mut about = About::default();
    match written.source {
        Source::Team(team, _) => about.team = Some(team),
        Source::Organisation(organisation) => about.organisation = Some(organisation),
        Source::Person(user) => about.user = Some(user),
        Source::Patient(_) => {}
    }
    lines(tx, ids, Line::new(now, event, None, about).with_detail(named(written)), written.patients);
}

/// Notes that a version has another label than the one before: both are said behind its name. That is not its source's doing alone.
pub(crate) fn note_label(
    tx: &mut Tx<'_>,
    ids: &Ids,
    (before, after): (Option<Label>, Option<Label>),
    written: &ResourceVersion<'_>,
    now: Moment,
) {
    let detail = format!("{} {} {}", named(written), Label::default_word(before), Label::default_word(after));
    let line = Line::new(now, Event::Relabelled, None, About::default()).with_detail(detail);
    lines(tx, ids, line, written.patients);
}

fn named(written: &ResourceVersion<'_>) -> String {
    let name = reference(written.resource_type, written.id);
    if written.version > 1 { format!("{name}/_history/{}", written.version) } else { name }
}

fn lines(tx: &mut Tx<'_>, ids: &Ids, mut line: Line, patients: &[PatientId]) {
    for patient in patients {
        line.about.patient = Some(*patient);
        tx.append(Outbox::Records, ids, &line);
    }
    if patients.is_empty() {
        tx.append(Outbox::Records, ids, &line);
    }
}
