//! Who the patients of a resource are: what says so beside a literal reference is held to the Patient that is meant.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::preparation;
use crate::voices::api::ApiStop;
use fhir::compartment::{PatientNaming, UnlinkedPatient};
use fhir::identifiers::{self, Identifier};
use fhir::issue::{Issue, IssueCode};
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use std::collections::HashMap;
use std::sync::Arc;
use store::read as records;

/// The identifiers of Patients, as far as somebody asked for them.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    /// The texts of those that are written at the same time.
    pub written: HashMap<String, Arc<str>>,
    known: HashMap<String, Vec<Identifier>>,
}

impl Identities {
    /// Those of a Patient as it will be, or as the caller sees it; none where it is not there, or out of reach.
    async fn of(&mut self, app: &App, caller: &Caller, patient: &str) -> Result<&[Identifier], ApiStop> {
        if !self.known.contains_key(patient) {
            let own = match self.written.get(patient) {
                Some(text) => identifiers::own_of_text(text),
                None => {
                    let reach = caller.reach();
                    let found = records::read(&app.store, reach, ResourceType::Patient, patient, caller.now()).await;
                    let found = found.during("reading the patient of a resource")?;
                    found.map(|found| identifiers::own_of_text(&found.body)).unwrap_or_default()
                }
            };
            self.known.insert(patient.to_owned(), own);
        }
        Ok(self.known.get(patient).map(Vec::as_slice).unwrap_or_default())
    }
}

/// The identifiers beside references that are none of the Patient that is referred to: a search would find the resource under
/// another's number.
pub(crate) async fn foreign_identifiers(
    app: &App,
    caller: &Caller,
    new: &Preparation,
    identities: &mut Identities,
) -> Result<Vec<Issue>, ApiStop> {
    let mut issues = Vec::new();
    for beside in &new.identified {
        let is_own = new.resource_type == ResourceType::Patient && new.id == beside.patient;
        let own = match is_own {
            true => &new.identifiers,
            false => identities.of(app, caller, &beside.patient).await?,
        };
        // What is inside of a resource makes nobody's record: whom the caller does not see, it need not be allowed to name there.
        if !(own.is_empty() && beside.is_contained()) {
            issues.extend(preparation::foreign_identifier(beside, own));
        }
    }
    Ok(issues)
}

/// What a patient hears who names a patient in another way than by a reference to themselves.
pub(crate) fn not_oneself(caller: &Caller, unlinked: &UnlinkedPatient) -> Issue {
    let how = match unlinked.naming {
        PatientNaming::Urn => "by a URN",
        PatientNaming::Contained => "as a contained Patient",
        PatientNaming::Logical => "by an identifier alone",
        PatientNaming::Elsewhere => "as one of another server",
    };
    let own = caller.patient().as_ref().map(|own| format!(", Patient/{own}")).unwrap_or_default();
    let words = format!("names a patient {how}; a patient writes about themselves: refer to the own record{own}");
    Issue::rule(IssueCode::Processing, unlinked.place.clone(), words)
}
