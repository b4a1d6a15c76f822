//! Who sets the label of what is written: the patient, a person with the labels that they hold, or a source with its default.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::write::authority::BundleContext;
use crate::sharing::default_label;
use crate::voices::api::ApiStop;
use fhir::preparation::Preparation;
use rules::answers::Refusal;
use rules::consent::label_right::Labeller;
use rules::labels::{DEFAULT_LABEL, Labels};
use rules::reach::Source;
use store::reach::circle;
use store::write::resource_write::NewResource;

/// The same with the label that it gets of this caller, who writes as this source.
pub(crate) async fn labelled(
    app: &App,
    caller: &Caller,
    new: NewResource,
    (source, is_new): (Source, bool),
    company: &mut BundleContext,
) -> Result<NewResource, ApiStop> {
    if new.content.patients.is_empty() {
        return Ok(new);
    }
    let known = company.labellers.iter().find(|(known, _)| *known == source).map(|(_, by)| *by);
    let by = match known {
        Some(by) => by,
        None => of(app, caller, source, &new.content).await?,
    };
    // What a person holds depends on the record.
    if known.is_none() && !matches!(by, Labeller::Person(_)) {
        company.labellers.push((source, by));
    }
    Ok(new.labelled_by(by, is_new).map_err(Refusal::Denied)?)
}

/// Who sets the label of this, as this source.
async fn of(app: &App, caller: &Caller, source: Source, content: &Preparation) -> Result<Labeller, ApiStop> {
    if caller.reach().person().is_some() {
        return Ok(Labeller::Person(held(app, caller, &content.patients).await?));
    }
    Ok(default_label::labeller(&app.store, source).await.during("looking at the default label of a source")?)
}

/// As whom a caller sets a label that is named, whoever made what has it: no default is asked for.
pub(crate) async fn of_caller(app: &App, caller: &Caller, content: &Preparation) -> Result<Labeller, ApiStop> {
    let reach = caller.reach();
    match (reach.own(), reach.person(), reach.organisation()) {
        (Some(_), ..) => Ok(Labeller::Patient),
        (None, Some(_), _) => Ok(Labeller::Person(held(app, caller, &content.patients).await?)),
        (None, None, Some(_)) => Ok(Labeller::Organisation(None)),
        (None, None, None) => Ok(Labeller::Team(DEFAULT_LABEL)),
    }
}

/// The labels that a caller holds of each of these patients.
async fn held(app: &App, caller: &Caller, patients: &[String]) -> Result<Labels, ApiStop> {
    let mut all = Labels::ALL;
    for patient in patients {
        let held = circle::held(&app.store, caller.reach(), patient, caller.now()).await;
        let held = held.during("looking at the labels that a caller holds")?;
        all = all.common(held.unwrap_or(Labels::NONE));
    }
    Ok(all)
}
