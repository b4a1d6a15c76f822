//! What is asked about patients without showing their records, and what is refused: counted for the ledger. `rules::noted` says
//! which of it becomes a line, and for whom.

use crate::app::App;
use crate::app::inquiries::Inquiry;
use crate::callers::caller::Caller;
use fhir::search::criterion::SystemTest;
use fhir::search::naming::{self, PatientName};
use fhir::search::query::Query;
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::noted::{self, Outcome};
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;
use store::ownership::RecordName;
use store::stored::resource::Resource;

/// Counts a search, for each patient whom its criteria name and of whom nothing is among what was `shown`. A patient's session asks of
/// its own record, whether or not it names it.
pub(crate) fn searched<'q, R: Deref<Target = Resource>>(
    (app, caller): (&App, &Caller),
    queries: impl Iterator<Item = &'q Query> + Clone,
    outcome: Outcome,
    shown: &[R],
) {
    let is_answered = !shown.is_empty();
    let own = caller.reach().own().filter(|_| queries.clone().any(|query| !query.resource_type.is_public()));
    if own.is_some() && is_answered {
        return;
    }
    let names: Vec<RecordName> = match own {
        Some(_) => Vec::new(),
        None => {
            let named: BTreeSet<_> = queries.clone().flat_map(|query| naming::patients(query, is_answered)).collect();
            named.into_iter().map(RecordName::Patient).collect()
        }
    };
    if names.is_empty() && own.is_none() {
        return;
    }
    let shown = shown.iter().flat_map(|one| one.patients()).collect();
    let detail = detail(queries, outcome);
    let inquiry = Inquiry { shown, patients: own.into_iter().collect(), ..new(caller, outcome, detail, names) };
    app.inquiries.count(inquiry, caller.now());
}

/// Counts criteria of a write or a reference, for the patients whom they name and for those in whose record what they `found` is.
pub(crate) fn matched(app: &App, caller: &Caller, query: &Query, found: &[Arc<Resource>]) {
    let outcome = if found.is_empty() { Outcome::Withheld } else { Outcome::Referred };
    let names: Vec<RecordName> = naming::patients(query, false).into_iter().map(RecordName::Patient).collect();
    let own = caller.reach().own().filter(|_| found.is_empty() && !query.resource_type.is_public());
    let patients: Vec<PatientId> = found.iter().flat_map(|found| found.patients()).chain(own).collect();
    if names.is_empty() && patients.is_empty() {
        return;
    }
    let detail = detail(std::iter::once(query), outcome);
    app.inquiries.count(Inquiry { patients, ..new(caller, outcome, detail, names) }, caller.now());
}

/// Counts a question about the patients of these identifiers that no query asks, but for those who were `shown`.
pub(crate) fn identified(
    (app, caller): (&App, &Caller),
    identifiers: impl IntoIterator<Item = (String, String)>,
    shown: BTreeSet<PatientId>,
) {
    let named = |(system, value)| PatientName::Identifier { system: SystemTest::Is(system), value };
    let names: Vec<RecordName> = identifiers.into_iter().map(named).map(RecordName::Patient).collect();
    if names.is_empty() {
        return;
    }
    let (outcome, of) = (Outcome::Withheld, ResourceType::Patient.name());
    let detail = noted::Inquiry { outcome, of, parameters: "identifier" }.text();
    app.inquiries.count(Inquiry { shown, ..new(caller, outcome, detail, names) }, caller.now());
}

/// Counts a read of what the caller does not see.
pub(crate) fn read_refused(app: &App, caller: &Caller, of: ResourceType, id: &str) {
    refused((app, caller), Outcome::ReadRefused, of, vec![RecordName::Resource(of, id.to_owned())]);
}

/// Counts a write of what is not the caller's to write.
pub(crate) fn write_refused(app: &App, caller: &Caller, of: ResourceType, id: &str) {
    refused((app, caller), Outcome::WriteRefused, of, vec![RecordName::Resource(of, id.to_owned())]);
}

/// The same of what criteria would have led to.
pub(crate) fn write_by_criteria_refused(app: &App, caller: &Caller, query: &Query) {
    let names = naming::patients(query, false).into_iter().map(RecordName::Patient).collect();
    refused((app, caller), Outcome::WriteRefused, query.resource_type, names);
}

/// The same of what would have been about this patient.
pub(crate) fn write_about_refused(app: &App, caller: &Caller, of: ResourceType, patient: &str) {
    let names = vec![RecordName::Resource(ResourceType::Patient, patient.to_owned())];
    refused((app, caller), Outcome::WriteRefused, of, names);
}

fn refused((app, caller): (&App, &Caller), outcome: Outcome, of: ResourceType, names: Vec<RecordName>) {
    if names.is_empty() || (of.is_public() && matches!(names[..], [RecordName::Resource(named, _)] if named == of)) {
        return;
    }
    let detail = noted::Inquiry { outcome, of: of.name(), parameters: "" }.text();
    app.inquiries.count(new(caller, outcome, detail, names), caller.now());
}

fn new(caller: &Caller, outcome: Outcome, detail: String, names: Vec<RecordName>) -> Inquiry {
    Inquiry::of(&caller.viewer(), outcome, detail, names)
}

/// What a line says of a search: the type and the parameters; of several types, the parameters of all of them.
fn detail<'q>(mut queries: impl Iterator<Item = &'q Query>, outcome: Outcome) -> String {
    let first = queries.next();
    let mut of = first.map_or("*", |query| query.resource_type.name());
    let mut parameters = first.map(naming::parameters).unwrap_or_default();
    for other in queries {
        of = "*";
        let others = naming::parameters(other);
        parameters.retain(|name| others.contains(name));
    }
    let parameters = parameters.join("&");
    noted::Inquiry { outcome, of, parameters: &parameters }.text()
}
