//! Why somebody sees an item, as an operator asks. Whoever asks learns that there is such an item: it is noted.

use super::refusal::OperatorRefusal;
use super::request::WhyQuestion;
use crate::app::App;
use crate::explanation::answer::{self, SightQuestion};
use crate::explanation::explained::Explanation;
use crate::explanation::known_viewer;
use fhir::reference;
use fhir::types::{self, ResourceType};
use rules::moment::Moment;
use store::Store;
use store::patients;
use store::reach::why;

/// `store` is the operator's, by which the question is noted as theirs.
pub(super) async fn why(app: &App, store: &Store, asked: &WhyQuestion) -> Result<Explanation, OperatorRefusal> {
    let item = match &asked.item {
        Some(item) => named(item).ok_or_else(|| {
            OperatorRefusal::because(format!("{item:?} names no item; one is spelt Type/id, such as Observation/123"))
        })?,
        None => (ResourceType::Patient, asked.patient.as_str()),
    };
    let patient = patients::find(&app.store, &asked.patient).await?.ok_or_else(|| {
        let patient = &asked.patient;
        OperatorRefusal::because(format!("there is no patient {patient}; name the id of a Patient resource"))
    })?;
    let now = app.clock.now();
    let viewer = known_viewer::find(app, &asked.viewer, patient).await?.map_err(OperatorRefusal::because)?;
    let what = format!("{}/{} to {}", item.0.name(), item.1, viewer.words);
    why::note(store, patient, what, now).await?;
    let at = asked.at.map_or(now, Moment);
    let question = SightQuestion { patient: (&asked.patient, patient), item, at, glass: asked.glass };
    answer::explain(app, viewer, &question).await?.map_err(OperatorRefusal::because)
}

/// The type and the id of an item.
fn named(item: &str) -> Option<(ResourceType, &str)> {
    let (of, id) = item.split_once('/')?;
    Some((types::named(of)?, id)).filter(|_| reference::is_id(id))
}
